type Payout = { readonly amount: bigint; readonly state: string }
type Transfer = {
  readonly goalId: string | null
  readonly entries: readonly { readonly account: string; readonly debit: bigint; readonly credit: bigint }[]
}

export type OwnSums = {
  /** In the escrow, for goals of one's own. */
  readonly held: bigint
  /** Out of one's own goals, for good. */
  readonly spent: bigint
  /** For one's own agents, in goals that aren't settled. */
  readonly agreed: bigint
}

/** A person's money in three figures, each the sum of rows shown below it. */
export function ownSums(given: { payouts: readonly Payout[]; ledger: readonly Transfer[]; address: string }): OwnSums {
  const address = given.address.toLowerCase()
  const agreed = given.payouts
    .filter((payout) => ['sealed', 'paying', 'disputed'].includes(payout.state))
    .reduce((sum, payout) => sum + payout.amount, 0n)
  const entries = given.ledger.flatMap((transfer) => transfer.entries)
  const balance = (account: string) =>
    entries.filter((entry) => entry.account === account).reduce((sum, entry) => sum + entry.debit - entry.credit, 0n)
  const client = `client:${address}`
  const ownGoals = new Set(
    given.ledger.filter((transfer) => transfer.entries.some((entry) => entry.account === client)).map((transfer) => transfer.goalId),
  )
  const held = [...ownGoals].reduce((sum, goalId) => sum + balance(`escrow:${goalId}`), 0n)
  return {
    held,
    spent: -balance(client) - held,
    agreed,
  }
}
