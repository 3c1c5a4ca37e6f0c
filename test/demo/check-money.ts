/** A goal's money, as the web shows it, compared with the chain: its logs, its balances before and after, its contract. */
import type { Charter } from '@parley/protocol'
import { hashSteps, planStatuses } from '../../contracts/abi/index.ts'
import type { Chain, EscrowLog, Moved } from './chain.ts'
import type { Transcript } from './check-transcript.ts'
import type { Answers } from './client.ts'

type Hex = `0x${string}`
export type Money = Answers['settlement']['getMoney']
export type Signed = { readonly planId: string; readonly client: Hex; readonly budget: bigint }
export type MoneyCheck = {
  readonly faults: readonly string[]
  readonly paid: bigint
  readonly fee: bigint
  readonly refunded: bigint
  readonly settledTx: string | null
}

/** The demonstration is paid by wallet: a hold on another rail is a mistake of ours. */
export function onEscrow(hold: Money['hold']): Extract<Money['hold'], { rail: 'escrow' }> {
  if (hold.rail !== 'escrow') throw new Error(`the demonstration's money moves by ${hold.rail}`)
  return hold
}

export async function checkMoney(money: Money, signed: Signed, transcript: Transcript, chain: Chain): Promise<MoneyCheck> {
  const { proof, waterfall, payouts } = money
  const hold = onEscrow(money.hold)
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const sumNumbers = (...kinds: string[]) =>
    waterfall
      .filter((line) => kinds.includes(line.kind))
      .reduce((sum, line) => sum + (line.kind === 'funded' ? line.amount : -line.amount), 0n)
  const paid = sumNumbers('payee', 'credit')
  const fee = sumNumbers('fee')
  const refunded = sumNumbers('refund')
  const settledTx = proof.settledTx
  const result = { faults, paid, fee, refunded, settledTx }

  demand(proof.planId === signed.planId, `the goal is settled under plan ${proof.planId}, the client has signed ${signed.planId}`)
  demand(
    sumNumbers('funded') === signed.budget,
    `the waterfall begins with ${sumNumbers('funded')}, the client has signed ${signed.budget}`,
  )
  demand(paid + fee + refunded === signed.budget, `the waterfall ends at ${signed.budget - paid - fee - refunded}, not at zero`)
  for (const transfer of money.ledger)
    demand(
      transfer.entries.reduce((sum, entry) => sum + entry.debit - entry.credit, 0n) === 0n,
      `the ledger's transfer ${transfer.key} is not balanced`,
    )
  if (!proof.fundedTx || !settledTx) {
    faults.push('the goal was not funded and settled on chain')
    return result
  }

  const funding = await chain.readChainTransaction(proof.fundedTx as Hex, hold.escrow)
  demand(
    funding.events.some(
      ({ eventName, args }) => eventName === 'PlanFunded' && args.planId === signed.planId && args.total === signed.budget,
    ),
    'the chain has no log of this funding',
  )
  faults.push(...(await checkMoves(chain, hold, funding.block, proof.fundedTx, [{ who: signed.client, amount: -signed.budget }])))

  const settlement = await chain.readChainTransaction(settledTx as Hex, hold.escrow)
  faults.push(...checkConclusion(settlement.events, money, transcript))
  if (proof.sealedTx) {
    const { events } = await chain.readChainTransaction(proof.sealedTx as Hex, hold.escrow)
    faults.push(...checkCharter(events, signed.planId, transcript))
  }
  const owed = waterfall.filter((line) => line.kind === 'payee' || line.kind === 'refund')
  const sent = owed.map((line) => ({ who: line.address as Hex, amount: -line.amount }))
  faults.push(...(await checkMoves(chain, hold, settlement.block, settledTx, sent)))
  const credited = waterfall.filter((line) => line.kind === 'fee' || line.kind === 'credit')
  faults.push(...(await checkCredits(chain, hold, settlement.block, settledTx, credited)))
  for (const [payee, steps] of Map.groupBy(payouts, (payout) => payout.payee)) {
    const earned = steps.filter((step) => step.state === 'paid' || step.state === 'credited').reduce((sum, step) => sum + step.amount, 0n)
    const lines = waterfall.filter((line) => line.address === payee && (line.kind === 'payee' || line.kind === 'credit'))
    const booked = -lines.reduce((sum, line) => sum + line.amount, 0n)
    demand(earned === booked, `${payee} earned ${earned} by its steps and ${booked} by the ledger`)
  }
  const plan = await chain.plan(hold.escrow, signed.planId as Hex)
  demand(
    planStatuses[plan.status] === 'Closed' && plan.remaining === 0n,
    `the contract says the plan is ${planStatuses[plan.status]} with ${plan.remaining} left`,
  )
  return result
}

