/** All kinds of faults. A run in which a planned kind never happened proves nothing and is void. */
export const faultKinds = [
  'kill',
  'clock_jump',
  'database_restart',
  'database_disconnect',
  // One node.
  'rpc_refused',
  'rpc_no_answer',
  'rpc_answer_lost',
  'rpc_answer_lost_after_broadcast',
  'rpc_behind',
  'rpc_sent_twice',
  'mempool_drop',
  'fee_surge',
  'stuck_nonce',
  'reorg_within_depth',
  'reorg_beyond_depth_other_hash',
  // Two nodes, one of which lies.
  'lie_forged_logs',
  'lie_forged_receipts',
  'lie_withheld_logs',
  'lie_stale_head',
  'lie_other_chain',
  // Events.
  'unbookable_goal',
  'unbookable_channel',
  'stranger_plan',
  'stranger_channel',
  'channel_opened_elsewhere',
  // Channels.
  'claim_stuck',
  'claim_refused',
  // Stripe.
  'stripe_5xx',
  'stripe_5xx_after_effect',
  'stripe_no_answer',
  'stripe_answer_lost',
  'webhook_duplicated',
  'webhook_late_reordered',
  'refund_failed',
] as const
export type FaultKind = (typeof faultKinds)[number]

export type FaultTally = {
  note(kind: FaultKind, times?: number): void
  count(kind: FaultKind): number
  counts(): { readonly [kind: string]: number }
}

export function createTally(): FaultTally {
  const happened = new Map<FaultKind, number>(faultKinds.map((kind) => [kind, 0]))
  return {
    note: (kind, times = 1) => void happened.set(kind, (happened.get(kind) ?? 0) + times),
    count: (kind) => happened.get(kind) ?? 0,
    counts: () => Object.fromEntries(happened),
  }
}
