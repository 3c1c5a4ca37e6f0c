/**
 * setProvider
 * ├── reverts: no such job; not open; not the client; set before; zero; the evaluator; the escrow or this contract
 * └── names the provider once
 */
import { getContractAddress, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actors, revertOf } from '../world.ts'
import { client, createJobs, evaluator, type Jobs, provider, stranger } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

describe('setProvider', () => {
  it('reverts where it is not the client’s to say, or the provider could not be paid', async () => {
    const { id } = await jobs.create({ provider: zeroAddress })
    const set = (who: string, by = client, job = id) => jobs.call(by, 'setProvider', [job, who, '0x'])
    expect(await revertOf(set(provider.address, client, 99n))).toEqual(['InvalidJob', 99n])
    expect(await revertOf(set(provider.address, stranger))).toEqual(['Unauthorized', stranger.address])
    expect(await revertOf(set(zeroAddress))).toEqual(['ZeroAddress'])
    expect(await revertOf(set(evaluator.address))).toEqual(['ProviderCannotBeEvaluator', evaluator.address])
    // The first contract that this one created.
    const voice = getContractAddress({ from: jobs.address, nonce: 1n })
    for (const no of [jobs.world.escrow, jobs.address, voice]) expect(await revertOf(set(no))).toEqual(['BadProvider', no])
    const { events } = await set(provider.address)
    expect(events).toEqual([{ name: 'ProviderSet', jobId: id, provider: provider.address }])
    expect(await revertOf(set(actors.bob.address))).toEqual(['ProviderAlreadySet', provider.address])
    const funded = await jobs.jobIn('Funded')
    expect(await revertOf(set(actors.bob.address, client, funded.id))).toEqual(['WrongStatus', 1])
  })
})
