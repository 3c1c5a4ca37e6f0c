// The Python library agents/python: its own unit tests, and Python agents that a real hub hires, kills, calls and pays.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { type ArtifactRef, type Charter, type CharterStep, charterHash, type Listing } from '@parley/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Goal } from '../../server/goals/index.ts'
import { getListing } from '../../server/registry/index.ts'
import { getTeam, listSteps } from '../../server/teams/index.ts'
import { newTaskId, publishTestAgent, type TestAgent } from '../support/goal-fixture.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

const library = path.join(import.meta.dirname, '../../agents/python')
const program = path.join(import.meta.dirname, 'python-sdk-agent.py')
/** The first Python that has what the library needs. */
const python = ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', 'import websockets, cryptography']).status === 0)
if (!python)
  console.warn('agents/python was NOT tested: no python3 with websockets and cryptography (apt: python3-websockets python3-cryptography).')

const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-python-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!python)('agents/python (skipped where Python lacks websockets and cryptography)', () => {
  it('passes its unit tests', () => {
    const { status, stderr } = spawnSync(python ?? '', ['-m', 'unittest'], { cwd: library, encoding: 'utf8', timeout: 500_000 })
    expect(stderr).toMatch(/\nRan \d+ tests in /)
    expect(Number(/\nRan (\d+) tests in /.exec(stderr)?.[1])).toBeGreaterThan(80)
    expect(status, stderr).toBe(0)
  })
})

const price = '1000000'
const skills = [
  { id: 'text.shout', inputs: ['query.text'], outputs: ['text.shout'] },
  { id: 'text.slow', inputs: ['query.text'], outputs: ['text.shout'] },
  { id: 'picture.copy', inputs: ['image.png'], outputs: ['image.png'] },
  { id: 'report.write', inputs: ['query.text'], outputs: ['report.text'] },
].map(({ id, inputs, outputs }) => ({
  id,
  name: id,
  description: `Does ${id}.`,
  price: id === 'text.shout' ? '400000' : price,
  inputs: inputs.map((type) => ({ name: type === 'image.png' ? 'picture' : 'text', type })),
  outputs: outputs.map((type) => ({ name: 'out', type })),
}))
const shout = { ...skills[0], price }

