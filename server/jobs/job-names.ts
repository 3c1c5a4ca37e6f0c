/** Jobs that move money, or that end a wait for money. Each may run twice. */
type MoneyJob =
  | 'handle-event'
  | 'expire-task'
  | 'expire-call'
  | 'expire-review'
  | 'expire-revision'
  | 'expire-work'
  | 'expire-contest'
  | 'reclaim-hold'
  | 'handle-webhook-event'
  | 'sweep-stripe'

/** Jobs that maintain the installation. */
type MaintenanceJob =
  | 'sync-peers'
  | 'reconcile'
  | 'reconcile-recent'
  | 'apply-retention'
  | 'rewrite-erased-files'
  | 'expire-memory'
  | 'match-demands'
  | 'remind-review'
  | 'create-notifications'
  | 'answer-card-disputes'
  | 'apply-payout'
  | 'announce-goal-to-others'

/** The names of the background jobs, as the rows of the job queue store them. A name stays if its function is renamed. */
export type JobName = MoneyJob | MaintenanceJob

/** Loops that run in one process at a time, which holds the advisory lock of this name: for the chain, and for Stripe. */
export type MoneyLoop = 'chain' | 'cards'
