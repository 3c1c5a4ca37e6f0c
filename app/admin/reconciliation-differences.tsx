import { useTranslations } from 'next-intl'
import type { Translate } from '@/app/_messages/translate-types.ts'

type Entry = { readonly account: string; readonly debit: bigint; readonly credit: bigint }
type Found = {
  readonly onlyLedger: readonly string[]
  readonly onlyChain: readonly string[]
  readonly onlyStripe: readonly string[]
  readonly stripeDiffering: readonly { readonly key: string; readonly ledger: string; readonly external: string }[]
  readonly heldDiffering: readonly string[]
  readonly differing: readonly { readonly key: string; readonly ledger: readonly Entry[]; readonly chain: readonly Entry[] }[]
}

/** Differences, by account. In base units, so that they can be added. */
export function ReconciliationDifferences({ found }: { found: Found }) {
  const t = useTranslations('admin.reconciliationDifferences')
  const groups = [
    { label: t('onlyInLedger'), keys: found.onlyLedger },
    { label: t('onlyOnChain'), keys: found.onlyChain },
    { label: t('onlyAtStripe'), keys: found.onlyStripe },
    {
      label: t('otherAmountsAtStripe'),
      keys: found.stripeDiffering.map((one) => t('ledgerStripe', { key: one.key, ledger: one.ledger, external: one.external })),
    },
    { label: t('goalsChannelsCreditsWhoseHeld'), keys: found.heldDiffering },
    { label: t('transfersWithOtherEntries'), keys: found.differing.map((one) => one.key) },
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
          {[
            t('ledger', { key: one.key }),
            ...one.ledger.map((entry) => lineOf(entry, t)),
            t('chain'),
            ...one.chain.map((entry) => lineOf(entry, t)),
          ].join('\n')}
        </pre>
      ))}
    </div>
  )
}

function lineOf(entry: Entry, t: Translate<'admin.reconciliationDifferences'>): string {
  return `  ${t('debitCredit', { account: entry.account, debit: String(entry.debit), credit: String(entry.credit) })}`
}
