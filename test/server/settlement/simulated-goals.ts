import { personDid } from '@parley/protocol'
import { hashRoyalties, hashSteps } from '../../../contracts/abi/index.ts'
import type { EscrowEvent } from '../../../server/ports.ts'
import { loadHold } from '../../../server/settlement/holds/hold-store.ts'
import { conclusionHash, lower, type MoneyWorld, open } from './money-world.ts'
import { type SimulatedEvent, wallet, word } from './simulated-chain.ts'

type Hex = `0x${string}`
export const amounts = [4_000_000n, 3_000_000n, 3_000_000n] as const
const total = 10_250_000n

/** A goal whose hold and charter exist only in the database, not on the chain. */
export type SimulatedGoal = { readonly kind: 'goal'; readonly goalId: string; readonly planId: Hex; readonly payees: readonly Hex[] }
/** A channel that exists only in the database, not on the chain. */
export type SimulatedChannel = { readonly kind: 'channel'; readonly id: Hex; readonly payer: Hex; readonly receiver: Hex }

export async function createSimulatedGoal(world: MoneyWorld): Promise<SimulatedGoal> {
  const goalId = await open(world, { total })
  const hold = await loadHold(world.system, goalId)
  const payees = [wallet(), wallet(), wallet()]
  await world.system.db.holdCharter.create({
    data: {
      goalId,
      version: 1,
      charterHash: charterHashOf(goalId),
      steps: amounts.map((amount, index) => ({
        step: index + 1,
        payee: payees[index] ?? '0x',
        amount: amount.toString(),
        agentId: `agt_${index}`,
        royalties: [],
      })),
      createdAt: world.clock.now(),
    },
  })
  return { kind: 'goal', goalId, planId: hold.rail === 'escrow' ? hold.planId : '0x', payees }
}

/** The contract's events of that charter. */
const sealedArgs = ({ goalId, payees }: SimulatedGoal) => ({
  version: 1,
  charterHash: charterHashOf(goalId),
  stepsHash: hashSteps(amounts.map((amount, index) => ({ payee: payees[index] ?? '0x', amount }))),
  royaltiesHash: hashRoyalties([]),
})

const charterHashOf = (goalId: string): Hex => `0x${goalId.slice(4).padEnd(64, '0')}`

export async function createSimulatedChannel(world: MoneyWorld): Promise<SimulatedChannel> {
  const { market, db } = world.system
  const [id, payer, receiver] = [word(), wallet(), wallet()]
  const at = world.clock.now()
  await db.channel.create({
    data: {
      id,
      state: 'opening',
      asset: market.asset,
      chainId: market.chainId,
      contract: market.channels ?? '',
      clientId: personDid(market.chainId, payer),
      agentId: 'agt_paper',
      payer,
      authorizer: payer,
      receiver,
      settler: world.system.ports.rail.sender,
      token: market.token,
      withdrawDelay: 86_400,
      salt: word(),
      deposit: 100n,
      authorization: { validAfter: 0, validBefore: 1, signature: '0x', attempt: 1 },
      createdAt: at,
      updatedAt: at,
    },
  })
  return { kind: 'channel', id, payer, receiver }
}

/** State of a goal in the escrow. */
export type OnChain = { readonly stage: 'none' | 'funded' | 'sealed' | 'closed'; readonly paid: number; readonly how: string }
export const notOnChain: OnChain = { stage: 'none', paid: 0, how: '' }

/** The next possible event of a goal; `choice` selects among them. Null if none is left. */
export function nextOfGoal(
  world: MoneyWorld,
  goal: SimulatedGoal,
  { stage, paid }: OnChain,
  choice: number,
): { events: SimulatedEvent[]; after: OnChain } | null {
  const event = (name: string, args: EscrowEvent['args']): SimulatedEvent => ({ contract: 'escrow', name, planId: goal.planId, args })
  const client = lower(world.client.address)
  const { feeTo } = world
  const spent = amounts.reduce((sum, amount, index) => ((paid >> index) & 1 ? sum + amount : sum), 0n)
  if (stage === 'none')
    return { events: [event('PlanFunded', { client, total: total.toString() })], after: { stage: 'funded', paid, how: 'authorized' } }
  if (stage === 'funded')
    return {
      events: [event('PlanSealed', sealedArgs(goal))],
      after: { stage: 'sealed', paid, how: 'authorized' },
    }
  if (stage === 'closed') return null
  const bits = (choice % 8) & ~paid
  const now = amounts.reduce((sum, amount, index) => ((bits >> index) & 1 ? sum + amount : sum), 0n)
  const closes = choice % 3 === 0 || bits === 0
  const isExpiry = closes && bits === 0 && choice % 2 === 0
  const fee = closes && bits > 0 ? 250_000n : 0n
  const events = [
    ...(isExpiry ? [] : [event('StepsSettled', { bits: bits.toString(), conclusionHash })]),
    ...(fee > 0n ? [event('FeeCredited', { feeTo, amount: fee.toString() })] : []),
    ...(closes ? [event('PlanClosed', {})] : []),
    ...amounts.flatMap((amount, index) =>
      (bits >> index) & 1 ? [event('Paid', { payee: goal.payees[index] ?? '0x', amount: amount.toString() })] : [],
    ),
    ...(closes ? [event('Refunded', { client, amount: (total - spent - now - fee).toString() })] : []),
  ]
  const all = paid | bits
  const how = isExpiry ? 'reclaimed' : all === 0 ? 'voided' : 'captured'
  return { events, after: { stage: closes ? 'closed' : 'sealed', paid: all, how: closes ? how : 'authorized' } }
}