describe.skipIf(!python)('a Python agent (skipped where Python lacks websockets and cryptography)', () => {
  let world: TestWorld
  let client: TestPerson
  let lead: TestAgent
  const children = new Set<ChildProcess>()

  beforeAll(async () => {
    world = await createWorld()
    client = await world.person()
    lead = await publishTestAgent(world, client, 'lead', 'goal.plan', ['plan'])
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await world?.[Symbol.asyncDispose]()
  })

  /** Runs the program. `printed` resolves with the first output that matches, `kill` when the process has ended. */
  function run(handle: string, env: Record<string, string> = {}) {
    const own = { PARLEY_URL: world.hubUrl, PARLEY_SEED: path.join(folder, `${handle}.seed`), PYTHONPATH: library }
    const child = spawn(python ?? '', [program], { env: { ...process.env, ...own, ...env } })
    children.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    return {
      async printed(pattern: RegExp): Promise<string> {
        return world.until(`${handle} to print ${pattern}`, async () => {
          if (child.exitCode !== null) throw new Error(`${handle} ended with ${child.exitCode}:\n${output}`)
          return pattern.exec(output)?.[0]
        })
      },
      async kill(signal: NodeJS.Signals) {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill(signal)
          await once(child, 'close')
        }
        children.delete(child)
        return { code: child.exitCode, output }
      },
    }
  }

  /** Publishes a listing with all skills, or with one, and runs its agent until it is online. */
  async function online(handle: string, own = skills as object[], env: Record<string, string> = {}) {
    const owner = await world.person({ usdc: 0n })
    const { agent_id, token } = await world.publish(owner, { handle, skills: own as never })
    const agent = run(handle, { PARLEY_TOKEN: token, ...env })
    await agent.printed(/ is online as did:key:/)
    const listing = await world.until('the listing to be online', async () => {
      const found = await getListing(owner.ctx, agent_id)
      return found.presence === 'online' && found
    })
    return { agent, listing, token, payout: owner.account.address.toLowerCase() as `0x${string}` }
  }

  type Work = {
    readonly skillId: string
    readonly inputs: readonly object[]
    readonly outputs: readonly string[]
    readonly amount?: string
  }

  /** A sealed charter with one step for the agent. */
  async function hire(goal: Goal, listing: Listing, { skillId, inputs, outputs, amount = price }: Work): Promise<void> {
    await lead.send({ type: 'goal.claim', goal_id: goal.id })
    const { market } = world.world
    const step = { step: 1, title: 'Do it', skill_id: skillId, agent_id: listing.agent_id, sender_id: listing.did, payee: listing.payout }
    const charter = {
      ...{ v: '1', goal_id: goal.id, room_id: goal.roomId, version: 1, client_id: client.did, principal_id: lead.did },
      ...{ evaluator_id: market.evaluator, asset: goal.asset, total: goal.budget.toString(), fee_bps: market.feeBps },
      on_review_timeout: 'pay_if_delivered',
      steps: [{ ...step, amount, mode: 'sync', depends_on: [], inputs, outputs }],
    } as unknown as Charter
    await lead.send({ type: 'team.propose', goal_id: goal.id, charter })
    const hash = await charterHash(charter)
    await world.until('the agent to accept', async () => {
      const team = await getTeam(world.system, goal.id)
      const declined = team.members.find((member) => member.answer === 'declined')
      if (declined) throw new Error('The agent declined.')
      return team.charterHash === hash && team.members.every((member) => member.answer === 'accepted')
    })
    await lead.send({ type: 'team.seal', goal_id: goal.id })
    await world.until('the charter on chain', async () => (await getTeam(world.system, goal.id)).recordedAt)
  }

  async function assign(goal: Goal, inputs: readonly object[]): Promise<string> {
    const task_id = newTaskId()
    await lead.send({ type: 'task.assign', goal_id: goal.id, task_id, step: 1, inputs })
    return task_id
  }

  const done = (goal: Goal) => world.until('the step to be done', async () => (await listSteps(world.system, goal.id))[0]?.state === 'done')

  /** The first file of a task, as the client downloads it. */
  async function fileOf(goal: Goal, taskId: string): Promise<{ ref: ArtifactRef; bytes: Buffer }> {
    const row = await world.system.db.artifact.findFirstOrThrow({ where: { taskId } })
    const got = await client.send<{ artifact: ArtifactRef; content: string }>({
      type: 'artifact.get',
      room_id: goal.roomId,
      sha256: row.sha256,
    })
    return { ref: got.artifact, bytes: Buffer.from(got.content, 'base64') }
  }

  async function accept(goal: Goal): Promise<void> {
    await lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome: 'delivered', parts: [{ text: 'There it is.' }] })
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await world.until('the goal to be paid', async () => (await world.goal(goal.id)).state === 'paid')
  }

  const value = (text: string) => ({ port: 'text', type: 'query.text', data: { text } })
  const textWork = (skillId: string, text: string, outputs = ['text.shout']): Work => ({ skillId, inputs: [value(text)], outputs })

  it('is hired by a team, does its task and is paid', async () => {
    const { agent, listing, payout } = await online('py-paid')
    const goal = await world.postFundedGoal(client, { text: 'Shout the text "grüß dich, 😀".' })
    await hire(goal, listing, textWork('text.shout', 'grüß dich, 😀'))
    const taskId = await assign(goal, [value('grüß dich, 😀')])
    await done(goal)
    expect((await fileOf(goal, taskId)).bytes.toString()).toBe('GRÜSS DICH, 😀')
    await accept(goal)
    await agent.printed(/paid 1000000 in 0x[0-9a-f]{64}/)
    expect(await balanceOf(world.chain, payout)).toBe(BigInt(price))
    await agent.kill('SIGKILL')
  })

  it('completes its task after a SIGKILL, with the same key and without the token', async () => {
    const gate = path.join(folder, 'gate')
    const { agent, listing } = await online('py-killed', skills, { PARLEY_GATE: gate })
    const goal = await world.postFundedGoal(client, { text: 'Shout the text "slowly".' })
    await hire(goal, listing, textWork('text.slow', 'slowly'))
    const taskId = await assign(goal, [value('slowly')])
    await agent.printed(new RegExp(`working on ${taskId}`))
    await agent.kill('SIGKILL')
    const again = run('py-killed', { PARLEY_GATE: gate })
    await again.printed(new RegExp(`is online as ${listing.did}`))
    await again.printed(new RegExp(`working on ${taskId}`))
    writeFileSync(gate, '')
    await done(goal)
    expect((await fileOf(goal, taskId)).bytes.toString()).toBe('SLOWLY')
    expect(readFileSync(path.join(folder, 'py-killed.seed'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    await again.kill('SIGKILL')
  })

  it('receives a file and returns a file with the same hash', async () => {
    const { agent, listing } = await online('py-files')
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(100_000)])
    const upload = { name: 'picture.png', media_type: 'image/png', artifact_type: 'image.png', content: png.toString('base64') }
    const goal = await world.postFundedGoal(client, { text: 'Copy the picture, as it is.', attachments: [upload] })
    const sha256 = createHash('sha256').update(png).digest('hex')
    const port = { port: 'picture', type: 'image.png' }
    await hire(goal, listing, { skillId: 'picture.copy', inputs: [{ ...port, attachment: sha256 }], outputs: ['image.png'] })
    const artifact = { sha256, name: 'picture.png', media_type: 'image/png', size: png.length, artifact_type: 'image.png' }
    const taskId = await assign(goal, [{ ...port, artifact }])
    await done(goal)
    const { ref, bytes } = await fileOf(goal, taskId)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    expect(ref).toMatchObject({ sha256, name: 'copy-of-picture.png', media_type: 'image/png' })
    await agent.kill('SIGKILL')
  })

  it('leads a sub-team: hires another agent for a part, and delivers its result', async () => {
    const writer = await online('py-writer')
    const member = await online('py-member', [{ ...shout, price: '400000' }])
    const goal = await world.postFundedGoal(client, { text: 'Write a report about "figures".' })
    await hire(goal, writer.listing, textWork('report.write', 'figures', ['report.text']))
    const taskId = await assign(goal, [value('figures')])
    await done(goal)
    expect((await fileOf(goal, taskId)).bytes.toString()).toBe('400000 for FIGURES')
    const { charter } = await getTeam(world.system, goal.id)
    const [own, hired] = charter.steps as [CharterStep, CharterStep]
    expect([own.amount, hired.amount, hired.parent]).toEqual(['600000', '400000', 1])
    // The cheapest agent online; the writer cannot hire itself.
    expect(hired.sender_id).not.toBe(writer.listing.did)
    await accept(goal)
    expect(await balanceOf(world.chain, writer.payout)).toBe(600_000n)
    expect(await balanceOf(world.chain, member.payout)).toBe(400_000n)
    for (const one of [writer, member]) await one.agent.kill('SIGKILL')
  })

  it('answers direct calls and makes them through a payment channel, one Python agent to another', async () => {
    const asked = await online('py-asked', [shout])
    const owner = await world.person()
    const keys = [owner.account, privateKeyToAccount(generatePrivateKey())]
    await using wallet = await openWallet(keys)
    const { token } = await world.publish(owner, { handle: 'py-asker', skills: [{ ...shout, id: 'text.ask' }] as never })
    const [payer, authorizer] = keys.map((key) => key.address)
    const env = { PARLEY_ASK: asked.listing.agent_id, PARLEY_PAYER: payer ?? '', PARLEY_AUTHORIZER: authorizer ?? '' }
    const asker = run('py-asker', { PARLEY_TOKEN: token, PARLEY_WALLET_URL: wallet.url, ...env })
    await asker.printed(/asked: answered HELLO spent 1000000/)
    await asker.printed(/asked: declined I do not shout that\. spent 1000000/)
    await asker.printed(/asked: answered AGAIN spent 2000000/)
    await asker.printed(/closed/)
    await world.until('the publisher to have its pay', async () => (await balanceOf(world.chain, asked.payout)) === 2_000_000n)
    await asked.agent.printed(/Call cal_[0-9a-f]{32} failed\.[\s\S]*ValueError: I do not shout that\./)
    for (const one of [asked.agent, asker]) await one.kill('SIGKILL')
  })
})

/** Signs EIP-712 data over HTTP for a program without an Ethereum library. */
async function openWallet(keys: readonly PrivateKeyAccount[]): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { address, typedData } = JSON.parse(body) as { address: string; typedData: never }
    const key = keys.find((one) => one.address === address)
    response.end(await key?.signTypedData(typedData))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}
