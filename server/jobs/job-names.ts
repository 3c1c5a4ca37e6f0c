/**
 * What runs by itself. `npm run check:money` removes each of the first two lists one by one, and has to find money that then
 * stays where it is.
 */
export const moneyJobs = ['react', 'expire-task', 'expire-call', 'lapse-review', 'reclaim-hold', 'handle-notice', 'sweep-cards'] as const
/** Rounds that one process of all makes again and again. */
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
