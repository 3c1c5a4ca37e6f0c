/**
 * claimRefund, claimRefundTo
 * ├── reverts: no such job; not expired; open, ended
 * ├── by anybody: the client has its money back, funded or submitted, whatever evaluator and provider do
 * ├── the token refuses the client: reverts and changes nothing; the client has it sent elsewhere, or waits
 * ├── the token refuses this contract: reverts and changes nothing, also where a donation would cover it
 * └── nobody ends the plan in the escrow by another way: not by its refund, not by its helper
 */
import { type Abi, getContractAddress, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noCharter, planEscrowAbi, testUsdcAbi } from '../../../contracts/abi/index.ts'
import { actors, hash, revertOf } from '../world.ts'
import { budget, client, createJobs, evaluator, type Jobs, reason, stranger } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs('wayward')
})
afterAll(() => jobs[Symbol.asyncDispose]())

const claim = (id: bigint) => jobs.call(stranger, 'claimRefund', [id])

describe('claimRefund', () => {
  it('reverts before the job’s end, and where there is nothing to claim', async () => {
    const { id, expiredAt } = await jobs.jobIn('Submitted', 100_000)
    expect(await revertOf(claim(99n))).toEqual(['InvalidJob', 99n])
    expect(await revertOf(claim(id))).toEqual(['NotExpired', BigInt(await jobs.world.now()), expiredAt])
    expect(await revertOf(claim((await jobs.jobIn('Open')).id))).toEqual(['WrongStatus', 0])
    for (const status of ['Completed', 'Rejected'] as const)
      expect((await revertOf(claim((await jobs.jobIn(status)).id)))[0]).toBe('WrongStatus')
  })

  it.each(['Funded', 'Submitted'] as const)('lets anybody send a %s job’s money back, once', async (status) => {
    const { id, expiredAt } = await jobs.jobIn(status)
    await jobs.world.timeIs(Number(expiredAt))
    const before = await jobs.money()
    expect((await claim(id)).events).toEqual([
      { name: 'JobExpired', jobId: id },
      { name: 'Refunded', jobId: id, client: client.address, amount: budget },
    ])
    expect(await jobs.money()).toEqual({ ...before, client: before.client + budget, escrow: before.escrow - budget })
    expect(await revertOf(claim(id))).toEqual(['WrongStatus', 5])
    expect(await revertOf(jobs.call(evaluator, 'complete', [id, reason, '0x']))).toEqual(['WrongStatus', 5])
  })

  it('is never lost where the token refuses the client: it goes where the client says', async () => {
    const { id, expiredAt } = await jobs.jobIn('Submitted')
    await jobs.world.timeIs(Number(expiredAt))
    await jobs.answer(client.address, 1)
    expect((await revertOf(claim(id)))[0]).not.toBe('nothing reverted')
    expect(await jobs.statusOf(id)).toBe('Submitted')
    const to = (who: string, by = client) => jobs.call(by, 'claimRefundTo', [id, who])
    expect(await revertOf(to(stranger.address, stranger))).toEqual(['Unauthorized', stranger.address])
    expect(await revertOf(to(zeroAddress))).toEqual(['ZeroAddress'])
    await to(actors.bob.address)
    expect(await jobs.balance(actors.bob.address)).toBe(budget)
    await jobs.answer(client.address, 0)
  })

  it('waits where the token refuses this contract, though a donation would cover it', async () => {
    const { id, expiredAt } = await jobs.jobIn('Funded')
    await jobs.world.write(actors.relayer, jobs.token, testUsdcAbi as Abi, 'mint', [jobs.address, budget])
    await jobs.world.timeIs(Number(expiredAt))
    for (const how of [1, 7]) {
      await jobs.answer(jobs.address, how)
      expect(await revertOf(claim(id))).toEqual(['RefundWithheld', 0n, budget])
    }
    await jobs.answer(jobs.address, 0)
    await claim(id)
    expect(await jobs.balance(jobs.address)).toBe(budget)
  })

  it('is the only way back: the escrow refunds no such plan, and the helper listens to nobody else', async () => {
    const { id } = await jobs.jobIn('Funded')
    const { logs } = (await jobs.call(stranger, 'createJob', [zeroAddress, evaluator.address, 1n << 39n, '', zeroAddress])).receipt
    expect(logs).toHaveLength(2)
    const filter = { address: jobs.world.escrow, abi: planEscrowAbi, eventName: 'PlanFunded', fromBlock: 0n } as const
    const funded = await jobs.world.reader.getContractEvents(filter)
    expect(funded.at(-1)?.args).toMatchObject({ client: jobs.address, total: budget })
    // The helper is the first contract that this one made.
    const helper = getContractAddress({ from: jobs.address, nonce: 1n })
    const terms = await jobs.world.terms()
    const settlement = { terms, charter: noCharter, bits: 0n, close: true, conclusionHash: hash(1), signature: '0x' }
    expect(await revertOf(jobs.world.write(stranger, helper, jobEvaluatorAbi, 'settle', [settlement]))).toEqual([
      'NotJobEscrow',
      stranger.address,
    ])
    expect(await jobs.remaining(id)).toBe(budget)
  })
})

const settle = planEscrowAbi.find((entry) => entry.type === 'function' && entry.name === 'settle')
const jobEvaluatorAbi = [settle, { type: 'error', name: 'NotJobEscrow', inputs: [{ name: 'actual', type: 'address' }] }] as unknown as Abi
