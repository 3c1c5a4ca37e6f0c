import type { Context } from '../../context.ts'
import { listOwnAgents } from '../../registry/index.ts'
import { getCardEarnings, getEscrowCredits, listPayouts, type PayoutView } from '../../settlement/index.ts'
import { listShownSteps } from '../../teams/index.ts'

/** A publisher's earnings, in base units. Shares of card-funded goals are counted under `cards`, not here. */
export type EarningsSums = {
  /** Sealed in a charter, and not done yet. */
  readonly agreed: bigint
  /** Done, and waiting for acceptance or settlement. */
  readonly inReview: bigint
  /** Sent or credited, without royalties and splits. */
  readonly paid: bigint
  readonly disputed: bigint
}
export type ListingEarnings = EarningsSums & { readonly agentId: string; readonly name: string; readonly handle: string }

const nothing: EarningsSums = { agreed: 0n, inReview: 0n, paid: 0n, disputed: 0n }

/** All earnings of a person: of its wallet and of its agents, with what it can withdraw now. */
export async function readEarnings(ctx: Context, person: { did: string; address: `0x${string}` }) {
  const own = await listOwnAgents(ctx, person.did)
  const [byWallet, ...byAgent] = await Promise.all([
    listPayouts(ctx, { payee: person.address }),
    ...own.map(({ agentId }) => listPayouts(ctx, { agentId })),
  ])
  const all = new Map([...(byWallet ?? []), ...byAgent.flat()].map((payout) => [payout.id, payout]))
  const onChain = [...all.values()].filter((payout) => payout.rail === 'escrow')
  const goalIds = [...new Set(onChain.map((payout) => payout.goalId))]
  const steps = new Map(await Promise.all(goalIds.map(async (id) => [id, await listShownSteps(ctx, id)] as const)))
  const isDone = (payout: PayoutView) => steps.get(payout.goalId)?.find((step) => step.step === payout.step)?.state === 'done'
  const sum = (payouts: readonly PayoutView[]) => payouts.reduce((sums, payout) => add(sums, payout, isDone(payout)), nothing)
  const [credits, cards] = await Promise.all([getEscrowCredits(ctx, person.address), getCardEarnings(ctx, person.did)])
  return {
    ...sum(onChain),
    credits,
    cards: { unclaimed: cards.waiting, paid: cards.paid, account: cards.account },
    listings: own.map((one): ListingEarnings => ({ ...one, ...sum(onChain.filter((payout) => payout.agentId === one.agentId)) })),
  }
}

function add(sums: EarningsSums, payout: PayoutView, isDone: boolean): EarningsSums {
  switch (payout.state) {
    case 'sealed':
    case 'paying':
      return isDone ? { ...sums, inReview: sums.inReview + payout.amount } : { ...sums, agreed: sums.agreed + payout.amount }
    case 'paid':
    case 'credited':
    case 'split':
      return { ...sums, paid: sums.paid + (payout.paidAmount ?? payout.amount) }
    case 'disputed':
      return { ...sums, disputed: sums.disputed + payout.amount }
    case 'refunded':
    case 'replaced':
      return sums
    default:
      return payout.state satisfies never
  }
}
