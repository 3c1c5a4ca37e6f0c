/** A bounded part of `npm run check:money`: the small worlds, one fault of each kind, and the events. */
import { describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../contracts/abi/plan-escrow.ts'
import { exceptions } from './accepted-dead-ends.ts'
import { explore } from './explore.ts'
import { find } from './find-planted-fault.ts'
import { mapContractEvents, mapStripeEvents, stripeEventTypes } from './map-events-to-transitions.ts'
import { plants } from './planted-faults.ts'
import { small } from './profiles.ts'
import { timeouts } from './removed-timeouts.ts'
import { rules } from './rules.ts'
import { clockFaults, timeConstants } from './time-constants.ts'

const {
  goal,
  goalWithChanges,
  contest,
  contestThatRefunds,
  checkedContest,
  silentRefund,
  silentSplit,
  splitAtContract,
  channel,
  card,
  dispute,
  settlement,
  plan,
  directHire,
  goalWithKey,
  quotedGoal,
  changingClient,
  changingMember,
  lostKey,
} = small
const searched = {
  plan,
  directHire,
  goal,
  goalWithChanges,
  contest,
  contestThatRefunds,
  checkedContest,
  silentRefund,
  silentSplit,
  splitAtContract,
  goalWithKey,
  quotedGoal,
  changingClient,
  changingMember,
  lostKey,
  channel,
  card,
  settlement,
}
/** Of the others `check:money` takes all. */
const quick = new Set([
  ...[goal, goalWithChanges, contest, silentRefund, goalWithKey, quotedGoal, changingClient, changingMember],
  ...[channel, card, dispute, settlement, directHire],
])

describe('money', () => {
  it.each(Object.entries(searched))('ends in every state of: %s', (_name, world) => {
    const { faults, isCut, states } = explore(world(rules))
    expect(faults).toEqual([])
    expect(isCut).toBe(false)
    expect(states).toBeGreaterThan(100)
  })

  it.each(timeouts.filter(({ world }) => quick.has(world)).map((one) => [one.name, one] as const))(
    'needs the timeout: %s',
    (_name, one) => {
      expect(find(one)).not.toBeNull()
    },
  )

  it.each(plants.filter(({ world }) => quick.has(world)).map((one) => [one.name, one] as const))('is not lost where %s', (_name, one) => {
    expect(find(one)).not.toBeNull()
  })

  it('needs the expiry, and the veto window in full', () => {
    const ofPlan = timeouts.filter(({ name }) => name.startsWith('veto window') || name.startsWith('expiry, from which anybody'))
    expect(ofPlan.map(find)).toEqual([
      expect.stringContaining('A notice has run'),
      expect.stringContaining('veto window'),
      expect.stringContaining('dead end'),
      expect.stringContaining('that the client has not approved'),
    ])
  })

  it('has a name for every fault and every exception', () => {
    for (const list of [timeouts, plants, exceptions]) expect(new Set(list.map(({ name }) => name)).size).toBe(list.length)
    expect(timeouts.length).toBeGreaterThanOrEqual(25)
    expect(plants.length).toBeGreaterThanOrEqual(25)
  })

  it('knows of every time span that money could wait for, and misses a new one', () => {
    expect(clockFaults()).toEqual([])
    expect(clockFaults([...timeConstants(), 'settlement/pause.ts pauseMs'])).toEqual(['settlement/pause.ts pauseMs has no entry'])
  })

  it('has a transition for every event of the contracts and of Stripe, and misses a new one', () => {
    expect(mapContractEvents().missing).toEqual([])
    expect(mapStripeEvents().missing).toEqual([])
    expect(stripeEventTypes()).toContain('charge.dispute.closed')
    expect(mapContractEvents([...planEscrowAbi, { type: 'event', name: 'PlanPaused' }]).missing).toEqual(['PlanPaused'])
    expect(mapStripeEvents(['transfer.paused']).missing).toEqual(['transfer.paused'])
  })
})
