/** What the principal knows beside the room: what it looked up, what it fetched, and what the server refused. */
import { createHash } from 'node:crypto'
import type { Charter, Part } from '@parley/protocol'
import { type Listing, prefixedId, type TaskInput, uuidv7 } from '@parley/protocol'
import { keyOfNeed, type Need } from '../sourcing/gap.ts'
import type { Planned } from '../strategies/strategy.ts'

export type Knowledge = {
  /** Every listing online, when it was read (Unix milliseconds), and how far the room had come. */
  readonly market: { readonly at: number; readonly head: number; readonly listings: readonly Listing[] } | undefined
  /** Handles by DID, of everybody seen so far: who is offline now still has a name. */
  readonly names: ReadonlyMap<string, string>
  /** The planner's answer, and what it was asked: the plan of another question is no answer. */
  readonly planned: { readonly key: string; readonly at: number; readonly result: Planned } | undefined
  /** SHA-256 → text of the files that a decision needs. */
  readonly files: ReadonlyMap<string, string>
  /** When others than this market were asked, and for what; null where there is nobody to ask. */
  readonly sought: ReadonlyMap<string, number> | null
  /** Set where the server has refused something again and again: why the goal can't go on. */
  readonly hopeless: string | undefined
}

export const nothingKnown: Knowledge = {
  market: undefined,
  names: new Map(),
  planned: undefined,
  files: new Map(),
  sought: null,
  hopeless: undefined,
}

/** After others were asked: what is on offer, and so any plan, may be another now. */
export function hasSought(known: Knowledge, need: Need, at: number): Knowledge {
  return { ...known, sought: new Map([...(known.sought ?? []), [keyOfNeed(need), at]]), market: undefined, planned: undefined }
}

/** After a look at the market. */
export function seen(known: Knowledge, market: NonNullable<Knowledge['market']>): Knowledge {
  return { ...known, market, names: new Map([...known.names, ...market.listings.map(({ did, handle }) => [did, handle] as const)]) }
}

/** What the principal does next. `key` names it for good: the same key is never done twice in one version of the room. */
export type Action = { readonly key: string } & (
  | { readonly do: 'look' }
  | { readonly do: 'seek'; readonly need: Need }
  | { readonly do: 'plan'; readonly question: string }
  | { readonly do: 'fetch'; readonly sha256: string }
  | {
      readonly do: 'say'
      readonly text: string
      readonly act?: string
      readonly data?: NonNullable<Part['data']>
      readonly asks?: boolean
      readonly triggers?: readonly string[]
    }
  | { readonly do: 'propose'; readonly charter: Charter }
  | { readonly do: 'submit'; readonly charter: Charter; readonly reason: string }
  | { readonly do: 'seal' }
  | {
      readonly do: 'assign'
      readonly step: number
      readonly task_id: `tsk_${string}`
      readonly inputs: readonly TaskInput[]
      readonly task_desc: string
      readonly reworks?: `tsk_${string}`
    }
  | { readonly do: 'complete'; readonly task_id: `tsk_${string}`; readonly text: string; readonly content: string }
  | { readonly do: 'conclude'; readonly outcome: 'delivered' | 'failed'; readonly parts: readonly Part[] }
)

/** `until`: look again then, Unix milliseconds, though nothing was said. */
export type Decision = { readonly actions: readonly Action[]; readonly until?: number }

/** The same step in the same hands at the same time always has the same task id, so that assigning twice is assigning once. */
export function taskIdOf(goal_id: string, step: number, attempt: number, at: number): `tsk_${string}` {
  const digest = createHash('sha256').update(`${goal_id} ${step} ${attempt}`).digest()
  return prefixedId('tsk', uuidv7(at, digest)) as `tsk_${string}`
}
