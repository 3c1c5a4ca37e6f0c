/**
 * fund
 * ├── reverts: no such job; not open; not the client; no provider; no budget; another budget than the client expects; the
 * │   job has expired; the token moves nothing, or less
 * └── the client's money goes into one plan of the escrow, and none stays here
 */
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revertOf } from '../world.ts'
import { budget, client, createJobs, type Jobs, provider, stranger } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

const fund = (id: bigint, expected = budget, by = client) => jobs.call(by, 'fund', [id, expected, '0x'])

describe('fund', () => {
  it('reverts where the client has not agreed to exactly this', async () => {
    const { id, expiredAt } = await jobs.create({ provider: zeroAddress })
    expect(await revertOf(fund(99n))).toEqual(['InvalidJob', 99n])
    expect(await revertOf(fund(id, 0n, stranger))).toEqual(['Unauthorized', stranger.address])
    expect(await revertOf(fund(id, 0n))).toEqual(['ProviderNotSet', id])
    await jobs.call(client, 'setProvider', [id, provider.address, '0x'])
    expect(await revertOf(fund(id, 0n))).toEqual(['ZeroBudget'])
    await jobs.call(client, 'setBudget', [id, budget, '0x'])
    // The provider raises the price while the client's call is on its way.
    await jobs.call(provider, 'setBudget', [id, budget + 1n, '0x'])
    expect(await revertOf(fund(id))).toEqual(['BudgetMismatch', budget + 1n, budget])
    await jobs.world.timeIs(Number(expiredAt))
    expect(await revertOf(fund(id, budget + 1n))).toEqual(['AlreadyExpired', expiredAt, expiredAt])
    expect(await jobs.statusOf(id)).toBe('Open')
  })

  it('sets the budget aside in the escrow, once', async () => {
    const { id } = await jobs.jobIn('Open')
    const before = await jobs.money()
    const { events } = await fund(id)
    expect(events).toEqual([{ name: 'JobFunded', jobId: id, client: client.address, amount: budget }])
    expect(await jobs.money()).toEqual({ ...before, client: before.client - budget, escrow: before.escrow + budget })
    expect(await jobs.remaining(id)).toBe(budget)
    expect(await revertOf(fund(id))).toEqual(['WrongStatus', 1])
  })

  it('holds each job’s money in a plan of its own', async () => {
    const [one, two] = [await jobs.jobIn('Funded'), await jobs.jobIn('Funded')]
    await jobs.world.timeIs(Number(two.expiredAt))
    await jobs.call(stranger, 'claimRefund', [one.id])
    expect(await jobs.remaining(two.id)).toBe(budget)
    expect(await jobs.remaining(one.id)).toBe(0n)
  })
})
