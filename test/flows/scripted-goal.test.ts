import { randomBytes } from 'node:crypto'
import { type AgentSession, agent, connect, newMessageId } from '@parley/agents'
import { signerFromSeed } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { listPayouts, reconcile } from '../../server/settlement/index.ts'
import { startCollector } from '../support/otlp-collector.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld } from '../support/world.ts'

const price = '2000000'
const skill = (id: string, outputs: string[]) => ({
  id,
  name: id,
  description: `Does ${id}.`,
  inputs: [],
  outputs: outputs.map((type, index) => ({ name: `out_${index}`, type })),
  price,
})

/** The shortest principal there is: one step for one worker. */
async function leadGoal(
  lead: AgentSession,
  worker: { agent_id: string; did: string; payout: string },
  offer: Awaited<ReturnType<AgentSession['claimGoal']>>['offer'],
): Promise<void> {
  await lead.proposeTeam({
    goal_id: offer.goal_id,
    charter: {
      v: '1',
      goal_id: offer.goal_id,
      room_id: offer.room_id,
      version: 1,
      client_id: offer.client_id,
      principal_id: lead.did,
      evaluator_id: offer.evaluator_id,
      asset: offer.asset,
      total: offer.total,
      fee_bps: offer.fee_bps,
      on_review_timeout: 'pay_if_delivered',
      plan: offer.plan,
      steps: [
        {
          step: 1,
          title: 'Echo',
          skill_id: 'text.echo',
          agent_id: worker.agent_id,
          sender_id: worker.did,
          payee: worker.payout,
          amount: price,
          mode: 'sync',
          depends_on: [],
          inputs: [],
          outputs: ['text.plain'],
        },
      ],
    } as never,
  })
}

describe('a goal with a scripted team', () => {
  it('goes from funded to paid, once', async () => {
    await using collector = await startCollector()
    await using world = await createWorld({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    const traceId = randomBytes(16).toString('hex')
    const client = await world.person({ traceparent: `00-${traceId}-${'1'.repeat(16)}-01` })
    const publisher = await world.person({ usdc: 0n })
    const planner = await world.publish(publisher, { handle: 'planner', skills: [skill('goal.plan', ['plan'])] as never })
    const echo = await world.publish(publisher, { handle: 'echo', skills: [skill('text.echo', ['text.plain'])] as never })
    const seed = 'a'.repeat(64)
    const payee = publisher.account
    const worker = await agent({
      url: world.hubUrl,
      token: echo.token,
      seed,
      payoutSigner: payee,
      skills: { 'text.echo': async () => 'echo' },
    })
    const payouts: string[] = []
    worker.on('payout', (payout) => void payouts.push(payout.amount))
    const lead = await connect({ url: world.hubUrl, token: planner.token, signer: await signerFromSeed('b'.repeat(64)) })
    const payout = publisher.account.address.toLowerCase()
    lead.on('offer', async ({ offer }) => {
      const claimed = await lead.claimGoal(offer.goal_id)
      await leadGoal(lead, { agent_id: echo.agent_id, did: worker.did, payout }, claimed.offer)
    })
    lead.on('message', async ({ envelope, kind }) => {
      const goal_id = (
        await world.world.contextFor({ kind: 'system', name: 'jobs' }).db.goal.findUnique({ where: { roomId: envelope.room_id } })
      )?.id as never
      if (envelope.type === 'accept') await lead.sealTeam({ goal_id, room_id: envelope.room_id })
      if (kind === 'charter.recorded')
        await lead.assignTask({
          goal_id,
          room_id: envelope.room_id,
          task_id: `tsk_${newMessageId().replaceAll('-', '')}`,
          step: 1,
        } as never)
      if (envelope.type === 'task_result')
        await lead.concludeGoal({ goal_id, room_id: envelope.room_id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    })

    const goal = await world.postFundedGoal(client, { text: 'Echo something for me, please.' })
    await world.until('the review', async () => (await world.goal(goal.id)).state === 'review')
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')

    expect(await balanceOf(world.chain, payout as `0x${string}`)).toBe(2_000_000n)
    expect(await balanceOf(world.chain, client.account.address)).toBe(1_000_000_000n - 2_000_000n - 50_000n)
    expect((await listPayouts(world.system, { goalId: goal.id })).map((one) => one.state)).toEqual(['paid'])
    await world.until('the notice', async () => payouts.length > 0)
    expect(payouts).toEqual(['2000000'])
    const books = await reconcile(world.system)
    expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
    worker.close()
    lead.close()

    // One trace from the client's first word to the settlement, over every process and queue between.
    const wanted = [
      ...['goal.post', 'hold.authorize', 'chain fund', 'chain log', 'hold.authorized', 'socket goal.claim', 'team.propose', 'team.accept'],
      ...['team.authorize', 'task.assign', 'job handle-event', 'task.complete', 'goal.conclude', 'task.accept'],
      ...['hold.capturing', 'chain settle', 'hold.captured'],
    ]
    const inTrace = () => collector.spans.filter((span) => span.traceId === traceId)
    await world.until('the spans', async () => wanted.every((name) => inTrace().some((span) => span.name === name))).catch(() => null)
    const spans = inTrace()
    expect(wanted.filter((name) => !spans.some((span) => span.name === name))).toEqual([])
    const known = new Set(['1'.repeat(16), ...spans.map((span) => span.spanId)])
    expect(spans.filter((span) => !known.has(span.parentSpanId ?? '')).map((span) => span.name)).toEqual([])
  })
})
