import { charterHash } from '@parley/protocol'
import { encodeFunctionData } from 'viem'
import { describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../../contracts/abi/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { getEscrowCredits, getWithdrawalTerms, reconcile, recordCharter, withdrawCredit } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { as, payee, payoutsOf, signData, stranger, withdraw } from '../dispute-actions.ts'
import {
  approve,
  authorize,
  capture,
  createMoneyWorld,
  drive,
  ledgerBalance,
  lower,
  type MoneyWorld,
  open,
  signMembers,
} from '../money-world.ts'

const agreeing = { onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] }

/** A goal with one step of 4 USDC and half of it as royalty for `payees[2]`, so that 2 USDC wait as a credit. */
async function creditedGoal(world: MoneyWorld): Promise<string> {
  const goalId = await open(world)
  await authorize(world, goalId)
  await drive(world)
  const [first = '0x', , third = '0x'] = world.payees
  const hash = await charterHash({ v: '1', goal_id: goalId, version: 1 } as never)
  const step = { step: 1, payee: first, amount: 4_000_000n, agentId: `agt_${'1'.repeat(32)}`, royalties: [{ to: third, bps: 5_000 }] }
  const charter = { goalId, version: 1, charterHash: hash, steps: [step] }
  const memberSignatures = await signMembers(world, charter)
  await inTransaction(world.system, (tx) => recordCharter(tx, { ...charter, memberSignatures }))
  await approve(world, goalId)
  await drive(world)
  await capture(world, goalId, 0b1n)
  await drive(world)
  return goalId
}

describe('withdrawCredit', () => {
  it('is refused where there is no credit, to who is no one, and with a signature over something else', async () => {
    await using world = await createMoneyWorld()
    await creditedGoal(world)
    const [to = '0x'] = world.payees
    await expectProblem(getWithdrawalTerms(as(world, stranger(world)), to), 'credit.not_found')
    const holder = as(world, payee(world, 2))
    const { typedData, deadline, amount } = await getWithdrawalTerms(holder, to)
    expect(amount).toBe(2_000_000n)
    const signature = await signData(payee(world, 2), typedData)
    const command = { type: 'credit.withdraw' as const, to, deadline, signature }
    await expectProblem(withdrawCredit(world.as({ kind: 'anonymous' }), command), 'auth.required')
    await expectProblem(withdrawCredit(as(world, stranger(world)), command), 'credit.not_found')
    await expectProblem(withdrawCredit(holder, { ...command, to: lower(stranger(world).address) }), 'credit.signature_invalid')
    await expectProblem(withdrawCredit(holder, { ...command, deadline: deadline + 1 }), 'credit.signature_invalid')
    await world.warp(3_700)
    await expectProblem(withdrawCredit(holder, command), 'credit.signature_invalid')
    expect(await world.system.db.auditEntry.count({ where: { action: 'credit.withdraw' } })).toBe(0)
  })

  it('sends a royalty anywhere, without gas of its holder, and once', async () => {
    await using world = await createMoneyWorld()
    const goalId = await creditedGoal(world)
    expect(await payoutsOf(world, goalId)).toEqual([['paid', 2_000_000n]])
    const [, , holder = '0x'] = world.payees
    expect(await getEscrowCredits(world.system, holder)).toMatchObject([
      { withdrawable: 2_000_000n, credit: 2_000_000n, fees: 0n, underway: null },
    ])
    await world.rpc('anvil_setBalance', [holder, '0x0'])
    const to = lower(stranger(world).address)
    const first = await withdraw(world, payee(world, 2), to)
    expect(await withdraw(world, payee(world, 2), to)).toEqual(first)
    await expectProblem(withdraw(world, payee(world, 2), world.payees[0] ?? '0x'), 'credit.not_found')
    expect(await getEscrowCredits(world.system, holder)).toMatchObject([{ underway: { id: first.withdrawal_id, to } }])
    await drive(world)
    expect(await world.balance(to)).toBe(2_000_000n)
    expect(await getEscrowCredits(world.system, holder)).toMatchObject([
      { withdrawable: 0n, credit: 0n, underway: null, withdrawals: [{ to, amount: 2_000_000n }] },
    ])
    expect(await world.system.db.auditEntry.count({ where: { action: 'credit.withdraw' } })).toBe(1)
    expect(await reconcile(world.system)).toMatchObject(agreeing)
  })

  it('takes one of two that come at the same moment, and refuses the other where it goes elsewhere', async () => {
    await using world = await createMoneyWorld()
    await creditedGoal(world)
    const addresses = [lower(stranger(world).address), world.payees[0] ?? '0x']
    const answers = await Promise.allSettled(addresses.map((to) => withdraw(world, payee(world, 2), to)))
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'credit.not_found' } })
    expect(await world.system.db.creditWithdrawal.count()).toBe(1)
  })

  it('is abandoned where the account has withdrawn at the contract meanwhile', async () => {
    await using world = await createMoneyWorld()
    await creditedGoal(world)
    const [to = '0x', , holder = '0x'] = world.payees
    const { withdrawal_id: id } = await withdraw(world, payee(world, 2), to)
    const data = encodeFunctionData({
      abi: planEscrowAbi,
      functionName: 'withdrawCredit',
      args: [world.system.market.token, lower(stranger(world).address)],
    })
    await world.send(world.chain.keys[6] ?? '0x', { to: world.system.market.escrow, data })
    await drive(world)
    expect(await world.system.db.creditWithdrawal.findUnique({ where: { id } })).toMatchObject({ state: 'refused' })
    expect(await ledgerBalance(world, `credit:${holder}`)).toBe(0n)
    expect(await reconcile(world.system)).toMatchObject(agreeing)
  })
})
