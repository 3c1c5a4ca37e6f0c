/** The background jobs. `npm run check:money` removes each entry of the first two lists, and must then find money that does not move. */
export const moneyJobs = ['react', 'expire-task', 'expire-call', 'lapse-review', 'reclaim-hold', 'handle-notice', 'sweep-cards'] as const
/** Loops that run in one process at a time. */
export const moneyRounds = ['chain', 'cards'] as const
export const upkeepJobs = [
  'read-peers',
  'compare-books',
  'keep-messages',
  'clean-files',
  'expire-memory',
  'answer-card-disputes',
  'apply-payout',
  'spread-offer',
] as const

export type MoneyJob = (typeof moneyJobs)[number]
export type MoneyRound = (typeof moneyRounds)[number]
export type JobName = MoneyJob | (typeof upkeepJobs)[number]
