/** Dead ends and wrong sums that a change might introduce. Each has to be found. */
import { advanceChannel } from '../../server/settlement/channels/channel.ts'
import { noHash } from '../contracts/model/call-context.ts'
import type { Plan, State } from '../contracts/model/types.ts'
import { small } from './profiles.ts'
import { cardPayment, misread, type PlantedFault, refusing, spoilt, transaction } from './removed-timeouts.ts'
import { rules } from './rules.ts'
import { who } from './worlds/escrow-calls.ts'

const { plan, planThatRefunds, directHire, goal, partiesAtContract, lateServer, lostKey, channel, card, settlement, dispute } = small
const { changingClient, changingMember, goalWithChanges, approvedContest } = small

function moveMoney(state: State, from: string, to: string, amount: bigint): void {
  const balances = (state.tokens[who.token]?.balances ?? {}) as Record<string, bigint>
  balances[from] = (balances[from] ?? 0n) - amount
  balances[to] = (balances[to] ?? 0n) + amount
}
const isDisputed = (one: Plan) => one.codes.includes(3)

const inEscrow: readonly PlantedFault[] = [
  {
    name: 'a refund keeps a unit',
    world: plan,
    change: spoilt((state, one) => {
      moveMoney(state, who.client, who.escrow, 1n)
      one.remaining += 1n
    }, 'refund'),
  },
  { name: 'a closing after the expiry refuses disputed steps', world: plan, change: refusing(isDisputed, 'closeExpired') },
  {
    name: 'a closing after the expiry refuses proposed charters',
    world: plan,
    change: refusing((one) => one.state === 1, 'closeExpired', 'settleOnSilence'),
  },
  { name: 'a refund refuses plans that are closing', world: planThatRefunds, change: refusing((one) => one.closing, 'refund') },
  { name: 'a refund refuses vetoed plans', world: plan, change: refusing((one) => one.vetoed, 'refund') },
  {
    name: 'a direct hire is never refunded',
    world: directHire,
    change: refusing(
      (_one, what) => 'terms' in what && 'charter' in (what.terms as object) && (what.terms as { charter: string }).charter !== noHash,
      'refund',
    ),
  },
  { name: 'a refund takes submitted work back', world: plan, change: misread(() => ({ submitted: 0n }), 'refund') },
  { name: "a refund takes the client's disputes back", world: plan, change: misread(() => ({ disputedByPayee: 255n }), 'refund') },
  { name: "the evaluator's closing ends submitted work", world: plan, change: misread(() => ({ submitted: 0n }), 'settle') },
  {
    name: 'a charter does not end a notice',
    world: plan,
    change: spoilt((_state, one) => {
      if (one.closableFrom > 0) one.noticed = true
    }, 'seal'),
  },
  {
    name: 'a settlement pays a unit less',
    world: plan,
    change: spoilt((state) => {
      const [payee] = who.payees
      if ((state.tokens[who.token]?.balances[payee] ?? 0n) > 0n) moveMoney(state, payee, who.client, 1n)
    }, 'settle'),
  },
  {
    name: 'a ruling pays out of other plans',
    world: plan,
    change: spoilt((state) => moveMoney(state, who.escrow, who.payees[0], 10n), 'rule'),
  },
  {
    name: 'the fee is credited twice',
    world: plan,
    change: spoilt((state) => {
      const credits = state.credits[who.token]
      if (credits) credits[who.feeTo] = 2n * (credits[who.feeTo] ?? 0n)
    }, 'settle'),
  },
  {
    name: 'a veto pays the charter out',
    world: plan,
    change: spoilt((state, one) => {
      moveMoney(state, who.escrow, who.payees[0], one.remaining)
    }, 'veto'),
  },
]

const inProduct: readonly PlantedFault[] = [
  { name: 'an approval after the deadline has an effect', world: approvedContest, change: { isApprovalInTime: () => true } },
  {
    name: 'nothing is settled where all goes back',
    world: goal,
    change: {
      nextHoldAction: (facts, now) =>
        facts.state === 'voiding' && rules.nextHoldAction(facts, now) === 'settle' ? null : rules.nextHoldAction(facts, now),
    },
  },
  {
    name: 'a debt is only ever refunded',
    world: lateServer,
    change: { nextReclaim: (hold, one, now) => rules.nextReclaim(hold, one, now) && 'refund', stepsToPayByDefault: () => 0n },
  },
  {
    name: 'only untouched holds are reclaimed',
    world: lostKey,
    change: {
      nextHoldAction: (facts, now) =>
        facts.state !== 'authorized' && rules.nextHoldAction(facts, now) === 'reclaim' ? null : rules.nextHoldAction(facts, now),
    },
  },
  {
    name: 'no settlement brings its charter',
    world: goal,
    change: { nextSettlement: (hold, facts) => rules.nextSettlement(hold, { ...facts, canBring: false }) },
  },
  {
    name: 'a settlement never closes',
    world: goal,
    change: {
      nextSettlement: (hold, facts) => {
        const next = rules.nextSettlement(hold, facts)
        return next && { ...next, close: false }
      },
    },
  },
  {
    name: 'a settlement pays nothing',
    world: goal,
    change: {
      nextSettlement: (hold, facts) => {
        const next = rules.nextSettlement(hold, facts)
        return next && { ...next, bits: 0n }
      },
    },
  },
  {
    name: 'a vetoed charter keeps its plan open',
    world: partiesAtContract,
    change: {
      nextSettlement: (hold, facts) => (facts.plan.charter === 'none' && facts.plan.version > 0 ? null : rules.nextSettlement(hold, facts)),
    },
  },
  {
    name: "a contract wallet's approval puts a charter in force before it is on chain",
    world: changingClient,
    change: { isInForceAtOnce: ({ isOnlyCandidate }) => isOnlyCandidate },
  },
  {
    name: "a seal brings members' signatures that the evaluator's replaces",
    world: changingMember,
    // A day, so that the search need not look at each pause.
    change: { requiredSealSignatures: (_charter, given) => [...given], sealRetrySeconds: 86_400 },
  },
  {
    name: 'the review after requested changes never ends',
    world: goalWithChanges,
    change: {
      advanceGoal: (one, event) => {
        const next = rules.advanceGoal(one, event)
        return next.state === 'review' && next.revisions > 0 ? { ...next, reviewBy: new Date(9_000_000_000_000) } : next
      },
    },
  },
  {
    name: 'the review clock settles nothing',
    world: goal,
    change: { advanceGoal: (one, event) => (event.type === 'goal.settle' ? one : rules.advanceGoal(one, event)) },
  },
]

