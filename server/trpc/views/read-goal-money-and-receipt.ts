import type { Context } from '../../context.ts'
import { parseOrFallback } from '../../db/parse-or-fallback.ts'
import { canReadGoal, getGoal } from '../../goals/index.ts'
import { getListing, listOwnAgents } from '../../registry/index.ts'
import {
  type CashFlowLine,
  getGoalCashFlow,
  getHold,
  getLedger,
  getSettlementProof,
  listChannels,
  listPayouts,
  type PayoutView,
  paidShareOf,
} from '../../settlement/index.ts'
import { listShownSteps, listSteps } from '../../teams/index.ts'

const listed = new Intl.ListFormat('en-GB')

/** `share`: what is paid of the step, before royalties. */
export type NamedPayout = PayoutView & {
  readonly agentName: string
  readonly handle: string | null
  readonly title: string
  readonly share: bigint
}

async function nameAgents(ctx: Context, ids: readonly string[]): Promise<Map<string, { name: string; handle: string }>> {
  return new Map(await Promise.all([...new Set(ids)].map(async (id) => [id, await getListing(ctx, id)] as const)))
}

async function namePayouts(ctx: Context, payouts: readonly PayoutView[]): Promise<NamedPayout[]> {
  const agents = await nameAgents(
    ctx,
    payouts.map((payout) => payout.agentId),
  )
  const goalIds = [...new Set(payouts.map((payout) => payout.goalId))]
  const steps = new Map(await Promise.all(goalIds.map(async (id) => [id, await listShownSteps(ctx, id)] as const)))
  return payouts.map((payout) => ({
    ...payout,
    share: paidShareOf(payout),
    agentName: agents.get(payout.agentId)?.name ?? payout.agentId,
    handle: agents.get(payout.agentId)?.handle ?? null,
    title: steps.get(payout.goalId)?.find((step) => step.step === payout.step)?.title ?? `Step ${payout.step}`,
  }))
}

/**
 * All money of one goal, for readers of the goal.
 * @throws goal.not_found
 */
export async function readGoalMoney(ctx: Context, goalId: string) {
  const goal = await getGoal(ctx, goalId)
  const [hold, lines, payouts, ledger, proof] = await Promise.all([
    getHold(ctx, goalId),
    getGoalCashFlow(ctx, goalId),
    listPayouts(ctx, { goalId }),
    getLedger(ctx, { goalId }),
    getSettlementProof(ctx, goalId),
  ])
  const named = await namePayouts(ctx, payouts)
  const upstream = await nameUpstream(ctx, goalId)
  return { goal, hold, waterfall: labelLines(lines, named, upstream, hold.rail), payouts: named, ledger, proof }
}

const words = {
  funded: 'Set aside by the client',
  fee: 'Platform fee',
  refund: 'Back to the client',
  held: 'Still held',
  loss: 'Borne by the platform after a dispute',
  processing: 'Card processing fee',
} as const

/** The receivers of royalties, by the credited address. */
async function nameUpstream(ctx: Context, goalId: string): Promise<Map<string, string[]>> {
  const steps = await parseOrFallback(ctx, { what: 'steps', id: goalId, otherwise: [] }, () => listSteps(ctx, goalId))
  const royalties = steps.flatMap((step) => step.royalties)
  const agents = await nameAgents(
    ctx,
    royalties.map((one) => one.agent_id),
  )
  return Map.groupBy(
    royalties.map((one) => ({ to: one.to, name: agents.get(one.agent_id)?.name ?? one.agent_id })),
    (one) => one.to,
  )
    .entries()
    .reduce((named, [to, all]) => named.set(to, [...new Set(all.map((one) => one.name))]), new Map<string, string[]>())
}

/** The name behind a payee's address. A credit of an address without a step is a royalty. */
function labelLines(
  lines: readonly CashFlowLine[],
  payouts: readonly NamedPayout[],
  upstream: ReadonlyMap<string, readonly string[]>,
  rail: 'escrow' | 'stripe',
) {
  return lines.map((line) => {
    if (line.kind !== 'payee' && line.kind !== 'credit') return { ...line, label: words[line.kind] }
    const names = [...new Set(payouts.filter((payout) => payout.payee === line.address).map((payout) => payout.agentName))]
    const takers = upstream.get(line.address) ?? []
    if (line.kind === 'credit' && takers.length > 0 && names.length === 0)
      return { ...line, label: `Royalty of ${listed.format(takers)}, to withdraw` }
    const who = listed.format(names) || line.address
    return { ...line, label: line.kind === 'credit' ? `${who}, to ${rail === 'escrow' ? 'withdraw' : 'claim'}` : who }
  })
}

/** One payout with its goal, for readers of the goal. Null if there is none. */
export async function readReceipt(ctx: Context, payoutId: string) {
  const [found] = await listPayouts(ctx, { id: payoutId })
  // An error would reveal the goal.
  if (!found || !(await canReadGoal(ctx, found.goalId))) return null
  const [payout] = await namePayouts(ctx, [found])
  if (!payout) return null
  const [goal, hold] = await Promise.all([getGoal(ctx, payout.goalId), getHold(ctx, payout.goalId)])
  return { payout, goal, hold }
}

const maxGoalTransfers = 1_000

/** A person's payouts and ledger entries: of its wallet and of its agents. */
export async function readOwnMoney(ctx: Context, person: { did: string; address: `0x${string}` }) {
  const own = await listOwnAgents(ctx, person.did)
  const lists = await Promise.all([listPayouts(ctx, { payee: person.address }), ...own.map(({ agentId }) => listPayouts(ctx, { agentId }))])
  const payouts = new Map(lists.flat().map((payout) => [payout.id, payout]))
  const channels = await listChannels(ctx, 'client')
  const accounts = ['client', 'payee', 'credit', 'channel-credit'].map((kind) => `${kind}:${person.address}`)
  // A claim from the person's own channel touches none of its accounts.
  const paying = channels.filter((one) => one.claimed > 0n).map((one) => `channel:${one.id}`)
  const ledgers = await Promise.all([...accounts, ...paying].map((account) => getLedger(ctx, { account })))
  // A settlement that leaves nothing to refund touches no account of the client either.
  const client = `client:${person.address}`
  const funded = ledgers.flat().filter(({ entries }) => entries.some(({ account }) => account === client))
  const ofGoals = await getLedger(ctx, { goalIds: [...new Set(funded.flatMap(({ goalId }) => goalId ?? []))], limit: maxGoalTransfers })
  const transfers = new Map([...ledgers.flat(), ...ofGoals].map((transfer) => [transfer.id, transfer]))
  return {
    payouts: await namePayouts(ctx, [...payouts.values()]),
    accounts,
    ledger: [...transfers.values()].sort((a, b) => b.at.getTime() - a.at.getTime()),
  }
}
