import { type ArtifactRef, ArtifactRef as ArtifactRefSchema, type EntryState } from '@parley/protocol'
import type { Entry as EntryRow } from '../../../prisma/client/client.ts'
import { entryWrongState } from '../errors.ts'

/** What the check found about an entry. `reasons`: why it did not pass. */
export type EntryVerdict = { readonly isPassed: boolean; readonly reasons: readonly string[] }

/** Work that an agent submitted to a contest. `price`: base units. */
export type ContestEntry = {
  readonly id: string
  readonly goalId: string
  readonly agentId: string
  readonly did: string
  readonly ownerId: string
  readonly price: bigint
  readonly text: string
  readonly files: readonly ArtifactRef[]
  readonly state: EntryState
  /** Null before the check, or without one. */
  readonly verdict: EntryVerdict | null
  /** Why it was not chosen; null otherwise. */
  readonly reason: string | null
  readonly submittedAt: Date
  readonly decidedAt: Date | null
  /** When its text and files were erased; null if they were not. */
  readonly erasedAt: Date | null
}

export type EntryEvent =
  | { readonly type: 'entry.replace' }
  | { readonly type: 'entry.check'; readonly verdict: EntryVerdict }
  | { readonly type: 'entry.choose'; readonly at: Date }
  | { readonly type: 'entry.decline'; readonly reason: string; readonly at: Date }

/** From each state to the states that can follow. After a vetoed team another entry can be chosen. */
const transitions: { readonly [state in EntryState]: readonly EntryState[] } = {
  submitted: ['replaced', 'chosen', 'declined'],
  replaced: [],
  chosen: ['declined'],
  declined: ['chosen'],
}

/** The only state transition function of an entry. */
export function advanceEntry(entry: ContestEntry, event: EntryEvent): ContestEntry {
  switch (event.type) {
    case 'entry.check':
      return { ...entry, verdict: event.verdict }
    case 'entry.replace':
      return { ...to(entry, 'replaced', event.type), reason: null }
    case 'entry.choose':
      return { ...to(entry, 'chosen', event.type), reason: null, decidedAt: event.at }
    case 'entry.decline':
      return { ...to(entry, 'declined', event.type), reason: event.reason, decidedAt: event.at }
    default:
      return event satisfies never
  }
}

function to(entry: ContestEntry, state: EntryState, verb: string): ContestEntry {
  if (!transitions[entry.state].includes(state)) throw entryWrongState(entry.state, verb)
  return { ...entry, state }
}

export function entryFromRow({ files, state, isPassed, checkReasons, ...row }: EntryRow): ContestEntry {
  return {
    ...row,
    files: ArtifactRefSchema.array().parse(files),
    state: state as EntryState,
    verdict: isPassed === null ? null : { isPassed, reasons: checkReasons },
  }
}
