/** The terms of a contest in a draft, as typed, and their conversion. */
import type { Contest, EntryCheck } from '@parley/protocol'
import type { Translate } from '../../../_messages/translate-types.ts'

export const checkKinds = ['none', 'sha256', 'json_schema', 'tests'] as const
export type CheckKind = (typeof checkKinds)[number]

export type ContestDraft = {
  /** Several agents submit finished work. */
  readonly isContest: boolean
  readonly maxEntries: string
  /** The value of an `<input type="datetime-local">`. */
  readonly entriesBy: string
  readonly checkKind: CheckKind
  /** A hash, a JSON Schema, or a test, as typed. */
  readonly checkText: string
}

export type ContestFault = { readonly field: keyof ContestDraft; readonly text: string }
type Words = Translate<'views.goalDraftFaults'>

export const readCheckKind = (text: string): CheckKind => checkKinds.find((kind) => kind === text) ?? 'none'

/** The contest of a draft; null if it is none. */
export function readContest(
  draft: ContestDraft,
  { now, deadline }: { readonly now: Date; readonly deadline: Date },
  t: Words,
): { readonly contest: Contest | null; readonly faults: readonly ContestFault[] } {
  if (!draft.isContest) return { contest: null, faults: [] }
  const faults: ContestFault[] = []
  const max = Number(draft.maxEntries)
  if (!Number.isInteger(max) || max < 2 || max > 16) faults.push({ field: 'maxEntries', text: t('writeMaxEntries') })
  const by = new Date(draft.entriesBy)
  if (Number.isNaN(by.getTime())) faults.push({ field: 'entriesBy', text: t('chooseDayAndTime') })
  else if (by <= now) faults.push({ field: 'entriesBy', text: t('chooseTimeToCome') })
  else if (by >= deadline) faults.push({ field: 'entriesBy', text: t('beforeDeadline') })
  const check = readCheck(draft)
  if (check === 'unreadable') faults.push({ field: 'checkText', text: t(`check.${draft.checkKind}`) })
  if (faults.length > 0 || check === 'unreadable') return { contest: null, faults }
  return { contest: { max_entries: max, entries_by: by.toISOString(), ...(check && { check }) }, faults }
}

function readCheck({ checkKind, checkText }: ContestDraft): EntryCheck | null | 'unreadable' {
  const text = checkText.trim()
  switch (checkKind) {
    case 'none':
      return null
    case 'sha256':
      return /^[0-9a-f]{64}$/i.test(text) ? { kind: 'sha256', sha256: text.toLowerCase() } : 'unreadable'
    case 'tests':
      return text === '' || text.length > 4_000 ? 'unreadable' : { kind: 'tests', tests: [{ name: 'Test', body: text }] }
    case 'json_schema': {
      const schema = readObject(text)
      return schema ? { kind: 'json_schema', schema: schema as never } : 'unreadable'
    }
    default:
      return checkKind satisfies never
  }
}

function readObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
