/**
 * createJob
 * ├── reverts: a hook; no evaluator; the provider as evaluator; the escrow or this contract as provider; an end that is
 * │   now, past, or beyond 40 bits
 * └── opens a job of the caller's, with or without a provider, numbered from 1, and tells it
 */
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobEscrow8183Abi } from '../../../contracts/abi/index.ts'
import { actors, revertOf } from '../world.ts'
import { client, createJobs, evaluator, type Jobs, provider } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

const create = async (changes: { provider?: string; evaluator?: string; expiredAt?: bigint; hook?: string } = {}) => {
  const expiredAt = changes.expiredAt ?? BigInt((await jobs.world.now()) + 60)
  const who = [changes.provider ?? provider.address, changes.evaluator ?? evaluator.address]
  return jobs.call(client, 'createJob', [...who, expiredAt, 'Write it.', changes.hook ?? zeroAddress])
}

describe('createJob', () => {
  it('reverts where the job could not be held to its terms', async () => {
    const hook = actors.bob.address
    expect(await revertOf(create({ hook }))).toEqual(['HookNotSupported', hook])
    expect(await revertOf(create({ evaluator: zeroAddress }))).toEqual(['ZeroAddress'])
    expect(await revertOf(create({ evaluator: provider.address }))).toEqual(['ProviderCannotBeEvaluator', provider.address])
    for (const bad of [jobs.address, jobs.world.escrow]) expect(await revertOf(create({ provider: bad }))).toEqual(['BadProvider', bad])
    const now = BigInt(await jobs.world.now())
    for (const bad of [0n, now, 1n << 40n]) expect(await revertOf(create({ expiredAt: bad }))).toEqual(['BadExpiry', bad, now])
    expect(await jobs.counter()).toBe(0n)
    expect(await revertOf(jobs.getJob(1n))).toEqual(['InvalidJob', 1n])
  })

  it('opens it, and tells who, until when and what', async () => {
    const expiredAt = BigInt((await jobs.world.now()) + 60)
    const { events } = await create({ expiredAt })
    expect(events).toEqual([
      { name: 'JobCreated', jobId: 1n, client: client.address, provider: provider.address, evaluator: evaluator.address, expiredAt },
      { name: 'JobDescribed', jobId: 1n, description: 'Write it.' },
    ])
    const job = { client: client.address, provider: provider.address, evaluator: evaluator.address, status: 0, budget: 0n }
    expect(await jobs.getJob(1n)).toMatchObject({ ...job, expiredAt: Number(expiredAt) })
    await create({ provider: zeroAddress, evaluator: client.address })
    expect(await jobs.getJob(2n)).toMatchObject({ provider: zeroAddress, evaluator: client.address })
    expect(await revertOf(jobs.world.reader.readContract({ ...planOf(jobs), args: [1n] }))).toEqual(['WrongStatus', 0])
  })
})

const planOf = ({ address }: Jobs) => ({ address, abi: jobEscrow8183Abi, functionName: 'planOf' }) as const