const inChannels: readonly PlantedFault[] = [
  {
    name: 'a closing channel wants nothing',
    world: channel,
    change: { nextChainAction: (one, limits) => (one.state === 'closing' ? null : rules.nextChainAction(one, limits)) },
  },
  {
    name: 'a channel is withdrawn before it is claimed',
    world: channel,
    change: {
      nextChannelCall: (one, { closeRequestedAt, now }) => {
        const isOver = closeRequestedAt !== 0 && now >= closeRequestedAt + one.config.withdrawDelay
        return one.state === 'closing' && closeRequestedAt !== 0
          ? isOver
            ? { call: 'withdraw' }
            : null
          : rules.nextChannelCall(one, { closeRequestedAt, now })
      },
    },
  },
  {
    name: 'claims are not noted',
    world: channel,
    change: { advanceChannel: (one, event) => (event.type === 'claim' ? one : advanceChannel(one, event)) },
  },
  {
    name: 'a call that was declined stays open',
    world: channel,
    change: { advanceChannel: (one, event) => (event.type === 'release' ? one : advanceChannel(one, event)) },
  },
  {
    name: "the receiver's authorizer cannot give notice",
    world: channel,
    change: { channels: (before, what) => (what.fn === 'close' && what.by === 'authorizer' ? null : rules.channels(before, what)) },
  },
  {
    name: 'a claim pays a unit more',
    world: channel,
    change: {
      channels: (before, what) => {
        const outcome = rules.channels(before, what)
        return outcome && what.fn === 'claim' ? { ...outcome, state: { ...outcome.state, receiver: outcome.state.receiver + 1 } } : outcome
      },
    },
  },
]

const onCards: readonly PlantedFault[] = [
  {
    name: 'what Stripe has done is never posted',
    world: card,
    change: cardPayment((next, event) => (event.type === 'post' ? null : next)),
  },
  {
    name: 'a veto of a card charter does not count',
    world: card,
    change: {
      isCardCharterPayable: (charter, _charters, terms, at) => {
        const own = { ...charter, veto: null }
        return rules.isCardCharterPayable(own, [own], terms, at)
      },
    },
  },
  {
    name: 'a refusal that passes ends a share',
    world: card,
    change: cardPayment((next, event) => (event.type === 'refuse' && next.kind === 'transfer' ? { ...next, state: 'failed_final' } : next)),
  },
  {
    name: 'a refund that failed is not noted',
    world: card,
    change: cardPayment((next, event) => (event.type === 'object' && event.object.state === 'failed' ? null : next)),
  },
  {
    name: 'a cent is lost between shares and refund',
    world: card,
    change: {
      allocateCents: (total, bps, owed) => {
        const shares = rules.allocateCents(total, bps, owed)
        return { ...shares, refund: shares.refund - 1n }
      },
    },
  },
]

const ofTransactions: readonly PlantedFault[] = [
  {
    name: 'a cancelled transaction is given up',
    world: settlement,
    change: transaction((row, sighting) => {
      const next = rules.advanceTransaction(row, sighting)
      return next && sighting.type === 'cancelled' ? { ...next, state: 'failed_final' } : next
    }),
  },
  {
    name: 'a reorganization goes unnoticed',
    world: settlement,
    change: transaction((row, sighting) =>
      sighting.type === 'vanished' ? { ...row, retryAt: null } : rules.advanceTransaction(row, sighting),
    ),
  },
  { name: 'a nonce that a reorganization freed stays free', world: settlement, change: { shouldFillNonce: () => false } },
  {
    name: 'the first refusal is the last',
    world: settlement,
    change: transaction((row, sighting) =>
      rules.advanceTransaction(row, sighting.type === 'refused' ? { ...sighting, isFinal: true } : sighting),
    ),
  },
]

const onDisputes: readonly PlantedFault[] = [
  {
    name: 'a closed plan leaves its disputes open',
    world: dispute,
    change: { nextDisputeState: (state, fact) => (fact === 'closed' ? state : rules.nextDisputeState(state, fact)) },
  },
  {
    name: 'a dispute that was opened past the server is not noted',
    world: dispute,
    change: { nextDisputeState: (state, fact) => (state === null ? null : rules.nextDisputeState(state, fact)) },
  },
  {
    name: 'a split during a ruling is not noted',
    world: dispute,
    change: { nextDisputeState: (state, fact) => (state === 'ruling' && fact === 'agreed' ? state : rules.nextDisputeState(state, fact)) },
  },
]

export const plants: readonly PlantedFault[] = [...inEscrow, ...inProduct, ...inChannels, ...onCards, ...onDisputes, ...ofTransactions]
