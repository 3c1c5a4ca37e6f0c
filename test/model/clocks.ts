/**
 * Every time span that the money's modules name, with the planted fault that takes it away, or the reason why no money waits for it.
 * A new one fails the check until it is here.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { timeouts } from './faults.ts'

type Clock = { readonly fault: string } | { readonly reason: string }

const signature = { reason: 'bounds how long a signature counts; what is not sent in time is signed again' }
const contractEnds = (why: string) => ({ reason: `${why}; the expiry in the contract ends the plan without it` })

const clocks: { readonly [constant: string]: Clock } = {
  'settlement/sealing.ts approvalSeconds': { fault: 'wait for an approval' },
  'settlement/submit-settlement.ts wordSeconds': { fault: "wait for a party's word" },
  'settlement/schedule-sealing.ts sealAgainSeconds': contractEnds('repeats a seal that the contract refused'),
  'settlement/next-settlement.ts lateSeconds': { fault: 'end of the wait for a late settlement' },
  'settlement/channel.ts withdrawDelaySeconds': { fault: 'withdraw delay: never ends' },
  'settlement/channel.ts idleSeconds': { fault: 'idle time of a channel' },
  'settlement/channel.ts askAgainSeconds': { fault: 'pause after a refused claim' },
  'settlement/card/share.ts claimDays': { fault: 'claim date of a share' },
  'settlement/card/card-payment.ts keyLifeMs': { fault: 'life of an idempotency key' },
  'settlement/card/card-payment.ts lookAgainMs': { fault: 'look at what is pending' },
  'calls/call.ts callLeaseMs': { fault: 'lease of a call' },
  'settlement/dispute-window.ts closingSeconds': { fault: 'time to dispute a return: never ends' },
  'settlement/hold-wants.ts slackSeconds': { fault: 'reclaim after the expiry' },
  'settlement/submit-steps.ts marginSeconds': { fault: 'submission before the work ends' },
  'settlement/tend-settlements.ts settleAgainSeconds': contractEnds('repeats a settlement that the contract refused'),
  'settlement/retry-delay.ts firstDelayMs': contractEnds('the first pause after a failed attempt'),
  'settlement/retry-delay.ts longestDelayMs': contractEnds('the longest pause after a failed attempt'),
  'settlement/withdraw-credit.ts longestSeconds': signature,
  'settlement/open-channel.ts longestSeconds': signature,
  'settlement/get-credits.ts validSeconds': signature,
  'settlement/channel-salt.ts validSeconds': { reason: 'bounds a quote; no money moved yet' },
  'settlement/card/call-of.ts leastOpenSeconds': { reason: 'bounds a checkout page; nothing was charged yet' },
  'settlement/card/call-of.ts mostOpenSeconds': { reason: 'bounds a checkout page; nothing was charged yet' },
  'settlement/reconcile.ts cardDelaySeconds': { reason: 'when the reconciler reports a delay; it moves nothing' },
  'goals/post-goal.ts leastWorkMs': { reason: 'bounds the deadline that a client may name; no money moved yet' },
  'goals/claim-goal.ts goneAfterMs': contractEnds('when another planner may take the goal'),
  'goals/dispute-evidence.ts marginMs': { reason: 'when evidence is sent; the bank decides at its own date without it' },
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
