/** The minimum number of visible characters of a goal's text. */
export const minGoalText = 4
/** The maximum number of characters of a goal's text. */
export const maxGoalText = 4_000
