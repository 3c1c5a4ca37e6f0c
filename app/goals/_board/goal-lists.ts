import { GoalId, type GoalState } from '@parley/protocol'

/** The lists of goals, by the states of their goals; `mine` has every state. */
export const goalLists = {
  all: { states: null },
  open: { states: ['open'] },
  underway: { states: ['underway', 'review', 'settling'] },
  settled: { states: ['paid', 'refunded'] },
  mine: { states: null },
} as const satisfies Record<string, { states: readonly GoalState[] | null }>
export type GoalListName = keyof typeof goalLists
export const goalListNames = Object.keys(goalLists) as GoalListName[]

/** The list in the URL; an unknown one shows all goals. */
export function readGoalListQuery(asked: { show?: string; text?: string; after?: string }): {
  show: GoalListName
  text?: string
  after?: string
  /** It named a place that no list has. */
  isUnknownPlace: boolean
} {
  const show = asked.show !== undefined && Object.hasOwn(goalLists, asked.show) ? (asked.show as GoalListName) : 'all'
  const text = typeof asked.text === 'string' ? asked.text.trim().slice(0, 200) : ''
  const after = GoalId.safeParse(asked.after)
  return {
    show,
    ...(text ? { text } : {}),
    ...(after.success ? { after: after.data } : {}),
    isUnknownPlace: !after.success && Boolean(asked.after),
  }
}
