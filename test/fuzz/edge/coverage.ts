/** What was sent where: by operation, place and class of change; and how much of it got past validation. */
import { type Case, fullName } from './cases.ts'

type Row = {
  sent: number
  accepted: number
  limited: number
  readonly places: Set<string>
  readonly groups: Set<string>
  readonly roles: Set<string>
}

type Figure = 'operations' | 'positions' | 'positions_of' | 'classes' | 'classes_of' | 'cases' | 'accepted' | 'limited'
export type Coverage = {
  /** What there is to try. */
  expect(cases: readonly Case[]): void
  note(one: Case, status: number): void
  /** How often this class was tried at this place. */
  tried(one: Case): number
  lines(): string[]
  figures(): { readonly [name in Figure]: number }
}

const isAccepted = (status: number) => status >= 200 && status < 400

export function createCoverage(): Coverage {
  const rows = new Map<string, Row>()
  const tries = new Map<string, number>()
  const [allPlaces, allKeys] = [new Set<string>(), new Set<string>()]
  const keyOf = ({ operation, place, mutation }: Case) => `${operation.name} ${place} ${mutation.group}`
  return {
    expect(cases) {
      for (const one of cases) {
        allPlaces.add(`${one.operation.name} ${one.place}`)
        allKeys.add(keyOf(one))
      }
    },
    note(one, status) {
      const { operation, place, role, mutation } = one
      const row = rows.get(fullName(operation)) ?? {
        sent: 0,
        accepted: 0,
        limited: 0,
        places: new Set(),
        groups: new Set(),
        roles: new Set(),
      }
      rows.set(fullName(operation), row)
      row.sent++
      if (isAccepted(status)) row.accepted++
      // Nobody has looked at what was refused for its number.
      if (status === 429) row.limited++
      else {
        // What was refused as a whole says nothing of its parts.
        for (const at of [place, ...(isAccepted(status) ? (mutation.parts ?? []).map((part) => part.place) : [])]) {
          const key = keyOf({ ...one, place: at })
          row.places.add(at)
          row.groups.add(`${at} ${mutation.group}`)
          tries.set(key, (tries.get(key) ?? 0) + 1)
        }
        row.roles.add(role)
      }
    },
    tried: (one) => tries.get(keyOf(one)) ?? 0,
    lines() {
      return [...rows]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(
          ([name, row]) =>
            `${name.padEnd(44)} ${String(row.sent).padStart(5)} sent ${String(row.accepted).padStart(5)} taken ${String(row.limited).padStart(4)} limited  ` +
            `${row.places.size} places, ${row.groups.size} place × class, as ${[...row.roles].join(' ')}`,
        )
    },
    figures() {
      const all = [...rows.values()]
      const sum = (of: (row: Row) => number) => all.reduce((total, row) => total + of(row), 0)
      return {
        operations: all.length,
        positions: sum(({ places }) => places.size),
        positions_of: allPlaces.size,
        classes: sum(({ groups }) => groups.size),
        classes_of: allKeys.size,
        cases: sum(({ sent }) => sent),
        accepted: sum(({ accepted }) => accepted),
        limited: sum(({ limited }) => limited),
      }
    },
  }
}
