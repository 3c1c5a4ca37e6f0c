/**
 * createAndFund
 * ├── reverts: no provider; no budget; as createJob and fund do
 * └── leaves what createJob, setBudget and fund would, and tells the same
 */
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revertOf } from '../world.ts'
import { budget, client, createJobs, deliverable, evaluator, type Jobs, provider, reason } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

describe('createAndFund', () => {
  it('is the three calls in one', async () => {
    const expiredAt = BigInt((await jobs.world.now()) + 3600)
    const make = (who: string, amount: bigint) =>
      jobs.call(client, 'createAndFund', [who, evaluator.address, expiredAt, 'Write it.', amount])
    expect(await revertOf(make(zeroAddress, budget))).toEqual(['ProviderNotSet', 1n])
    expect(await revertOf(make(provider.address, 0n))).toEqual(['ZeroBudget'])
    expect(await revertOf(make(evaluator.address, budget))).toEqual(['ProviderCannotBeEvaluator', evaluator.address])
    const before = await jobs.money()
    const { events } = await make(provider.address, budget)
    expect(events.map((event) => event.name)).toEqual(['JobCreated', 'JobDescribed', 'BudgetSet', 'JobFunded'])
    expect(await jobs.statusOf(1n)).toBe('Funded')
    expect(await jobs.remaining(1n)).toBe(budget)
    await jobs.call(provider, 'submit', [1n, deliverable, '0x'])
    await jobs.call(evaluator, 'complete', [1n, reason, '0x'])
    expect(await jobs.money()).toEqual({ ...before, client: before.client - budget, provider: before.provider + budget })
  })
})
