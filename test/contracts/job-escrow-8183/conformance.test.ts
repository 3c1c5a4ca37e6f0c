/**
 * ERC-8183's state graph, every call by every role in every state, before and after the job's end: what the standard
 * allows happens, what it doesn't reverts and changes nothing, and the money is where the state says.
 */
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobEscrow8183Abi } from '../../../contracts/abi/index.ts'
import { budget, client, createJobs, deliverable, evaluator, type Jobs, provider, reason, type Status, statuses, stranger } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

const roles = { client, provider, evaluator, stranger }
type Role = keyof typeof roles
const calls: Record<string, (id: bigint) => readonly unknown[]> = {
  setBudget: (id) => [id, budget, '0x'],
  fund: (id) => [id, budget, '0x'],
  submit: (id) => [id, deliverable, '0x'],
  complete: (id) => [id, reason, '0x'],
  reject: (id) => [id, reason, '0x'],
  claimRefund: (id) => [id],
}

/** Who may, and where it leads. `ended`: only once the job has expired; `live`: only before. */
const allowed: readonly { from: Status; call: string; by: readonly Role[]; to: Status; when?: 'ended' | 'live' }[] = [
  { from: 'Open', call: 'setBudget', by: ['client', 'provider'], to: 'Open' },
  { from: 'Open', call: 'fund', by: ['client'], to: 'Funded', when: 'live' },
  { from: 'Open', call: 'reject', by: ['client'], to: 'Rejected' },
  { from: 'Funded', call: 'submit', by: ['provider'], to: 'Submitted' },
  { from: 'Funded', call: 'reject', by: ['evaluator'], to: 'Rejected' },
  { from: 'Funded', call: 'claimRefund', by: ['client', 'provider', 'evaluator', 'stranger'], to: 'Expired', when: 'ended' },
  { from: 'Submitted', call: 'complete', by: ['evaluator'], to: 'Completed' },
  { from: 'Submitted', call: 'reject', by: ['evaluator'], to: 'Rejected' },
  { from: 'Submitted', call: 'claimRefund', by: ['client', 'provider', 'evaluator', 'stranger'], to: 'Expired', when: 'ended' },
]
const isHeld = (status: Status) => status === 'Funded' || status === 'Submitted'

describe('every call by everybody', () => {
  const cases = statuses.flatMap((from) => [false, true].map((hasEnded) => ({ from, hasEnded })))
  it.each(cases)('of a job that is $from, ended: $hasEnded', async ({ from, hasEnded }) => {
    for (const [call, args] of Object.entries(calls)) {
      const edges = allowed.filter((edge) => edge.from === from && edge.call === call && edge.when !== (hasEnded ? 'live' : 'ended'))
      const { id, expiredAt } = await jobs.jobIn(from)
      if (hasEnded && from !== 'Expired') await jobs.world.timeIs(Number(expiredAt))
      const before = await jobs.money()
      // Those who may come last: their call changes the job for the others.
      const may = (role: string) => edges.some((edge) => edge.by.some((one) => one === role))
      const order = Object.entries(roles).sort(([a], [b]) => Number(may(a)) - Number(may(b)))
      let done: Status | null = null
      for (const [role, account] of order) {
        if (done !== null) break
        const outcome = await jobs
          .call(account, call, args(id))
          .then(() => true)
          .catch(() => false)
        expect(outcome, `${call} by ${role}`).toBe(may(role))
        done = outcome ? (edges[0]?.to ?? null) : null
      }
      const status = await jobs.statusOf(id)
      expect(status, call).toBe(done ?? from)
      const after = await jobs.money()
      const moved = BigInt(Number(isHeld(status)) - Number(isHeld(from))) * budget
      expect(after.escrow - before.escrow, call).toBe(moved)
      expect(after.jobs, call).toBe(0n)
      expect(after.provider - before.provider, call).toBe(status === 'Completed' && from !== 'Completed' ? budget : 0n)
    }
  })
})

it('has the standard’s names and argument shapes', () => {
  const functions = jobEscrow8183Abi.filter((entry) => entry.type === 'function').map((entry) => toFunctionSelector(entry))
  for (const signature of [
    'createJob(address,address,uint256,string,address)',
    'setProvider(uint256,address,bytes)',
    'setBudget(uint256,uint256,bytes)',
    'fund(uint256,uint256,bytes)',
    'submit(uint256,bytes32,bytes)',
    'complete(uint256,bytes32,bytes)',
    'reject(uint256,bytes32,bytes)',
    'claimRefund(uint256)',
  ])
    expect(functions, signature).toContain(toFunctionSelector(signature))
})