export type ChannelOnChain = { readonly state: 'opening' | 'open' | 'closed'; readonly deposit: bigint; readonly claimed: bigint }
export const notOpened: ChannelOnChain = { state: 'opening', deposit: 100n, claimed: 0n }

/** The same for a channel. A refused payment becomes a credit of the receiver. */
export function nextOfChannel(
  { id, receiver }: SimulatedChannel,
  { state, deposit, claimed }: ChannelOnChain,
  choice: number,
): { events: SimulatedEvent[]; after: ChannelOnChain } | null {
  const event = (name: string, args: EscrowEvent['args']): SimulatedEvent => ({ contract: 'channels', name, channelId: id, args })
  const credited = (amount: bigint): SimulatedEvent => ({
    contract: 'channels',
    name: 'Credited',
    args: { account: receiver, amount: amount.toString() },
  })
  if (state === 'opening')
    return { events: [event('ChannelOpened', { deposit: '100' })], after: { state: 'open', deposit: 100n, claimed: 0n } }
  if (state === 'closed') return null
  if (choice % 4 === 0)
    return {
      events: [event('ToppedUp', { amount: '50', deposit: (deposit + 50n).toString() })],
      after: { state, deposit: deposit + 50n, claimed },
    }
  if (choice % 4 === 3) {
    const refunded = (deposit - claimed).toString()
    return {
      events: [event('ChannelClosed', { totalClaimed: claimed.toString(), refunded })],
      after: { state: 'closed', deposit, claimed },
    }
  }
  const more = BigInt(choice % 10) + 1n
  if (claimed + more > deposit) return null
  const total = claimed + more
  const claim = event('Claimed', { totalClaimed: total.toString() })
  return { events: choice % 4 === 1 ? [claim] : [claim, credited(more)], after: { state, deposit, claimed: total } }
}

/** Expected balances from the events alone, computed independently of the product's drafts. */
export function expectedBalances(
  events: readonly EscrowEvent[],
  goals: readonly SimulatedGoal[],
  channels: readonly SimulatedChannel[],
): Record<string, bigint> {
  const held: Record<string, bigint> = {}
  const move = (from: string, to: string, amount: bigint) => {
    held[from] = (held[from] ?? 0n) - amount
    held[to] = (held[to] ?? 0n) + amount
  }
  const claimed: Record<string, bigint> = {}
  let latest: SimulatedChannel | undefined
  for (const { contract, name, planId, channelId, args } of events) {
    const text = String(args.amount ?? args.total ?? args.deposit ?? 0)
    // Corrupted subjects are not checked here.
    const amount = /^\d+$/.test(text) ? BigInt(text) : 0n
    const goal = goals.find((one) => one.planId === planId)
    const channel = channels.find((one) => one.id === channelId)
    const escrow = `escrow:${goal?.goalId}`
    if (goal && name === 'PlanFunded') move(`client:${args.client}`, escrow, amount)
    if (goal && name === 'Paid') move(escrow, `payee:${args.payee}`, amount)
    if (goal && name === 'FeeCredited') move(escrow, `fees:${args.feeTo}`, amount)
    if (goal && name === 'Refunded') move(escrow, `client:${args.client}`, amount)
    if (contract === 'escrow' && name === 'CreditWithdrawn') {
      const own = held[`fees:${args.account}`] ?? 0n
      move(`fees:${args.account}`, `wallet:${args.to}`, own < amount ? own : amount)
    }
    if (channel) latest = channel
    if (channel && name === 'ChannelOpened') move(`client:${channel.payer}`, `channel:${channelId}`, amount)
    if (channel && name === 'ToppedUp') move(`client:${channel.payer}`, `channel:${channelId}`, amount)
    if (channel && name === 'Claimed') {
      const sum = BigInt(String(args.totalClaimed))
      move(`channel:${channelId}`, `payee:${channel.receiver}`, sum - (claimed[channel.id] ?? 0n))
      claimed[channel.id] = sum
    }
    if (channel && name === 'ChannelClosed') move(`channel:${channelId}`, `client:${channel.payer}`, BigInt(String(args.refunded)))
    if (contract === 'channels' && name === 'Credited' && latest)
      move(`payee:${latest.receiver}`, `channel-credit:${latest.receiver}`, amount)
  }
  return Object.fromEntries(Object.entries(held).filter(([, sum]) => sum !== 0n))
}

/** Ledger balances by account. */
export async function ledgerBalances(world: MoneyWorld): Promise<Record<string, bigint>> {
  const sums = await world.system.db.ledgerEntry.groupBy({ by: ['account'], _sum: { debit: true, credit: true } })
  const held = sums.map(({ account, _sum }) => [account, (_sum.debit ?? 0n) - (_sum.credit ?? 0n)] as const)
  return Object.fromEntries(held.filter(([, sum]) => sum !== 0n))
}
