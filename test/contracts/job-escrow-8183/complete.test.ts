/**
 * complete
 * ├── reverts: no such job; not submitted; not the evaluator
 * ├── pays the provider the whole budget out of the job's own plan, and closes it
 * └── the token refuses the provider: it waits in the provider's credit at the escrow
 */
import { parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../contracts/abi/index.ts'
import { revertOf } from '../world.ts'
import { budget, client, createJobs, evaluator, type Jobs, provider, reason } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs('wayward')
})
afterAll(() => jobs[Symbol.asyncDispose]())

const complete = (id: bigint, by = evaluator) => jobs.call(by, 'complete', [id, reason, '0x'])

describe('complete', () => {
  it('is the evaluator’s, of submitted work, and pays', async () => {
    const { id } = await jobs.jobIn('Submitted')
    expect(await revertOf(complete(99n))).toEqual(['InvalidJob', 99n])
    for (const by of [client, provider]) expect(await revertOf(complete(id, by))).toEqual(['Unauthorized', by.address])
    const before = await jobs.money()
    const { events, receipt } = await complete(id)
    expect(events).toEqual([
      { name: 'JobCompleted', jobId: id, evaluator: evaluator.address, reason },
      { name: 'PaymentReleased', jobId: id, provider: provider.address, amount: budget },
    ])
    expect(await jobs.money()).toEqual({ ...before, escrow: before.escrow - budget, provider: before.provider + budget })
    const told = parseEventLogs({ abi: planEscrowAbi, logs: receipt.logs }).map((log) => log.eventName)
    expect(told).toEqual(['StepsSettled', 'PlanClosed', 'Paid'])
    expect(await revertOf(complete(id))).toEqual(['WrongStatus', 3])
    expect(await revertOf(complete((await jobs.jobIn('Funded')).id))).toEqual(['WrongStatus', 1])
  })

  it('leaves what the token refuses in the provider’s credit', async () => {
    const { id } = await jobs.jobIn('Submitted')
    await jobs.answer(provider.address, 1)
    await complete(id)
    expect(await jobs.statusOf(id)).toBe('Completed')
    expect(await jobs.world.credit(provider.address, jobs.token)).toBe(budget)
  })
})
