import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { type Charter, charterHash, type Listing } from '@parley/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { discoverListings } from '../../server/registry/index.ts'
import { getChannel } from '../../server/settlement/index.ts'
import { getTeam, listSteps } from '../../server/teams/index.ts'
import { handleTrpcRequest } from '../../server/trpc/handle-request.ts'
import { type ChannelWorld, question, signedTerms } from '../server/settlement/channel-world.ts'
import { newTaskId, publishTestAgent, type TestAgent } from '../support/goal-fixture.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

const folder = path.join(import.meta.dirname, '../../agents/examples')
const price = '1000000'
const skill = {
  id: 'text.shout',
  name: 'Shout',
  description: 'Writes a text in capitals.',
  inputs: [{ name: 'text', type: 'query.text' }],
  outputs: [{ name: 'shout', type: 'text.shout' }],
  price,
}

let world: TestWorld
/** The web, as far as a program asks of it. */
let webUrl: string
const web = createServer((request, response) => {
  void answer(request, response)
})
let client: TestPerson
let lead: TestAgent
const children = new Set<ChildProcess>()

beforeAll(async () => {
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  world = await createWorld({ env: { PUBLIC_URL: webUrl } })
  client = await world.person()
  lead = await publishTestAgent(world, client, 'lead', 'goal.plan', ['plan'])
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  web.close()
  await world?.[Symbol.asyncDispose]()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  const headers = { 'content-type': String(request.headers['content-type']) }
  const given = await handleTrpcRequest(new Request(`${webUrl}${request.url}`, { method: String(request.method), headers, body }))
  response.writeHead(given.status, Object.fromEntries(given.headers))
  response.end(Buffer.from(await given.arrayBuffer()))
}

/** Runs an example until the test ends; `printed` resolves with the first output that matches. */
function run(command: string, file: string, env: Record<string, string>) {
  const PYTHONPATH = path.join(folder, '../python')
  const child = spawn(command, [path.join(folder, file)], { env: { ...process.env, PARLEY_URL: world.hubUrl, PYTHONPATH, ...env } })
  children.add(child)
  let output = ''
  const looks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      for (const look of looks) look()
    })
  return {
    async printed(pattern: RegExp): Promise<string> {
      const found = new Promise<string>((resolve) => {
        const look = () => {
          const [match] = pattern.exec(output) ?? []
          if (match) resolve(match)
        }
        looks.add(look)
        look()
      })
      const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}:\n${output}`)))
      return Promise.race([found, died])
    },
    async [Symbol.asyncDispose]() {
      child.removeAllListeners('exit')
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'close')
      }
      children.delete(child)
    },
  }
}

/** The listing of the payout address, once its agent is there. */
function online(payout: string): Promise<Listing> {
  return world.until('the agent to be online', async () => {
    const { listings } = await discoverListings(client.ctx, { skill_id: skill.id, online: true, limit: 100 })
    return listings.find((listing) => listing.payout === payout)
  })
}

/** A goal with one step for the agent: hired, assigned, concluded, accepted, paid. */
async function hireAndPay(listing: Listing, text: string): Promise<void> {
  const goal = await world.postFundedGoal(client, { text: `Shout this text: "${text}"` })
  await lead.send({ type: 'goal.claim', goal_id: goal.id })
  const { market } = world.world
  const charter: Charter = {
    v: '1',
    goal_id: goal.id as never,
    room_id: goal.roomId as never,
    version: 1,
    client_id: client.did as never,
    principal_id: lead.did as never,
    evaluator_id: market.evaluator,
    asset: goal.asset,
    total: goal.budget.toString(),
    fee_bps: market.feeBps,
    on_review_timeout: 'pay_if_delivered',
    steps: [
      {
        step: 1,
        title: 'Shout it',
        skill_id: skill.id,
        agent_id: listing.agent_id,
        sender_id: listing.did,
        payee: listing.payout,
        amount: price,
        mode: 'sync',
        depends_on: [],
        inputs: [{ port: 'text', type: 'query.text', data: { text } }],
        outputs: ['text.shout'],
      },
    ],
  }
  await lead.send({ type: 'team.propose', goal_id: goal.id, charter })
  const hash = await charterHash(charter)
  await world.until('the agent to sign', async () => {
    const team = await getTeam(world.system, goal.id)
    return team.charterHash === hash && team.members.every((member) => member.answer === 'accepted')
  })
  await lead.send({ type: 'team.seal', goal_id: goal.id })
  await world.until('the charter on chain', async () => (await getTeam(world.system, goal.id)).recordedAt)
  const task_id = newTaskId()
  const inputs = [{ port: 'text', type: 'query.text', data: { text } }]
  await lead.send({ type: 'task.assign', goal_id: goal.id, task_id, step: 1, inputs })
  await world.until('the step to be done', async () => (await listSteps(world.system, goal.id))[0]?.state === 'done')
  const [artifact] = await world.system.db.artifact.findMany({ where: { taskId: task_id } })
  const got = await client.send<{ content: string }>({ type: 'artifact.get', room_id: goal.roomId, sha256: artifact?.sha256 })
  expect(Buffer.from(got.content, 'base64').toString()).toBe(text.toUpperCase())
  await lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome: 'delivered', parts: [{ text: 'There it is.' }] })
  await client.send({ type: 'task.accept', goal_id: goal.id })
  await world.until('the goal to be paid', async () => (await world.goal(goal.id)).state === 'paid')
}

const paid = /paid 1000000 in 0x[0-9a-f]{64}/

/** A direct call through a channel, answered with the text in capitals. */
async function askDirectly(listing: Listing): Promise<void> {
  const key = privateKeyToAccount(generatePrivateKey())
  const balance = (address: string) => world.system.ports.rail.balanceOf(address as `0x${string}`)
  const agent = { agentId: listing.agent_id } as unknown as TestAgent
  const place: ChannelWorld = { world, client, publisher: client, agent, key, balance, [Symbol.asyncDispose]: async () => {} }
  const { quote, command } = await signedTerms(place)
  await client.send(command)
  await world.until('the channel to open', async () => (await getChannel(world.system, quote.channel_id)).state === 'open')
  const inputs = [{ port: 'text', type: 'query.text', data: { text: 'quietly' } }]
  const asked = await question(place, quote.channel_id, { amount: BigInt(price), skill_id: skill.id, inputs })
  await client.send(asked)
  const answered = await world.until('the call to be answered', async () => {
    const { call } = await client.send<{ call: { state: string; artifacts: { sha256: string }[] } }>({
      type: 'call.get',
      call_id: asked.call_id,
    })
    return call.state === 'answered' && call
  })
  const [artifact] = answered.artifacts
  const got = await client.send<{ file: string }>({ type: 'call.get', call_id: asked.call_id, sha256: artifact?.sha256 })
  expect(Buffer.from(got.file, 'base64').toString()).toBe('QUIETLY')
}

async function isHiredAndPaid(command: string, file: string, handle: string | null): Promise<void> {
  const owner = await world.person({ usdc: 0n })
  // As a wallet shows it; what pays out is in lower case.
  const shown = owner.account.address
  const payout = shown.toLowerCase()
  const listing = handle === null ? null : await world.publish(owner, { handle, skills: [skill] as never })
  await using program = run(command, file, listing ? { PARLEY_TOKEN: listing.token } : { PARLEY_PAYOUT: shown })
  const died = program.printed(paid)
  died.catch(() => {})
  const asked = online(payout).then(async (found) => {
    await hireAndPay(found, 'hello, "world"')
    await askDirectly(found)
  })
  await Promise.race([asked, died])
  expect(await program.printed(paid)).toMatch(paid)
  expect(await balanceOf(world.chain, payout as `0x${string}`)).toBe(BigInt(price))
}

const lines = (file: string, comment: RegExp) =>
  readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !comment.test(line.trim())).length

/** The first Python that has what the example needs. */
const python = ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', 'import websockets, cryptography']).status === 0)
const hasCurl = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0)
if (!python)
  console.warn('quickstart.py was NOT tested: no python3 with websockets and cryptography (apt: python3-websockets python3-cryptography).')
if (!hasCurl) console.warn('quickstart.sh was NOT tested: curl or jq is missing.')

describe('quickstart.ts', () => {
  it('is hired and paid in at most 15 lines', async () => {
    expect(lines('quickstart.ts', /^\/\//)).toBeLessThanOrEqual(15)
    await isHiredAndPaid(process.execPath, 'quickstart.ts', 'shouter-ts')
  }, 900_000)
})

describe('quickstart.py', () => {
  it.skipIf(!python)(
    'is hired and paid in at most 15 lines, direct calls among them (skipped where Python lacks websockets and cryptography)',
    async () => {
      expect(lines('quickstart.py', /^#/)).toBeLessThanOrEqual(15)
      const code = readFileSync(path.join(folder, 'quickstart.py'), 'utf8')
      expect(Math.max(...code.split('\n').map((line) => line.length))).toBeLessThanOrEqual(88)
      await isHiredAndPaid(python ?? '', 'quickstart.py', 'shouter-py')
    },
    60_000,
  )
})

describe('quickstart.sh', () => {
  it.skipIf(!hasCurl)(
    'registers, is hired and paid (skipped where curl or jq is missing)',
    async () => {
      await isHiredAndPaid('sh', 'quickstart.sh', null)
    },
    60_000,
  )

  it.skipIf(!hasCurl).each([
    ['an address that is none', { PARLEY_PAYOUT: '0x12' }, 'request.malformed'],
    ['no token and no address', { PARLEY_PAYOUT: '' }, 'Set PARLEY_TOKEN, or PARLEY_PAYOUT'],
    ['a token that stands for nobody', { PARLEY_TOKEN: 'parley_nothing' }, 'auth.required'],
  ])('ends with what the server says of %s', async (_, env, code) => {
    const child = spawn('sh', [path.join(folder, 'quickstart.sh')], { env: { ...process.env, PARLEY_URL: world.hubUrl, ...env } })
    children.add(child)
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(output).toContain(code)
  })
})

describe('sign-in.ts', () => {
  it('gives a token with which a program acts for the wallet', async () => {
    const env = { PARLEY_HUB: world.hubUrl, WALLET_KEY: generatePrivateKey(), SCOPES: 'goals,calls' }
    await using program = run(process.execPath, 'sign-in.ts', env)
    const token = (await program.printed(/^\S{20,}$/m)).trim()
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_memory', arguments: {} } }
    const headers = { authorization: `Bearer ${token}` }
    const answer = await (await fetch(`${world.hubUrl}/v1/mcp`, { method: 'POST', headers, body: JSON.stringify(call) })).json()
    expect(answer).toMatchObject({ result: { isError: false, structuredContent: { notes: [] } } })
  })
})
