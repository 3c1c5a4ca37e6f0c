/**
 * reject
 * ├── reverts: no such job; ended; the client once funded; the provider ever; the evaluator while open
 * ├── open: ends the job and moves nothing
 * └── funded, submitted: the client has its money back
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revertOf } from '../world.ts'
import { budget, client, createJobs, evaluator, type Jobs, provider, reason } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

const reject = (id: bigint, by = evaluator) => jobs.call(by, 'reject', [id, reason, '0x'])

describe('reject', () => {
  it('is the client’s while the job is open, and moves nothing', async () => {
    const { id } = await jobs.jobIn('Open')
    expect(await revertOf(reject(99n))).toEqual(['InvalidJob', 99n])
    for (const by of [evaluator, provider]) expect(await revertOf(reject(id, by))).toEqual(['Unauthorized', by.address])
    const before = await jobs.money()
    expect((await reject(id, client)).events).toEqual([{ name: 'JobRejected', jobId: id, rejector: client.address, reason }])
    expect(await jobs.money()).toEqual(before)
    expect(await revertOf(reject(id, client))).toEqual(['WrongStatus', 4])
  })

  it.each(['Funded', 'Submitted'] as const)('is the evaluator’s of a %s job, and gives the money back', async (status) => {
    const { id } = await jobs.jobIn(status)
    for (const by of [client, provider]) expect(await revertOf(reject(id, by))).toEqual(['Unauthorized', by.address])
    const before = await jobs.money()
    expect((await reject(id)).events).toEqual([
      { name: 'JobRejected', jobId: id, rejector: evaluator.address, reason },
      { name: 'Refunded', jobId: id, client: client.address, amount: budget },
    ])
    expect(await jobs.money()).toEqual({ ...before, client: before.client + budget, escrow: before.escrow - budget })
    expect(await jobs.remaining(id)).toBe(0n)
    expect(await revertOf(reject(id))).toEqual(['WrongStatus', 4])
  })

  it('reverts once the job has ended well', async () => {
    expect(await revertOf(reject((await jobs.jobIn('Completed')).id))).toEqual(['WrongStatus', 3])
  })
})
