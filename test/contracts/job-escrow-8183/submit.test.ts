/**
 * submit
 * ├── reverts: no such job; not funded; not the provider
 * └── tells the deliverable; moves nothing
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revertOf } from '../world.ts'
import { client, createJobs, deliverable, type Jobs, provider } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

describe('submit', () => {
  it('is the provider’s, once, of a funded job', async () => {
    const { id } = await jobs.jobIn('Funded')
    const submit = (by = provider, job = id) => jobs.call(by, 'submit', [job, deliverable, '0x'])
    expect(await revertOf(submit(provider, 99n))).toEqual(['InvalidJob', 99n])
    expect(await revertOf(submit(client))).toEqual(['Unauthorized', client.address])
    const before = await jobs.money()
    expect((await submit()).events).toEqual([{ name: 'JobSubmitted', jobId: id, provider: provider.address, deliverable }])
    expect(await jobs.money()).toEqual(before)
    expect(await revertOf(submit())).toEqual(['WrongStatus', 2])
  })
})
