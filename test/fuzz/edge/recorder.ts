/** What the product refuses though the schema allows it: recorded once (`--record`), and held against every later run. */
import type { Operation } from '../operations/operations.ts'
import { asItIs, type Case } from './cases.ts'

/** By operation and place: names of changes. */
export type Refusals = { readonly [operation: string]: { readonly [place: string]: readonly string[] } }

/** Statuses by which the content of a request is refused, whatever the state of what it is about. */
const ofContent = new Set([400, 413, 422])

/** What this run saw refused for its content, within the schema: to be recorded. */
export type Recorder = { note(one: Case, status: number): void; refusals(): Refusals }

export function createRecorder(): Recorder {
  const statuses = new Map<string, { readonly operation: Operation; readonly place: string; readonly name: string; all: Set<number> }>()
  return {
    note({ operation, place, mutation }: Case, status: number): void {
      if (operation.isReading || operation.isStream || !mutation.isWithin || mutation.parts || place.startsWith('(') || status === 429)
        return
      // Which id `other-3` is depends on the run.
      if (mutation.group === 'id' || mutation === asItIs || /^(socket|frame|page):/.test(operation.name)) return
      const key = `${operation.name} ${place} ${mutation.name}`
      const known = statuses.get(key) ?? { operation, place, name: mutation.name, all: new Set<number>() }
      known.all.add(status)
      statuses.set(key, known)
    },
    refusals(): Refusals {
      const found: { [operation: string]: { [place: string]: string[] } } = {}
      for (const { operation, place, name, all } of statuses.values()) {
        if (![...all].every((status) => ofContent.has(status))) continue
        const places = found[operation.name] ?? {}
        found[operation.name] = places
        places[place] = [...(places[place] ?? []), name]
      }
      const sorted = (tree: { [key: string]: string[] }) =>
        Object.fromEntries(
          Object.entries(tree)
            .sort()
            .map(([key, names]) => [key, names.sort()]),
        )
      return Object.fromEntries(
        Object.entries(found)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, places]) => [name, sorted(places)]),
      )
    },
  }
}
