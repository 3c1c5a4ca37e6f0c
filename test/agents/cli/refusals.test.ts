// What the command line refuses without a market, message, exit code, and what it writes where.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../../agents/cli/src/run-command-line.ts'
import { openTerminal, type TerminalStreams } from '../../../agents/cli/src/terminal.ts'
import { anyFreePort } from '../../../server/embedded/processes/next-free-port.ts'

const main = path.join(import.meta.dirname, '../../../agents/cli/src/main.ts')
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-refusals-'))
/** Answers each request as the web of a market does with a path that it does not know. */
const web = createServer((_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not found</p>'))
/** Answers each request with a page, as a captive portal does. */
const portal = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>'))
const urlOf = (server: typeof web) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
let unusedUrl = ''
beforeAll(async () => {
  for (const server of [web, portal]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  unusedUrl = `http://127.0.0.1:${await anyFreePort()}`
})
afterAll(async () => {
  for (const server of [web, portal]) await new Promise((done) => server.close(done))
  rmSync(folder, { recursive: true, force: true })
})

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs a command in this process. `settings`: the content of the stored settings; none unless given. */
async function parley(args: readonly string[], env: Record<string, string> = {}, settings?: string): Promise<Ended> {
  const home = mkdtempSync(path.join(folder, 'home-'))
  if (settings !== undefined) writeFileSync(path.join(home, 'settings.json'), settings)
  const given = { PARLEY_HOME: home, PARLEY_URL: unusedUrl, PARLEY_WALLET_KEY: undefined, PARLEY_TOKEN: undefined, ...env }
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
  const written = { stdout: '', stderr: '' }
  const write = (to: 'stdout' | 'stderr') => (text: string) => {
    written[to] += text
  }
  const stream = (to: 'stdout' | 'stderr') => ({ write: write(to), on: () => undefined })
  const streams = { stdin: {}, stdout: stream('stdout'), stderr: stream('stderr') } as unknown as TerminalStreams
  return { code: await runCommandLine(args, openTerminal(streams)), ...written }
}
afterEach(() => vi.unstubAllEnvs())

/** Runs a command as a process of its own. `isDeaf`: its output is closed. */
function startParley(args: readonly string[], isDeaf = false): Promise<Ended> {
  const env = { PATH: process.env.PATH, PARLEY_HOME: path.join(folder, 'no-home'), PARLEY_URL: unusedUrl } as unknown as NodeJS.ProcessEnv
  return new Promise((done) => {
    const child = execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    if (isDeaf) child.stdout?.destroy()
  })
}

const signedIn = () => JSON.stringify({ hub: unusedUrl, token: 'secret-token', expiresAt: '2999-01-01T00:00:00Z' })
const zeroKey = `0x${'0'.repeat(64)}`
const largeKey = `0x${'f'.repeat(63)}e`

describe('the command line refuses', () => {
  it.each<[string, string[], string, Record<string, string>?]>([
    ['to ask without a login', ['ask', 'x'], 'You are not signed in. Run parley login.\n'],
    ['to publish without a login', ['publish', 'l.json'], 'You are not signed in. Run parley login.\n'],
    ['the faucet without a login', ['faucet'], 'You are not signed in. Run parley login.\n'],
    [
      'a login without a wallet',
      ['login'],
      'There is no wallet. Set PARLEY_WALLET_KEY to its private key, or create one with parley login --new-wallet.\n',
    ],
    ['a key that is none', ['login'], 'The wallet key must be 0x and 64 hexadecimal digits.\n', { PARLEY_WALLET_KEY: 'abc' }],
    ['a key of zero', ['login'], 'The wallet key is no valid private key: it is zero or too large.\n', { PARLEY_WALLET_KEY: zeroKey }],
    [
      'a key that is too large',
      ['login'],
      'The wallet key is no valid private key: it is zero or too large.\n',
      { PARLEY_WALLET_KEY: largeKey },
    ],
    [
      'an address without a scheme',
      ['--hub', 'localhost:4000', 'agents', 'search'],
      '"localhost:4000" is not an address. Write it with http:// or https://.\n',
    ],
    [
      'to run an agent without its token',
      ['run', '--handle', 'x', '--', 'cat'],
      'Set PARLEY_TOKEN to the token that publishing the listing gave.\n',
    ],
    ['a transcript that is not there', ['verify', 'none.jsonl', '--server', 'did:key:z'], 'none.jsonl cannot be read.\n'],
    [
      'a hash that is none',
      ['verify', main, '--server', 'did:key:z', '--hash', '0x12'],
      'A hash has 64 hexadecimal digits, with or without 0x.\n',
    ],
  ])('%s', async (_, args, message, env) => {
    expect(await parley(args, env)).toEqual({ code: 1, stdout: '', stderr: message })
  })

  it.each([
    [['agents', 'search', '--nope'], "error: unknown option '--nope'\n"],
    [['nope'], "error: unknown command 'nope'\n"],
    [['ask'], "error: missing required argument 'text'\n"],
    [['run', '--', 'cat'], "error: required option '--handle <handle>' not specified\n"],
    [['login', '--expires', '5'], "error: option '--expires <seconds>' argument '5' is invalid. Write a whole number from 60 to 43200.\n"],
  ])('%j, and shows its help', async (args, message) => {
    const { code, stdout, stderr } = await parley(args)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`${message}\nUsage: parley `)
  })

  it('a market that cannot be reached, that is no hub, or that is a page', async () => {
    expect(await parley(['agents', 'search', 'x'])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED.*\. Check the address, or name another with --hub\.\n$/,
      ),
    })
    for (const server of [web, portal])
      expect(await parley(['--hub', urlOf(server), 'agents', 'search', 'x'])).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: `${urlOf(server)} is not the hub of a market. Its address is not that of the web; by default it has port 4000.\n`,
      })
  })

  it.each(['{', 'null', '[]'])('settings that have %s', async (settings) => {
    const { code, stderr } = await parley(['agents', 'search'], {}, settings)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/settings\.json has no settings\. Delete it, and sign in again with parley login\.\n$/),
    ])
  })

  it('an ended login, and to give a token to another market', async () => {
    const ended = JSON.stringify({ hub: unusedUrl, token: 'secret-token', expiresAt: '2020-01-01T00:00:00Z' })
    expect((await parley(['ask', 'x'], {}, ended)).stderr).toBe('Your login has ended. Run parley login again.\n')
    const asked = await parley(['--hub', urlOf(web), 'ask', 'x'], {}, signedIn())
    expect(asked.stderr).toBe(`You are signed in at ${unusedUrl}, not at ${urlOf(web)}. Run parley --hub ${urlOf(web)} login.\n`)
  })

  it.each([
    [['ask', 'x', '--json'], 'You are not signed in. Run parley login.'],
    [['ask', '--json'], "error: missing required argument 'text'"],
    [['agents', 'search', '--json', '--nope'], "error: unknown option '--nope'"],
    [['verify', 'none.jsonl', '--server', 'did:key:z', '--json'], 'none.jsonl cannot be read.'],
  ])('%j with one JSON document', async (args, message) => {
    const { code, stdout } = await parley(args)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({ error: { message } })
  })

  it('a wallet where one is, and a folder that cannot be written', async () => {
    const home = path.join(folder, 'taken')
    mkdirSync(home)
    writeFileSync(path.join(home, 'wallet.key'), 'x')
    const taken = await parley(['login', '--new-wallet'], { PARLEY_HOME: home })
    expect(taken.stderr).toBe(`There is a wallet already: ${home}/wallet.key. Sign in with parley login.\n`)
    const closed = await parley(['login', '--new-wallet'], { PARLEY_HOME: path.join(main, 'home') })
    expect(closed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The key cannot be written to .*: ENOTDIR\.\n$/) })
  })
})

describe('the program', () => {
  it('ends with the exit code, and writes results and errors apart', async () => {
    const [refused, help, deaf] = await Promise.all([
      startParley(['ask', '--json', 'x']),
      startParley(['--help']),
      startParley(['--help'], true),
    ])
    const message = 'You are not signed in. Run parley login.'
    expect({ ...refused, stdout: JSON.parse(refused.stdout) }).toEqual({ code: 1, stdout: { error: { message } }, stderr: `${message}\n` })
    expect(help).toEqual({ code: 0, stdout: expect.stringMatching(/^Usage: parley /), stderr: '' })
    expect(deaf).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})
