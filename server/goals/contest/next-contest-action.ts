import type { Contest, SilenceOutcome } from '@parley/protocol'
import type { ContestEntry } from './entry.ts'

/** Between the end of the veto window and the deadline: enough to record the team of the chosen entry and to deliver it. */
const reserveMs = 900_000
const hourMs = 3_600_000
/** The minimum time in which entries can be submitted. */
const minEntryMs = 60_000
/** Between the last entry and the decision: enough to check the entries that are submitted at the last moment. */
const checkMs = 600_000

export type ContestTerms = {
  readonly contest: Contest
  readonly onSilence: SilenceOutcome
  readonly deadline: Date
  readonly vetoHours: number
}

/** Whether an entry can be chosen without the client: by the check, or by the client's silence. Then the client can only veto it. */
const choosesAlone = ({ contest, onSilence }: Pick<ContestTerms, 'contest' | 'onSilence'>): boolean =>
  contest.check !== undefined || onSilence === 'pay'

/** The latest time of the client's own choice. A choice without the client leaves time for a veto before the deadline. */
export function decisionDueAt(terms: ContestTerms): Date {
  const { deadline, vetoHours } = terms
  return choosesAlone(terms) ? new Date(deadline.getTime() - vetoHours * hourMs - reserveMs) : deadline
}

/** Why a goal can't be a contest with these terms; null if it can. */
export function findContestFault(terms: ContestTerms, now: Date): string | null {
  if (terms.onSilence === 'split') return 'A contest pays one entry whole or none. Choose `on_silence` `pay` or `refund`.'
  const by = new Date(terms.contest.entries_by)
  if (by.getTime() < now.getTime() + minEntryMs) return 'Entries need at least one minute. Choose a later `entries_by`.'
  if (choosesAlone(terms) && terms.vetoHours < 1)
    return 'An entry that a check or your silence chooses is paid after the veto window. Choose `veto_hours` of at least 1.'
  const due = new Date(decisionDueAt(terms).getTime() - (terms.contest.check === undefined ? 0 : checkMs))
  return by < due ? null : `\`entries_by\` has to be before ${due.toISOString()}, so that the chosen entry is paid before the deadline.`
}

/** What is due now. `end`: everything is refunded, for this reason. */
export type ContestAction =
  | { readonly wait: Date }
  | { readonly choose: readonly ContestEntry[] }
  | { readonly end: 'without_entries' | 'without_choice' | 'without_pass' }

/**
 * Decides a contest that has no chosen entry. With `on_silence` `pay`, the earliest entry is chosen; the list has the next ones, if the first
 * one can't be paid. A contest with a check pays only what passes it, and chooses that at once.
 */
export function nextContestAction(terms: ContestTerms, entries: readonly ContestEntry[], now: Date): ContestAction {
  const { contest, onSilence } = terms
  const closes = new Date(contest.entries_by)
  if (now < closes) return { wait: closes }
  const live = entries.filter(({ state }) => state === 'submitted')
  if (live.length === 0) return { end: 'without_entries' }
  const due = decisionDueAt(terms)
  if (now < due) return { wait: due }
  if (contest.check) return { end: 'without_pass' }
  return onSilence === 'pay' ? { choose: live } : { end: 'without_choice' }
}
