/** A market in which a program of an example is hired by a lead, works, is asked directly, and is paid. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Charter, charterHash, type Listing } from '@parley/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { discoverListings } from '../../server/registry/index.ts'
import { getChannel } from '../../server/settlement/index.ts'
import { getTeam, listSteps } from '../../server/teams/index.ts'
import { handleTrpcRequest } from '../../server/trpc/handle-request.ts'
import { type ChannelWorld, question, signedTerms } from '../server/settlement/channel-world.ts'
import { newTaskId, publishTestAgent, type TestAgent } from './goal-fixture.ts'
import { balanceOf } from './test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from './world.ts'

const price = '1000000'
const skill = {
  id: 'text.shout',
  name: 'Shout',
  description: 'Writes a text in capitals.',
  inputs: [{ name: 'text', type: 'query.text' }],
  outputs: [{ name: 'shout', type: 'text.shout' }],
  price,
}

/** A program to run: its command with arguments, in a folder. */
export type Program = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: Record<string, string>
}

export type ExampleMarket = {
  readonly world: TestWorld
  readonly webUrl: string
  /** Files that the web serves, by path. */
  readonly files: Map<string, { readonly type: string; readonly text: string }>
  /** Runs a program until it is disposed of; `printed` resolves with the first output that matches. */
  run(program: Program): RunningProgram
  /** The listing of the payout address, once its agent is online. */
  findOnline(payout: string): Promise<Listing>
  /** A goal with one step for the agent: hired, assigned, concluded, accepted, paid. */
  hireAndPay(listing: Listing, text: string): Promise<void>
  /** A direct call through a channel, answered with the text in capitals. */
  askDirectly(listing: Listing): Promise<void>
  /** Its agent is hired, does a step and a direct call, and prints its payment. `handle` null: the program publishes its listing. */
  isHiredAndPaid(program: Program, handle: string | null): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type RunningProgram = { printed(pattern: RegExp): Promise<string>; [Symbol.asyncDispose](): Promise<void> }

export async function createExampleMarket(): Promise<ExampleMarket> {
  const files: ExampleMarket['files'] = new Map()
  const web = createServer((request, response) => {
    const file = files.get(new URL(request.url ?? '', 'http://localhost').pathname)
    if (!file) return void answer(request, response, webUrl)
    response.writeHead(200, { 'content-type': file.type })
    response.end(file.text)
  })
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  const world = await createWorld({ env: { PUBLIC_URL: webUrl } })
  const client = await world.person()
  const lead = await publishTestAgent(world, client, 'lead', 'goal.plan', ['plan'])
  const children = new Set<ChildProcess>()
  const run = (program: Program) => runProgram(program, world.hubUrl, children)
  const place: Place = { world, client, lead, run }
  return {
    ...{ world, webUrl, files, run },
    findOnline: (payout) => online(place, payout),
    hireAndPay: (listing, text) => hireAndPay(place, listing, text),
    askDirectly: (listing) => askDirectly(place, listing),
    isHiredAndPaid: (program, handle) => isHiredAndPaid(place, program, handle),
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL')
      web.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

type Place = {
  readonly world: TestWorld
  readonly client: TestPerson
  readonly lead: TestAgent
  readonly run: (program: Program) => RunningProgram
}

/** The web, as far as a program asks of it. */
async function answer(request: IncomingMessage, response: ServerResponse, webUrl: string): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  const headers = { 'content-type': String(request.headers['content-type']) }
  const given = await handleTrpcRequest(new Request(`${webUrl}${request.url}`, { method: String(request.method), headers, body }))
  response.writeHead(given.status, Object.fromEntries(given.headers))
  response.end(Buffer.from(await given.arrayBuffer()))
}

function runProgram({ command, args, cwd, env }: Program, hubUrl: string, children: Set<ChildProcess>): RunningProgram {
  const child = spawn(command, args, { cwd, env: { ...process.env, PARLEY_URL: hubUrl, ...env } })
  children.add(child)
  let output = ''
  const looks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      for (const look of looks) look()
    })
  return {
    async printed(pattern) {
      const found = new Promise<string>((resolve) => {
        const look = () => {
          const [match] = pattern.exec(output) ?? []
          if (match) resolve(match)
        }
        looks.add(look)
        look()
      })
      const died = once(child, 'exit').then(([code]) =>
        Promise.reject(new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${output}`)),
      )
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
function online({ world, client }: Place, payout: string): Promise<Listing> {
  return world.until('the agent to be online', async () => {
    const { listings } = await discoverListings(client.ctx, { skill_id: skill.id, online: true, limit: 100 })
    return listings.find((listing) => listing.payout === payout)
  })
}

/** A goal with one step for the agent: hired, assigned, concluded, accepted, paid. */
async function hireAndPay({ world, client, lead }: Place, listing: Listing, text: string): Promise<void> {
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
async function askDirectly({ world, client }: Place, listing: Listing): Promise<void> {
  const key = privateKeyToAccount(generatePrivateKey())
  const balance = (address: string) => world.system.ports.rail.balanceOf(address as `0x${string}`)
  const agent = { agentId: listing.agent_id } as unknown as TestAgent
  const place: ChannelWorld = { world, client, publisher: client, agent, key, balance, [Symbol.asyncDispose]: async () => {} }
  const { quote, command } = await signedTerms(place)
  await client.send(command)
  await world.until('the channel to open', async () => (await getChannel(world.system, quote.channel_id)).state === 'open')
  const inputs = [{ port: 'text', type: 'query.text', data: { text: 'quietly' } }]
  const asked = await question(place, quote.channel_id, { amount: BigInt(listing.skills[0]?.price ?? price), skill_id: skill.id, inputs })
  await client.send(asked)
  const answered = await world.until('the call to be answered', async () => {
    const { call } = await client.send<{ call: { state: string; artifacts: { sha256: string }[] } }>({
      type: 'call.get',
      call_id: asked.call_id,
    })
    return call.state === 'answered' && call
  })
  const [artifact] = answered.artifacts
  const got = await client.send<{ file: { content: string } }>({ type: 'call.get', call_id: asked.call_id, sha256: artifact?.sha256 })
  expect(Buffer.from(got.file.content, 'base64').toString()).toBe('QUIETLY')
}

async function isHiredAndPaid(place: Place, program: Program, handle: string | null): Promise<void> {
  const { world, run } = place
  const owner = await world.person({ usdc: 0n })
  // As a wallet shows it; what pays out is in lower case.
  const shown = owner.account.address
  const payout = shown.toLowerCase()
  const listing = handle === null ? null : await world.publish(owner, { handle, skills: [skill] as never })
  const identity: Record<string, string> = listing ? { PARLEY_TOKEN: listing.token } : { PARLEY_PAYOUT: shown }
  await using running = run({ ...program, env: { ...program.env, ...identity } })
  const died = running.printed(paid)
  died.catch(() => {})
  const asked = online(place, payout).then(async (found) => {
    await hireAndPay(place, found, 'hello, "world"')
    await askDirectly(place, found)
  })
  // The payment is printed before the direct call has ended.
  await Promise.race([asked, died.then(() => asked)])
  expect(await running.printed(paid)).toMatch(paid)
  expect(await balanceOf(world.chain, payout as `0x${string}`)).toBe(BigInt(price))
}
