/**
 * Nothing refunds a job that was never funded.
 *
 * The public implementation of ERC-8183 pays the refund of an expired job that is still open, whose budget nobody has set
 * aside, out of other people's money. Here that is tried with two tokens, before and after the job's end:
 *
 * a job with a budget and no money
 * ├── claimed, also by its client to an account of its choice: reverts, open or rejected
 * ├── rejected by its client: ends, and moves nothing
 * ├── completed, submitted: reverts
 * └── the others' money is all there, and is paid
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actors, createWorld, revertOf } from '../world.ts'
import { budget, createJobs, deliverable, evaluator, type Jobs, provider, reason, stranger } from './jobs.ts'

let world: Awaited<ReturnType<typeof createWorld>>
let both: Jobs[]
beforeAll(async () => {
  world = await createWorld()
  both = [await createJobs('token', world), await createJobs('wayward', world)]
})
afterAll(() => world[Symbol.asyncDispose]())

it('a job that was never funded pays nothing out of what others set aside, in either token', async () => {
  const victims = []
  for (const jobs of both) victims.push(await jobs.jobIn('Submitted', 100_000))
  for (const jobs of both) {
    const { id, expiredAt } = await jobs.create({ by: stranger, provider: actors.bob.address, evaluator: stranger.address })
    await jobs.call(stranger, 'setBudget', [id, budget, '0x'])
    const attempts = async () => [
      await revertOf(jobs.call(stranger, 'claimRefund', [id])),
      await revertOf(jobs.call(stranger, 'claimRefundTo', [id, stranger.address])),
      await revertOf(jobs.call(actors.bob, 'submit', [id, deliverable, '0x'])),
      await revertOf(jobs.call(stranger, 'complete', [id, reason, '0x'])),
    ]
    const before = await jobs.money()
    for (const outcome of await attempts()) expect(outcome).toEqual(['WrongStatus', 0])
    await world.timeIs(Number(expiredAt) + 1)
    for (const outcome of await attempts()) expect(outcome).toEqual(['WrongStatus', 0])
    await jobs.call(stranger, 'reject', [id, reason, '0x'])
    for (const outcome of await attempts()) expect(outcome).toEqual(['WrongStatus', 4])
    expect(await jobs.money()).toEqual(before)
    expect(await jobs.balance(stranger.address)).toBe(0n)
  }
  for (const [index, jobs] of both.entries()) {
    const before = await jobs.balance(provider.address)
    await jobs.call(evaluator, 'complete', [victims[index]?.id ?? 0n, reason, '0x'])
    expect((await jobs.balance(provider.address)) - before).toBe(budget)
  }
})
