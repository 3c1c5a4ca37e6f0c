import { useTranslations } from 'next-intl'
import { EmptyState, Section } from '../_components/ui/section.tsx'
import { Chip } from '../_components/ui/state-chip.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'

type Earlier = {
  readonly id: string
  readonly at: Date
  readonly mode: 'full' | 'incremental'
  readonly durationMs: number
  readonly fromBlock: number
  readonly toBlock: number
  readonly matched: number
  readonly isBalanced: boolean
}

/** The results of the reconciliations, newest first. They run at each start, every hour, and every night. */
export function ReconciliationHistory({ earlier }: { earlier: readonly Earlier[] }) {
  const t = useTranslations('admin.reconciliationHistory')
  return (
    <Section title={t('earlierComparisons')} aside={t('atEveryStartEveryNight')}>
      {earlier.length === 0 ? (
        <EmptyState title={t('noneHasMadeYet')}>{t('firstOneMadeWhenHubStarts')}</EmptyState>
      ) : (
        <Table caption={t('earlierComparisons')} isStacked>
          <thead>
            <tr>
              <Th>{t('when')}</Th>
              <Th>{t('outcome')}</Th>
              <Th isNumber>{t('transfersMatch')}</Th>
              <Th>{t('blocks')}</Th>
              <Th isNumber>{t('took')}</Th>
            </tr>
          </thead>
          <tbody>
            {earlier.map((one) => (
              <Tr key={one.id}>
                <Td>
                  <Time at={one.at} isAbsolute />
                </Td>
                <Td>
                  <Chip tone={one.isBalanced ? 'good' : 'bad'}>{one.isBalanced ? t('agrees') : t('differs')}</Chip>
                </Td>
                <Td isNumber className="max-md:order-3">
                  <span className="figures">{one.matched}</span>
                  <span className="ml-1 font-sans text-muted md:hidden">{t('match')}</span>
                </Td>
                <Td className="max-md:order-2">
                  <span className="text-muted md:hidden">{t('blocks')} </span>
                  <span className="figures">
                    {one.fromBlock}–{one.toBlock}
                  </span>{' '}
                  <span className="text-muted text-xs">{one.mode === 'full' ? t('allOfThem') : t('sinceLast')}</span>
                </Td>
                <Td isNumber className="max-md:hidden">
                  <span className="figures">{t('seconds', { seconds: (one.durationMs / 1_000).toFixed(1) })}</span>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}
