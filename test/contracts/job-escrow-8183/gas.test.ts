/**
 * What a job costs over the shared escrow, against the committed figures of gas.json beside this file; warm recipients.
 * `UPDATE_GAS=1 npx vitest run test/contracts/job-escrow-8183/gas.test.ts` writes it anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Abi, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testUsdcAbi } from '../../../contracts/abi/index.ts'
import { actors } from '../world.ts'
import { budget, client, createJobs, deliverable, evaluator, type Jobs, provider, reason, stranger } from './jobs.ts'

const file = path.join(import.meta.dirname, 'gas.json')
let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
  for (const who of [jobs.world.escrow, provider.address])
    await jobs.world.write(actors.relayer, jobs.token, testUsdcAbi as Abi, 'mint', [who, 1n])
  await jobs.jobIn('Completed')
})
afterAll(() => jobs[Symbol.asyncDispose]())

it('costs what gas.json says', async () => {
  const expiredAt = 4_102_444_800n
  const figures: Record<string, number> = {}
  const spend = async (name: string, by: typeof client, call: string, args: readonly unknown[]) => {
    figures[name] = (await jobs.call(by, call, args)).gas
  }
  await spend('createJob', client, 'createJob', [provider.address, evaluator.address, expiredAt, 'https://example.org/job', zeroAddress])
  const id = await jobs.counter()
  await spend('setBudget', client, 'setBudget', [id, budget, '0x'])
  await spend('fund', client, 'fund', [id, budget, '0x'])
  await spend('submit', provider, 'submit', [id, deliverable, '0x'])
  await spend('complete', evaluator, 'complete', [id, reason, '0x'])
  figures['five calls'] = Object.values(figures).reduce((sum, gas) => sum + gas, 0)
  const args = [provider.address, evaluator.address, expiredAt, 'https://example.org/job', budget]
  await spend('createAndFund', client, 'createAndFund', args)
  figures['createAndFund, submit, complete'] = (figures.createAndFund ?? 0) + (figures.submit ?? 0) + (figures.complete ?? 0)
  await spend('reject', evaluator, 'reject', [await jobs.counter(), reason, '0x'])
  const late = await jobs.jobIn('Funded')
  await jobs.world.timeIs(Number(late.expiredAt))
  await spend('claimRefund', stranger, 'claimRefund', [late.id])
  if (process.env.UPDATE_GAS) writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
  expect(figures).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})
