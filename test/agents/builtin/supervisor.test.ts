import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinHandle, builtinNames, listAgentNames } from '../../../agents/builtin/agent-names.ts'
import { signInAsPublisher } from '../../../agents/builtin/runtime/publisher-client.ts'
import { discoverListings } from '../../../server/registry/index.ts'
import { appRouter } from '../../../server/trpc/app-router.ts'
import { createRequestContext } from '../../../server/trpc/request-context.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

/** The web's tRPC door, without its pages. */
async function serveTrpc(world: TestWorld) {
  Object.assign(globalThis, { parleyWorld: Promise.resolve(world.world) })
  const handle = createHTTPHandler({
    router: appRouter,
    basePath: '/api/trpc/',
    async createContext({ req, res }) {
      const reply = new Headers()
      const append = reply.append.bind(reply)
      reply.append = (name, value) => {
        append(name, value)
        res.appendHeader(name, value)
      }
      return createRequestContext({ headers: new Headers(req.headers as Record<string, string>), reply })
    },
  })
  const server = createServer(handle)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

describe('the supervisor of the built-in agents', { timeout: 900_000 }, () => {
  let world: TestWorld
  let web: Awaited<ReturnType<typeof serveTrpc>>
  let home: string
  const key = generatePrivateKey()
  const running = new Set<ChildProcess>()
  const output: string[] = []

  function start(script = 'agents/builtin/supervisor.ts', more: { readonly [name: string]: string } = {}): ChildProcess {
    const env = {
      ...process.env,
      OPENAI_API_KEY: '',
      OPENAI_BASE_URL: '',
      HUB_URL: world.hubUrl,
      WEB_URL: web.url,
      PUBLIC_URL: 'http://localhost:3000',
      PUBLISHER_PRIVATE_KEY: key,
      PARLEY_HOME: home,
      GATEWAY_PORT: '0',
      ...more,
    }
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.on('data', (text: Buffer) => output.push(text.toString()))
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }
  const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve))
  const online = async () => (await discoverListings(world.system, { online: true, limit: 100 })).listings
  const allOnline = () =>
    world
      .until('all agents online', async () => (await online()).length === builtinNames.length && online())
      .catch((error) => {
        throw new Error(`${error}\n${output.join('')}`)
      })

  beforeAll(async () => {
    world = await createWorld()
    web = await serveTrpc(world)
    home = await mkdtemp(path.join(os.tmpdir(), 'house-'))
  })
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    web?.close()
    await world?.[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  })

  it('publishes its agents, connects them with their own keys, ends with all of them, and starts again without a trace', async () => {
    const first = start()
    const listed = await allOnline()
    expect(listed.map((one) => one.handle).sort()).toEqual(builtinNames.map(builtinHandle).sort())
    expect(listed.every((one) => one.did.startsWith('did:key:'))).toBe(true)
    expect(new Set(listed.map((one) => one.payout)).size).toBe(builtinNames.length)
    for (const file of await readdir(home)) expect((await stat(path.join(home, file))).mode & 0o077).toBe(0)
    const exit = ended(first)
    first.kill('SIGTERM')
    expect(await exit).toBe(0)
    await world.until('nobody online', async () => (await online()).length === 0)

    const second = start()
    const again = await allOnline()
    const identity = (all: typeof listed) =>
      all.map(({ handle, did, payout, version }) => ({ handle, did, payout, version })).sort((a, b) => (a.handle < b.handle ? -1 : 1))
    expect(identity(again)).toEqual(identity(listed))

    // Its supervisor killed without a word, no agent is left behind.
    second.kill('SIGKILL')
    await world.until('nobody online', async () => (await online()).length === 0)
  })

  it('takes a listing over whose key is not its own', async () => {
    await rm(path.join(home, 'house-data.seed'))
    const child = start()
    await allOnline()
    const exit = ended(child)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('runs the agents that work with a model only if one is configured, at a price with its cost', async () => {
    const child = start(undefined, {
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_MODEL: 'local',
      MODEL_INPUT_PRICE: '1.00',
      MODEL_OUTPUT_PRICE: '0',
    })
    const all = listAgentNames(true)
    const listed = await world.until('all agents online', async () => {
      const found = await online()
      return found.length === all.length && found
    })
    expect(listed.map(({ handle }) => handle).sort()).toEqual(all.map(builtinHandle).sort())
    const author = listed.find(({ handle }) => handle === 'house-author')
    // 0.10 USDC, and 32,000 tokens at one dollar a million.
    expect(author?.skills.map(({ price }) => price)).toEqual(Array(5).fill('132000'))
    expect(author?.policy.data_use).toContain('the language model local at 127.0.0.1:9')
    const planner = listed.find(({ handle }) => handle === 'house-principal')
    expect(planner?.skills[0]?.tags).toEqual(expect.arrayContaining(['model', 'hybrid']))
    const exit = ended(child)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    await world.until('nobody online', async () => (await online()).length === 0)

    const without = start()
    const again = await allOnline()
    expect(again.find(({ handle }) => handle === 'house-principal')?.skills[0]?.tags).not.toContain('model')
    without.kill('SIGTERM')
    await ended(without)
  })

  it('states which setting of the model is wrong', async () => {
    const child = start(undefined, { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', MODEL_INPUT_PRICE: 'cheap' })
    expect(await ended(child)).toBe(1)
    expect(output.join('')).toContain('MODEL_INPUT_PRICE: dollars as 0.40')
  })

  it('runs the gateway, which lists itself, opens its door, and leaves on command', async () => {
    const child = start('agents/builtin/run-gateway.ts')
    const gatewayUrl = () => /takes resources at (http:\S+)/.exec(output.join(''))?.[1]
    const address = await world
      .until('the gateway', async () => gatewayUrl())
      .catch((error) => {
        throw new Error(`${error}\n${output.join('')}`)
      })
    const [listing] = (await discoverListings(world.system, { online: true, skill_id: 'resources.find', limit: 10 })).listings
    expect(await (await fetch(`${address}/gateway`)).json()).toEqual({ v: 1, did: listing?.did, topics: [] })
    const exit = ended(child)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('gives the reason where the web refuses', async () => {
    const options = { webUrl: web.url, publicUrl: 'http://localhost:3999', chainId: world.chain.chainId, account: privateKeyToAccount(key) }
    await expect(signInAsPublisher(options)).rejects.toMatchObject({ name: 'WebRefused', code: 'auth.origin_refused' })
  })
})
