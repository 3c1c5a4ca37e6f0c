type Entry = { readonly account: string; readonly debit: bigint; readonly credit: bigint }
type Found = {
  readonly onlyLedger: readonly string[]
  readonly onlyChain: readonly string[]
  readonly onlyStripe: readonly string[]
  readonly stripeDiffering: readonly { readonly key: string; readonly ledger: string; readonly external: string }[]
  readonly heldDiffering: readonly string[]
  readonly differing: readonly { readonly key: string; readonly ledger: readonly Entry[]; readonly chain: readonly Entry[] }[]
}

/** What does not agree, by name. Base units, because this is for adding up. */
export function DifferenceList({ found }: { found: Found }) {
  const groups = [
    { label: 'Only in the ledger', keys: found.onlyLedger },
    { label: 'Only on the chain', keys: found.onlyChain },
    { label: 'Only at Stripe', keys: found.onlyStripe },
    {
      label: 'Other amounts at Stripe',
      keys: found.stripeDiffering.map((one) => `${one.key}  ledger ${one.ledger}, Stripe ${one.external}`),
    },
    { label: 'Goals, channels and credits whose held amounts differ', keys: found.heldDiffering },
    { label: 'Transfers with other entries', keys: found.differing.map((one) => one.key) },
  ].filter((group) => group.keys.length > 0)
  return (
    <div className="grid gap-5">
      {groups.map((group) => (
        <div key={group.label}>
          <h3 className="caption mb-1">{group.label}</h3>
          <ul className="grid gap-1 text-bad-ink">
            {group.keys.map((key) => (
              <li key={key} className="figures break-all text-sm">
                {key}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {found.differing.map((one) => (
        <pre key={one.key} className="figures overflow-x-auto rounded-md bg-sunken p-3 text-xs">
          {[`ledger ${one.key}`, ...one.ledger.map(lineOf), 'chain', ...one.chain.map(lineOf)].join('\n')}
        </pre>
      ))}
    </div>
  )
}

function lineOf(entry: Entry): string {
  return `  ${entry.account}  debit ${entry.debit}  credit ${entry.credit}`
}
