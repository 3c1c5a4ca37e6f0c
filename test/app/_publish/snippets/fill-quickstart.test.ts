import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Skill } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillQuickstart } from '../../../../app/_publish/snippets/fill-quickstart.ts'
import { getListing } from '../../../../server/registry/index.ts'
import { readQuickstarts } from '../../../../server/trpc/views/read-quickstarts.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

/** What would end a string, a comment or a program in one of the languages. */
const hostile = 'It\'s "quoted" `ticks` $x $(id) \\ \\( . ) */ # // {{ \' ; exit 1 \u2028 \u202e é 😀 \n\r\t\u0007 end\\'
const skills = [
  {
    id: 'text.shout',
    name: hostile.replace(/\s/g, ' ').slice(0, 80),
    description: hostile,
    outputs: [{ name: 'out', type: 'text.shout' }],
  },
  { id: 'text.both', name: 'Both\\', description: '', outputs: ['text.loud', 'text.quiet'].map((type, at) => ({ name: `o${at}`, type })) },
].map((skill) =>
  Skill.parse({
    ...skill,
    inputs: [{ name: 'text', type: 'query.text' }],
    price: '0',
    samples: skill.id === 'text.shout' ? [{ title: 'One', input: 'x', output: hostile }] : [],
  }),
)
const listing = { handle: 'novel-agent', skills }
const placeholder = 'Replace this text with your result.'
/** A folder of the repository, so that a program finds the packages. */
const own = path.join(import.meta.dirname, '../../../../.parley')
mkdirSync(own, { recursive: true })
const folder = mkdtempSync(path.join(own, 'snippet-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function programOf(language: string): Promise<{ code: string; file: string; run: string }> {
  const quickstart = (await readQuickstarts(path.join(folder, 'none'))).find((one) => one.language === language)
  if (!quickstart) throw new Error(`There is no example in ${language}.`)
  const { code, file, run } = fillQuickstart(quickstart, listing)
  const at = path.join(folder, file)
  writeFileSync(at, code)
  return { code, file: at, run }
}

describe('fillQuickstart', () => {
  it.each([
    ['TypeScript', 'npm run node -- novel-agent.ts'],
    ['Python', 'python3 novel-agent.py'],
    ['curl', 'sh novel-agent.sh'],
  ])('writes the %s program of a listing, and nothing of the example’s own skill', async (language, command) => {
    const { code, run } = await programOf(language)
    expect(run).toBe(command)
    expect(code).toContain('The agent @novel-agent')
    for (const text of ['text.shout', 'text.both', 'text.loud', 'text.quiet']) expect(code).toContain(text)
    expect(code).not.toMatch(/toUpperCase|\.upper\(\)|ascii_upcase|PARLEY_PAYOUT|PARLEY_NAME/)
  })

  it('writes Python whose skills give the sample, byte for byte', async () => {
    const { code, file } = await programOf('Python')
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1], encoding="utf-8").read())', file])
    const [block = ''] = /^# .*\n@agent\.skill[\s\S]*?(?=\n@agent\.on)/m.exec(code) ?? []
    const stub = 'import json\nclass agent:\n    skill = staticmethod(lambda id: lambda handler: print(json.dumps([id, handler(None)])))\n'
    writeFileSync(file, `${stub}${block}`)
    const printed = execFileSync('python3', [file], { encoding: 'utf8' }).trim().split('\n')
    expect(printed.map((line) => JSON.parse(line))).toEqual([
      ['text.shout', hostile],
      ['text.both', { 'text.loud': placeholder, 'text.quiet': placeholder }],
    ])
  })

  it('writes a shell program whose skills give the sample, byte for byte', async () => {
    const { code, file } = await programOf('curl')
    execFileSync('sh', ['-n', file])
    const [block = ''] = /'def file[\s\S]*?else empty end;/.exec(code) ?? []
    const asked = JSON.stringify(skills.map(({ id }) => ({ skill_id: id })))
    writeFileSync(file, `printf '%s' '${asked}' | jq -c ${block} [.[] | work]'`)
    expect(contentsOf(JSON.parse(execFileSync('sh', [file], { encoding: 'utf8' })))).toEqual(expected)
  })
})

type Files = readonly { readonly artifact_type: string; readonly content: string }[]
const contentsOf = (answers: readonly Files[]) =>
  answers.map((files) => Object.fromEntries(files.map((file) => [file.artifact_type, Buffer.from(file.content, 'base64').toString()])))
const expected = [{ 'text.shout': hostile }, { 'text.loud': placeholder, 'text.quiet': placeholder }]

describe('a filled program', () => {
  let world: TestWorld
  let owner: TestPerson
  const children = new Set<ChildProcess>()
  beforeAll(async () => {
    world = await createWorld()
    owner = await world.person({ usdc: 0n })
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await world?.[Symbol.asyncDispose]()
  })

  const hasCurl = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0)
  const python = ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', 'import websockets, cryptography']).status === 0)
  it.each([
    ['TypeScript', process.execPath, true],
    ['Python', python ?? '', python !== undefined],
    ['curl', 'sh', hasCurl],
  ])('in %s connects as the agent of its listing (skipped without its packages)', async (language, command, isThere) => {
    if (!isThere) return
    const { file } = await programOf(language)
    const { agent_id, token } = await world.publish(owner, {
      handle: `in-${language.toLowerCase()}`,
      skills: skills.map((one) => ({ ...one, name: one.id, description: '', samples: [] })),
    })
    const PYTHONPATH = path.join(import.meta.dirname, '../../../../agents/python')
    const child = spawn(command, [file], { env: { ...process.env, PARLEY_URL: world.hubUrl, PARLEY_TOKEN: token, PYTHONPATH } })
    children.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}: ${output}`)))
    died.catch(() => {})
    const online = world.until('the program to be online', async () => (await getListing(owner.ctx, agent_id)).presence === 'online')
    await Promise.race([online, died])
    expect(output).not.toMatch(/error/i)
  })
})
