/**
 * setBudget
 * ├── reverts: no such job; not open; neither client nor provider; more than 96 bits
 * └── sets the price, by either, as often as they like
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revertOf } from '../world.ts'
import { client, createJobs, evaluator, type Jobs, provider } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

describe('setBudget', () => {
  it('is the client’s and the provider’s, while the job is open', async () => {
    const { id } = await jobs.create()
    const set = (amount: bigint, by = client, job = id) => jobs.call(by, 'setBudget', [job, amount, '0x1234'])
    expect(await revertOf(set(5n, client, 99n))).toEqual(['InvalidJob', 99n])
    expect(await revertOf(set(5n, evaluator))).toEqual(['Unauthorized', evaluator.address])
    expect(await revertOf(set(1n << 96n))).toEqual(['BudgetTooLarge', 1n << 96n, (1n << 96n) - 1n])
    expect((await set(7n, provider)).events).toEqual([{ name: 'BudgetSet', jobId: id, amount: 7n }])
    await set(5n)
    expect(await jobs.getJob(id)).toMatchObject({ budget: 5n, status: 0 })
    const funded = await jobs.jobIn('Funded')
    for (const by of [client, provider]) expect(await revertOf(set(1n, by, funded.id))).toEqual(['WrongStatus', 1])
  })
})
