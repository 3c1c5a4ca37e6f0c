import { Activity, Check, TriangleAlert } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { mayReadOperatorPages } from '@/server/trpc/request-context.ts'
import { ButtonLink } from '../_components/ui/button.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { Card, PageHead, Section, Stat } from '../_components/ui/section.tsx'
import { Time } from '../_components/ui/time.tsx'
import { getApi, getRequestContext } from '../_trpc/server.tsx'
import { accessRefusal } from './access-refusal.tsx'
import { ChainHealthPanel } from './chain-health.tsx'
import { OpenDisputes } from './open-disputes.tsx'
import { readReconciliation, type StoredComparison } from './read-reconciliation.ts'
import { ReconcileButton } from './reconcile-button.tsx'
import { ReconciliationDifferences } from './reconciliation-differences.tsx'
import { ReconciliationHistory } from './reconciliation-history.tsx'
import { UnbookedChainEvents } from './unbooked-chain-events.tsx'
import { UndeliverableMessages } from './undeliverable-messages.tsx'
import { UnsentNotifications } from './unsent-notifications.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('admin.adminPage')
  return { title: t('admin') }
}

type Props = { searchParams: Promise<{ check?: string | string[] }> }

export default async function Page({ searchParams }: Props) {
  const t = await getTranslations('admin.adminPage')
  const { ctx } = await getRequestContext()
  const hasCards = ctx.market.cards !== 'none'
  const isOperator = ctx.actor.kind === 'person' && ctx.actor.isOperator
  const head = <Head hasCards={hasCards} mayRead={mayReadOperatorPages(ctx)} isOperator={isOperator} />
  const refused = await accessRefusal(ctx, 'reads')
  if (refused)
    return (
      <>
        {head}
        {refused}
      </>
    )
  const { settlement } = await getApi()
  const [{ found, at, isNew }, earlier] = await Promise.all([
    getComparison((await searchParams).check === 'now'),
    settlement.listReconciliations(),
  ])
  const isBalanced =
    [found.onlyLedger, found.onlyChain, found.differing, found.heldDiffering, found.onlyStripe, found.stripeDiffering].every(
      (list) => list.length === 0,
    ) && found.heldInLedger === found.heldOnChain
  return (
    <>
      {head}
      {isOperator && <ChainHealthPanel />}
      {isOperator && <UnbookedChainEvents />}
      {isOperator && <OpenDisputes />}
      {isOperator && <UndeliverableMessages />}
      {isOperator && <UnsentNotifications />}
      <Notice
        kind={isBalanced ? 'good' : 'bad'}
        title={isBalanced ? (hasCards ? t('ledgerChainStripeAgreeToLast') : t('ledgerChainAgreeToLastUnit')) : t('booksDiffer')}
        className="mb-8"
      >
        {isBalanced ? t(isNew ? 'newTransfersCompared' : 'transfersCompared', { matched: found.matched }) : t('whatDiffersListedBelow')}
        {at !== null && (
          <>
            {' '}
            {t('lastCompared')} <Time at={at} />.
          </>
        )}
      </Notice>
      <dl className="mb-10 grid grid-cols-2 gap-6 md:grid-cols-4">
        <Stat label={t('transfersMatch')}>
          <span className="figures">{found.matched}</span>
        </Stat>
        <Stat label={t('heldByLedger')}>
          <MoneyAmount amount={found.heldInLedger} />
        </Stat>
        <Stat label={t('heldByContract')}>
          <MoneyAmount amount={found.heldOnChain} />
        </Stat>
        <Stat label={t('difference')}>
          <span className="inline-flex items-center gap-2">
            {found.heldInLedger === found.heldOnChain ? (
              <Check aria-hidden className="size-5 text-good-ink" />
            ) : (
              <TriangleAlert aria-hidden className="size-5 text-bad-ink" />
            )}
            <MoneyAmount amount={found.heldInLedger - found.heldOnChain} />
          </span>
        </Stat>
      </dl>
      {!isBalanced && (
        <Section title={t('differences')}>
          <Card>
            <ReconciliationDifferences found={found} />
          </Card>
        </Section>
      )}
      <ReconciliationHistory earlier={earlier} />
    </>
  )
}

type Shown = { readonly found: StoredComparison; readonly at: Date | null; readonly isNew: boolean }

/**
 * The newest stored comparison, because a new one reads the whole history of the chain. `at`: null if it is made now.
 * `isNew`: it compared only what followed an earlier one.
 */
async function getComparison(mustCompare: boolean): Promise<Shown> {
  const { settlement } = await getApi()
  const stored = mustCompare ? null : await settlement.getReconciliation({})
  const found = stored && readReconciliation(stored.report)
  if (!stored || !found) return { found: await settlement.reconcile(), at: null, isNew: false }
  return { found, at: stored.at, isNew: stored.mode === 'incremental' }
}

type HeadProps = { hasCards: boolean; mayRead: boolean; isOperator: boolean }

async function Head({ hasCards, mayRead, isOperator }: HeadProps) {
  const t = await getTranslations('admin.adminPage')
  return (
    <PageHead
      title={t('reconciliation')}
      lead={hasCards ? t('leadWithCards') : t('leadWithoutCards')}
      {...(mayRead
        ? {
            actions: (
              <>
                <ButtonLink href="/admin/load">
                  <Activity aria-hidden /> {t('loadOfHubs')}
                </ButtonLink>
                {isOperator && (
                  <>
                    <ButtonLink href="/admin/rules">{t('rules')}</ButtonLink>
                    <ButtonLink href="/admin/peers">{t('peers')}</ButtonLink>
                  </>
                )}
                <ReconcileButton />
              </>
            ),
          }
        : {})}
    />
  )
}
