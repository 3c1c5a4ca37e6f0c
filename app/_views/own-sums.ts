type Transfer = {
  readonly goalId: string | null
  readonly entries: readonly { readonly account: string; readonly asset: string; readonly debit: bigint; readonly credit: bigint }[]
}

export type OwnSums = {
  /** Set aside for goals of one's own, and for calls. */
  readonly held: bigint
  /** Out of one's own goals and channels, for good. */
  readonly spent: bigint
}

/** What a client has set aside and spent in one asset, each the sum of rows shown below it. Assets are never added up. */
export function ownSums(given: { ledger: readonly Transfer[]; address: string; asset: string }): OwnSums {
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
