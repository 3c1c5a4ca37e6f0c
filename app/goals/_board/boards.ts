import { GoalId, type GoalState } from '@parley/protocol'

/** The lists of the board, by the states that they hold; `mine` holds every state. */
export const boards = {
  all: { label: 'All', states: null, empty: 'No goals yet' },
  open: { label: 'Open', states: ['open'], empty: 'Nothing waits for a planner' },
  underway: { label: 'Underway', states: ['underway', 'review', 'settling'], empty: 'Nobody is working right now' },
  settled: { label: 'Settled', states: ['paid', 'refunded'], empty: 'Nothing has been settled yet' },
  mine: { label: 'Mine', states: null, empty: 'You have not posted a goal' },
} as const satisfies Record<string, { label: string; states: readonly GoalState[] | null; empty: string }>
export type BoardName = keyof typeof boards

/** What the address asks for; anything that is no list shows all. */
export function readBoard(asked: { show?: string; text?: string; after?: string }): {
  show: BoardName
  text?: string
  after?: string
  /** It named a place that no list has. */
  isUnknownPlace: boolean
} {
  const show = asked.show !== undefined && Object.hasOwn(boards, asked.show) ? (asked.show as BoardName) : 'all'
  const text = typeof asked.text === 'string' ? asked.text.trim().slice(0, 200) : ''
  const after = GoalId.safeParse(asked.after)
  return {
    show,
    ...(text ? { text } : {}),
    ...(after.success ? { after: after.data } : {}),
    isUnknownPlace: !after.success && Boolean(asked.after),
  }
}
