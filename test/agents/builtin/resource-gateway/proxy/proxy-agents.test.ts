import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type DeliveredEnvelope, randomSeed, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listingDraftOf } from '../../../../../agents/builtin/listings.ts'
import { startPlanner } from '../../../../../agents/builtin/planner/start-planner.ts'
import { deterministicStrategy } from '../../../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { createResourceFinder } from '../../../../../agents/builtin/resource-gateway/discovery/resource-finder.ts'
import { gatewayListing } from '../../../../../agents/builtin/resource-gateway/gateway-listing.ts'
import type { AgentSession } from '../../../../../agents/src/index.ts'
import { readStoredMessages } from '../../../../../server/delivery/index.ts'
import { getListing } from '../../../../../server/registry/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../../support/world.ts'
import { type GatewayFixture, openGatewayFixture, shoutSkill } from '../resources.ts'

let world: TestWorld
let fixture: GatewayFixture
let home: string
let operator: TestPerson
let principal: AgentSession
let child: ChildProcess | undefined
let output = ''
const seed = randomSeed()
const errors: unknown[] = []
const warn = (error: unknown) => void errors.push(error)

beforeAll(async () => {
  world = await createWorld()
  fixture = await openGatewayFixture()
  home = await mkdtemp(path.join(tmpdir(), 'proxies-'))
  operator = await world.person({ usdc: 0n })
  const owner = await world.person({ usdc: 0n })
  const { token } = await world.publish(owner, listingDraftOf('principal', owner.account.address))
  principal = await startPlanner(() => deterministicStrategy, { url: world.hubUrl, seed: randomSeed(), token, warn })
  const gateway = await world.publish(owner, { ...gatewayListing(owner.account.address), handle: 'near-gateway' })
  output = gateway.token
})
afterAll(async () => {
  principal?.close()
  child?.kill('SIGKILL')
  await fixture?.close()
  await rm(home, { recursive: true, force: true })
  await world?.[Symbol.asyncDispose]()
})

const file = () => path.join(home, 'pool.json')

/** Starts the gateway as a separate process; resolves to its address. */
async function start(): Promise<string> {
  const script = path.join(import.meta.dirname, '../gateway-process-main.ts')
  const env = {
    ...process.env,
    HUB_URL: world.hubUrl,
    GATEWAY_SEED: seed,
    GATEWAY_TOKEN: output,
    GATEWAY_ORIGIN: fixture.origin,
    GATEWAY_FILE: file(),
  }
  const started = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  child = started
  return new Promise((resolve, reject) => {
    started.stdout?.once('data', (line) => resolve(String(line).trim()))
    started.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)))
  })
}

async function kill(): Promise<void> {
  const ended = new Promise((resolve) => child?.once('exit', resolve))
  child?.kill('SIGKILL')
  await ended
}

// Two processes are started and a whole goal is run.
describe('a proxy', { timeout: 900_000 }, () => {
  it('comes back with its gateway after that one was killed, asked for by no one, and delivers every output of its skill', async () => {
    const port = (name: string, type: string) => ({ name, type, description: '', optional: false })
    const outputs = [port('head', 'text.head'), port('rest', 'list.rest')]
    const skill = {
      ...shoutSkill,
      id: 'text.behead',
      name: 'Behead',
      tags: ['behead'],
      outputs,
      price: '150000',
      samples: [{ title: 'Two', input: { text: 'a b' }, output: '' }],
    }
    const made = await fixture.make(
      (input) => {
        const text = typeof input === 'object' && input !== null && !Array.isArray(input) ? input.text : undefined
        if (typeof text !== 'string') return { refuse: 'Give a text.' }
        const [head = '', ...rest] = text.split(' ')
        return JSON.stringify({ head, rest })
      },
      { operator: operator.did as `did:pkh:eip155:1:0x`, skills: [skill] },
    )
    const at = await start()
    const post = async (way: string, body: object) =>
      (await fetch(`${at}/${way}`, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<{ ticket: string; error?: string }>
    const { ticket } = await post('ticket', { resource: made.card.resource })
    expect((await post('register', { card: made.card, ticket })).error).toBeUndefined()
    const finder = createResourceFinder({
      ...{
        signer: await signerFromSeed(randomSeed()),
        gateways: [{ did: (await signerFromSeed(seed)).did, at }],
        local: () => [],
        now: Date.now,
      },
      ...{ bounds: { ms: 20_000, bytes: 262_144 }, policy: { allowed: new Set([at]) } },
    })
    const hired = await finder.openFirst({ output_type: 'text.head', limit: 1 }, () => true)
    const id = hired?.agent_id ?? ''
    const presence = async () => (await getListing(world.system, id)).presence
    expect(await presence()).toBe('online')
    await world.until('the gateway to have kept what it stands for', async () =>
      (await Promise.all([file(), `${file()}.proxies`].map((one) => readFile(one, 'utf8').catch(() => '')))).every((text) =>
        text.includes(made.card.resource),
      ),
    )
    await kill()
    await world.until('the proxy to be gone', async () => (await presence()) === 'offline')
    await start()
    await world.until('the proxy to be back', async () => (await presence()) === 'online')
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: 'Behead this text: "one two three"' })
    await world.until('the delivery', async () => (await world.goal(goal.id)).state === 'review')
    const log = await readStoredMessages(world.system, { roomId: goal.roomId, after: 0, limit: 1_000 })
    const messages = log.map((one) => JSON.parse(one.body) as DeliveredEnvelope)
    const files = messages.flatMap(({ type, parts }) => (type === 'task_result' ? parts.flatMap(({ artifact }) => artifact ?? []) : []))
    expect(files.map(({ name, artifact_type }) => [name, artifact_type])).toEqual(
      expect.arrayContaining([
        ['head.txt', 'text.head'],
        ['rest.json', 'list.rest'],
      ]),
    )
    expect(errors).toEqual([])
  })
})
