/**
 * Every time span that the money's modules name, with the planted fault that takes it away, or the reason why no money waits for it.
 * A new one fails the check until it is here.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { timeouts } from './removed-timeouts.ts'

type Clock = { readonly fault: string } | { readonly reason: string }

const signature = { reason: 'bounds how long a signature counts; what is not sent in time is signed again' }
const contractEnds = (why: string) => ({ reason: `${why}; the expiry in the contract ends the plan without it` })

const clocks: { readonly [constant: string]: Clock } = {
  'settlement/charters/next-sealing.ts approvalSeconds': { fault: 'wait for an approval' },
  'settlement/submit/submit-settlement.ts signatureWaitSeconds': { fault: "wait for a party's word" },
  'settlement/holds/schedule-sealing.ts sealRetrySeconds': contractEnds('repeats a seal that the contract refused'),
  'settlement/submit/next-settlement-or-reclaim.ts lateSettlementSeconds': { fault: 'end of the wait for a late settlement' },
  'settlement/channels/channel.ts withdrawDelaySeconds': { fault: 'withdraw delay: never ends' },
  'settlement/channels/channel.ts idleSeconds': { fault: 'idle time of a channel' },
  'settlement/channels/channel.ts claimRetrySeconds': { fault: 'pause after a refused claim' },
  'settlement/stripe/credit-share-without-payout-account.ts claimDays': { fault: 'claim date of a share' },
  'settlement/stripe/card-payment.ts idempotencyKeyLifetimeMs': { fault: 'life of an idempotency key' },
  'settlement/stripe/card-payment.ts pollIntervalMs': { fault: 'look at what is pending' },
  'settlement/rails/stripe-rail.ts maxClockSkewSeconds': { reason: 'bounds the time of a signed webhook; a job asks Stripe for the state' },
  'calls/skill-tests/skill-test.ts testLeaseMs': { reason: 'bounds a test task; it moves no money' },
  'calls/skill-tests/find-schema-mismatches.ts withinMs': { reason: 'bounds a check of a file; it moves no money' },
  'goals/planners/quote-threads/quote-threads.ts deadlineMs': { reason: 'bounds the reading of a text; no money moved yet' },
  'goals/planners/quote-threads/quote-threads.ts startWithinMs': { reason: 'bounds the start of a thread; no money moved yet' },
  'calls/call.ts callLeaseMs': { fault: 'lease of a call' },
  'settlement/holds/hold-deadlines.ts closingSeconds': { fault: 'time to dispute a return: never ends' },
  'settlement/worker/next-hold-action.ts slackSeconds': { fault: 'reclaim after the expiry' },
  'settlement/submit/submit-default-payments-after-review.ts marginSeconds': { fault: 'silence clock' },
  'settlement/worker/retry-failed-settlements.ts settlementRetrySeconds': contractEnds('repeats a settlement that the contract refused'),
  'settlement/chain/retry-delay.ts initialDelayMs': contractEnds('the first pause after a failed attempt'),
  'settlement/chain/retry-delay.ts maxDelayMs': contractEnds('the longest pause after a failed attempt'),
  'settlement/credits/withdraw-credit.ts maxValiditySeconds': signature,
  'settlement/channels/open-channel.ts maxValiditySeconds': signature,
  'settlement/credits/get-escrow-credits.ts validSeconds': signature,
  'settlement/stripe/payout-account-terms.ts maxValiditySeconds': signature,
  'settlement/channels/channel-salt.ts validSeconds': { reason: 'bounds a quote; no money moved yet' },
  'settlement/stripe/build-stripe-payment-request.ts minOpenSeconds': { reason: 'bounds a checkout page; nothing was charged yet' },
  'settlement/stripe/build-stripe-payment-request.ts maxOpenSeconds': { reason: 'bounds a checkout page; nothing was charged yet' },
  'settlement/reconciliation/reconcile.ts cardDelaySeconds': { reason: 'when the reconciler reports a delay; it moves nothing' },
  'goals/posting/require-enough-time-and-budget.ts minWorkMs': { reason: 'bounds the deadline that a client may name; no money moved yet' },
  'goals/review/request-revision.ts minRevisionMs': { reason: 'how late changes can be requested; the deadline ends them' },
  'goals/contest/next-contest-action.ts reserveMs': { fault: 'contest clock: leaves no time for a veto' },
  'goals/contest/next-contest-action.ts minEntryMs': { reason: 'bounds the terms that a client may name; no money moved yet' },
  'goals/contest/next-contest-action.ts checkMs': { reason: 'bounds the terms that a client may name; no money moved yet' },
  'goals/contest/check-next-entry-of-each-client.ts roundMs': {
    reason: 'bounds a round of checks; the clock of the contest ends it without them',
  },
  'goals/claim-goal.ts goneAfterMs': contractEnds('when another planner may take the goal'),
  'goals/disputes/compose-card-dispute-evidence.ts marginMs': {
    reason: 'when evidence is sent; the bank decides at its own date without it',
  },
}

const units = new Set(['daySeconds', 'dayMs', 'hourMs', 'hourSeconds', 'epochMs'])
const root = path.join(import.meta.dirname, '../../server')

/** Constants whose name ends in a unit of time, as `folder/file.ts name`. */
export function timeConstants(): string[] {
  const files = globSync('{settlement,goals,calls,teams}/**/*.ts', { cwd: root }).sort()
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const names = [...text.matchAll(/^(?:export )?const (\w+(?:Seconds|Ms|Hours|Days))(?:: [^=]+)? =/gm)].map(([, name = '']) => name)
    return names.filter((name) => !units.has(name)).map((name) => `${file} ${name}`)
  })
}

/** Constants without an entry, entries without a constant, and entries that name no planted fault. */
export function clockFaults(found: readonly string[] = timeConstants()): string[] {
  const planted = new Set(timeouts.map(({ name }) => name))
  const unlisted = found.filter((one) => clocks[one] === undefined).map((one) => `${one} has no entry`)
  const gone = Object.keys(clocks).filter((one) => !found.includes(one))
  const unknown = Object.entries(clocks).filter(([, clock]) => 'fault' in clock && !planted.has(clock.fault))
  return [...unlisted, ...gone.map((one) => `${one} does not exist`), ...unknown.map(([one]) => `${one} names no planted fault`)]
}