/** The hash that the payment carries is the transcript's, at the message that concludes the goal; and the steps are those paid out. */
function checkConclusion(events: readonly EscrowLog[], { goal, payouts, proof }: Money, { hashes }: Transcript): string[] {
  const settled = events.find((log) => log.eventName === 'StepsSettled' && log.args.planId === proof.planId)
  if (settled?.eventName !== 'StepsSettled') return ['the chain has no log of this settlement']
  const { conclusionHash, bits } = settled.args
  const expected = goal.conclusionSeq === null ? '0'.repeat(64) : hashes[goal.conclusionSeq - 1]
  const paidBits = payouts
    .filter((payout) => payout.state === 'paid' || payout.state === 'credited')
    .reduce((sum, payout) => sum | (1n << BigInt(payout.step - 1)), 0n)
  return [
    ...(conclusionHash === `0x${expected}`
      ? []
      : [`the payment carries ${conclusionHash}, the transcript's hash at its conclusion is 0x${expected}`]),
    ...(bits === paidBits ? [] : [`the chain has paid the steps ${bits.toString(2)}, the ledger ${paidBits.toString(2)}`]),
  ]
}

/** What is sealed on chain is a charter of the room, and each of its members has signed it there. */
function checkCharter(events: readonly EscrowLog[], planId: string, transcript: Transcript): string[] {
  const sealed = events.find((log) => log.eventName === 'PlanSealed' && log.args.planId === planId)
  if (sealed?.eventName !== 'PlanSealed') return ['the chain has no log of this charter']
  const { charterHash, stepsHash, version } = sealed.args
  const charter = transcript.charters.get(charterHash)
  if (!charter) return [`the chain has sealed the charter ${charterHash}, which nobody proposed in the room`]
  const steps = charter.steps.map(({ payee, amount }) => ({ payee: payee as Hex, amount: BigInt(amount) }))
  const signers = new Set([...(transcript.accepted.get(charterHash) ?? []), transcript.proposers.get(charterHash) ?? ''])
  const missing = unsigned(charter, signers)
  return [
    ...(hashSteps(steps) === stepsHash ? [] : ['the chain has sealed other payees or amounts than the charter names']),
    ...(charter.version === version ? [] : [`the chain has sealed version ${version} of a charter of version ${charter.version}`]),
    ...missing.map((did) => `${did} is in the charter and has not signed it`),
  ]
}

function unsigned(charter: Charter, signers: ReadonlySet<string>): string[] {
  const members = new Set(charter.steps.map((step) => step.sender_id))
  // Who proposes signs by that.
  return [...members].filter((did) => !signers.has(did))
}

type Owed = { readonly who: Hex; readonly amount: bigint }
type Held = { readonly escrow: Hex; readonly token: Hex }

/** Each wallet's balance, one block before and at the block: it moved by what the ledger says, and the escrow's by the opposite. */
async function checkMoves(chain: Chain, { escrow, token }: Held, block: bigint, tx: string, owed: readonly Owed[]): Promise<string[]> {
  const expected = new Map<string, bigint>()
  for (const { who, amount } of owed) {
    expected.set(who, (expected.get(who) ?? 0n) + amount)
    expected.set(escrow.toLowerCase(), (expected.get(escrow.toLowerCase()) ?? 0n) - amount)
  }
  const balance = (who: Hex, at: bigint) => chain.balanceOf(token, who, at)
  return compare(expected, await chain.transfersIn(block, token), { tx, block, what: 'balance', balance })
}

type Line = Money['waterfall'][number]
async function checkCredits(chain: Chain, { escrow, token }: Held, block: bigint, tx: string, lines: readonly Line[]): Promise<string[]> {
  const expected = new Map<string, bigint>()
  for (const { address, amount } of lines) expected.set(address, (expected.get(address) ?? 0n) - amount)
  const balance = (who: Hex, at: bigint) => chain.creditOf(escrow, token, who, at)
  return compare(expected, await chain.creditsIn(block, escrow), { tx, block, what: 'credit', balance })
}

async function compare(
  expected: ReadonlyMap<string, bigint>,
  moved: readonly Moved[],
  asked: { tx: string; block: bigint; what: string; balance: (who: Hex, at: bigint) => Promise<bigint> },
): Promise<string[]> {
  const faults: string[] = []
  const net = (who: string, moves: readonly Moved[]) =>
    moves.reduce((sum, move) => sum + (move.to === who ? move.amount : 0n) - (move.from === who ? move.amount : 0n), 0n)
  const ours = moved.filter((move) => move.tx === asked.tx)
  for (const [who, amount] of expected) {
    const byLog = net(who, ours)
    if (byLog !== amount) faults.push(`${who}: the ledger moves its ${asked.what} by ${amount}, the chain's log by ${byLog}`)
    const delta = (await asked.balance(who as Hex, asked.block)) - (await asked.balance(who as Hex, asked.block - 1n))
    // Others' transactions may stand in the same block.
    const others = net(who, moved) - byLog
    if (delta - others !== amount) faults.push(`${who}: its ${asked.what} on chain moved by ${delta - others}, the ledger says ${amount}`)
  }
  return faults
}
