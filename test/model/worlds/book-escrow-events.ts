/** What the server writes down once it has read what the escrow did: as `record-rail-events.ts` does with rows. */
import type { ChainEvent, Outcome } from '../../contracts/model/types.ts'
import { hash, planOf, startTime } from './escrow-calls.ts'
import { at, change, type EscrowHoldState, type GoalModel, type GoalState, type Step, sealNow } from './goal.ts'

type Books = Pick<GoalModel, 'terms' | 'rules' | 'charters'>

export function book(from: GoalState, { state, events }: Outcome, books: Books): GoalState {
  let next: GoalState = { ...from, chain: state, chainEvents: events }
  for (const event of events) next = bookOne(next, event, books)
  return next
}

function bookOne(from: GoalState, event: ChainEvent, books: Books): GoalState {
  const steps = (payout: Step['payout']) => ({ ...from, steps: from.steps.map((step) => ({ ...step, payout })) })
  switch (event.name) {
    case 'PlanSealed':
      return sealed(from, event, books)
    case 'CharterVetoed':
      return vetoed(from, event, books)
    case 'CloseRequested':
      return { ...from, charters: sealNow(from, books.rules) }
    case 'StepDisputed':
      return steps('disputed')
    case 'StepsSettled':
    case 'StepsDefaulted':
      return BigInt(String(event.bits)) === 0n ? from : steps('paid')
    case 'StepRuled':
    case 'OfferAccepted':
    case 'StepSplit':
      return steps(Number(event.payeeBps) === 0 ? 'refunded' : 'split')
    case 'PlanClosed':
      return closed(from, books)
    default:
      return from
  }
}

function sealed(from: GoalState, event: ChainEvent, { rules }: Books): GoalState {
  const version = Number(event.version)
  const charter = from.charters.find((one) => one.version === version)
  const left = from.charters.map((one) => (one.version <= version ? { ...one, sealDueAt: null } : one))
  if (!charter || !('charter' in from.hold) || 'settledTx' in from.hold) return { ...from, charters: left }
  const isNew = from.hold.charter === null || from.hold.charter.version < version
  const hold = isNew
    ? (rules.advanceHold(from.hold, { type: 'seal', charter: { version, hash: charter.hash } }) as EscrowHoldState)
    : from.hold
  const payout = hold.state === 'capturing' ? ('paying' as const) : ('sealed' as const)
  const steps = isNew ? from.steps.map((step) => ({ ...step, payout })) : from.steps
  const payableFrom = Number(event.payableFrom)
  const isProposed = payableFrom > from.chain.time
  const again = isProposed ? at(charter.authorization ? from.chain.time : payableFrom + 1) : null
  const one = left.find((other) => other.version === version)
  return { ...from, hold, steps, charters: one && again ? change(left, one, { sealDueAt: again }) : left }
}

function vetoed(from: GoalState, event: ChainEvent, { rules }: Books): GoalState {
  const version = Number(event.version)
  if (!('charter' in from.hold) || from.hold.charter?.version !== version) return from
  const charters = from.charters.map((one) =>
    one.version === version ? { ...one, sealDueAt: null, veto: { signer: hash(1) as never, signature: '0x' as never } } : one,
  )
  const steps = from.steps.map((step): Step => (step.payout === 'sealed' ? { ...step, payout: 'none' } : step))
  if (from.hold.state !== 'authorized') return { ...from, charters, steps }
  return { ...from, charters, steps, hold: rules.advanceHold(from.hold, { type: 'unseal', failure: 'vetoed' }) as EscrowHoldState }
}

function closed(from: GoalState, { rules, terms }: Books): GoalState {
  const { hold, goal } = from
  if (!('fundedTx' in hold) || 'settledTx' in hold) return from
  const isConcluded = from.chainEvents.some((event) => event.name === 'StepsSettled') || planOf(from.chain, terms)?.closing === true
  const isPaid = from.steps.some((step) => step.payout === 'paid' || step.payout === 'split')
  const ended = rules.closedHold(hold, isConcluded ? hash(7) : null, '0xclose', isPaid ? 1n : 0n) as EscrowHoldState
  const steps = from.steps.map(
    (step): Step => (['sealed', 'paying', 'disputed'].includes(step.payout) ? { ...step, payout: 'refunded' } : step),
  )
  const outcome = ended.state === 'captured' ? ('paid' as const) : ('refunded' as const)
  return { ...from, hold: ended, steps, goal: rules.advanceGoal(goal, { type: 'goal.close', outcome, at: at(startTime) }) }
}
