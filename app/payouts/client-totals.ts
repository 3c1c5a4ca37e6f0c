type Transfer = {
  readonly goalId: string | null
  readonly entries: readonly { readonly account: string; readonly asset: string; readonly debit: bigint; readonly credit: bigint }[]
}

export type ClientTotals = {
  /** Reserved for the person's own goals and calls. */
  readonly held: bigint
  /** Paid from the person's own goals and channels. */
  readonly spent: bigint
}

/** The reserved and spent amounts of a client in one asset, each the sum of the rows below it. Assets are never added. */
export function clientTotals(given: { ledger: readonly Transfer[]; address: string; asset: string }): ClientTotals {
  const client = `client:${given.address.toLowerCase()}`
  const entries = given.ledger.flatMap((transfer) => transfer.entries).filter((entry) => entry.asset === given.asset)
  const balance = (account: string) =>
    entries.filter((entry) => entry.account === account).reduce((sum, entry) => sum + entry.debit - entry.credit, 0n)
  const ownGoals = new Set(
    given.ledger.filter((transfer) => transfer.entries.some((entry) => entry.account === client)).map((transfer) => transfer.goalId),
  )
  const ownChannels = new Set(
    given.ledger
      .filter((transfer) => transfer.entries.some((entry) => entry.account === client))
      .flatMap((transfer) => transfer.entries.map((entry) => entry.account).filter((account) => account.startsWith('channel:'))),
  )
  const inGoals = [...ownGoals].reduce((sum, goalId) => sum + balance(`escrow:${goalId}`) + balance(`card:${goalId}`), 0n)
  const held = [...ownChannels].reduce((sum, account) => sum + balance(account), inGoals)
  return { held, spent: -balance(client) - held }
}
