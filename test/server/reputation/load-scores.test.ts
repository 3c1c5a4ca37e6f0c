import { scoreOf } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { loadScores, recordTaskOutcome } from '../../../server/reputation/index.ts'
import { priorWeight, startPrior } from '../../../server/reputation/load-scores.ts'
import { openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()
let tasks = 0

async function judged(agentId: string, by: string, value: number) {
  const task = { taskId: `tsk_${++tasks}`, goalId: 'gol_1', agentId, amount: 1n }
  await recordTaskOutcome(world.as(system), { ...task, payerId: by, asset: 'iso4217:USD', outcome: 'paid' })
  await world.db.feedbackInvite.create({ data: { ...task, by, invitedAt: world.clock.now() } })
  await world.db.feedback.create({ data: { id: world.ctx.ids.next('fbk'), ...task, by, value, text: '', givenAt: world.clock.now() } })
}
/** The market's mean as the formula's own words have it: judges' means of each agent, and 20 times 70. */
async function prior(): Promise<number> {
  const rows = await world.db.feedback.findMany()
  const means = new Map<string, number[]>()
  for (const { agentId, by, value } of rows) means.set(`${agentId} ${by}`, [...(means.get(`${agentId} ${by}`) ?? []), value])
  const each = [...means.values()].map((values) => values.reduce((a, b) => a + b, 0) / values.length)
  return (each.reduce((a, b) => a + b, 0) + 20 * startPrior) / (each.length + 20)
}
async function scoreIn(agentId: string) {
  // The market's mean is kept for a minute.
  world.clock.advance(60_000)
  return (await loadScores(world.ctx, [agentId])).get(agentId)
}

describe('loadScores', () => {
  it('thinks of an agent no one has judged as of the market', async () => {
    expect(await scoreIn('agt_new')).toEqual({ n: 0, mean: null, score: startPrior, paid_steps: 0, payers: 0, failed_steps: 0 })
  })

  it('agrees with the formula of the protocol', async () => {
    const values: [string, number][] = [
      ['did:a', 100],
      ['did:b', 40],
      ['did:b', 60],
      ['did:c', 77],
    ]
    for (const [by, value] of values) await judged('agt_formula', by, value)
    const expected = scoreOf(
      values.map(([by, value]) => ({ by, value, weight: 1n })),
      await prior(),
      priorWeight,
    )
    expect(await scoreIn('agt_formula')).toMatchObject({
      n: expected.n,
      mean: expected.mean,
      score: Math.round(expected.score * 100) / 100,
    })
  })

  it('lets one judge count once, however often it speaks', async () => {
    for (let i = 0; i < 30; i++) await judged('agt_loud', 'did:loud', 100)
    await judged('agt_quiet', 'did:quiet', 100)
    const [loud, quiet] = [await scoreIn('agt_loud'), await scoreIn('agt_quiet')]
    expect(loud?.n).toBe(30)
    expect(loud?.score).toBe(quiet?.score)
  })

  it('trusts many judges more than one', async () => {
    await judged('agt_one', 'did:1', 95)
    for (const by of ['did:1', 'did:2', 'did:3', 'did:4', 'did:5']) await judged('agt_many', by, 95)
    expect((await scoreIn('agt_many'))?.score).toBeGreaterThan((await scoreIn('agt_one'))?.score ?? 100)
  })

  it('counts paid steps, distinct payers and failures', async () => {
    const ends = [
      ['0x1', 'paid'],
      ['0x1', 'paid'],
      ['0x2', 'paid'],
      ['0x3', 'refunded'],
      ['0x1', 'failed'],
      ['0x4', 'expired'],
    ] as const
    for (const [payerId, outcome] of ends)
      await recordTaskOutcome(world.as(system), {
        taskId: `tsk_${++tasks}`,
        goalId: 'gol_1',
        agentId: 'agt_counts',
        payerId,
        asset: 'iso4217:USD',
        outcome,
        amount: 1n,
      })
    expect(await scoreIn('agt_counts')).toMatchObject({ n: 0, mean: null, paid_steps: 3, payers: 2, failed_steps: 2 })
  })

  it("keeps the market's mean for a minute", async () => {
    const kept = await scoreIn('agt_kept')
    for (let i = 0; i < 50; i++) await judged(`agt_bad_${i}`, 'did:bad', 0)
    expect((await loadScores(world.ctx, ['agt_kept'])).get('agt_kept')).toEqual(kept)
    expect((await scoreIn('agt_kept'))?.score).toBeLessThan(50)
  })

  it('answers once for an agent asked twice', async () => {
    expect((await loadScores(world.ctx, ['agt_x', 'agt_x'])).size).toBe(1)
  })

  it('answers for every agent asked, and for none where none is', async () => {
    expect([...(await loadScores(world.ctx, ['agt_x', 'agt_formula', 'agt_y'])).keys()].sort()).toEqual(['agt_formula', 'agt_x', 'agt_y'])
    expect((await loadScores(world.ctx, [])).size).toBe(0)
  })
})
