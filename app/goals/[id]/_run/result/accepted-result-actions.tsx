'use client'
import { FileText, Repeat } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { useMarket } from '../../../../_components/market-provider.tsx'
import { ButtonLink } from '../../../../_components/ui/button.tsx'
import { CopyButton } from '../../../../_components/ui/copy-button.tsx'
import { Card, Section } from '../../../../_components/ui/section.tsx'

type Props = { run: Pick<Run, 'goal' | 'hold' | 'submitted' | 'payouts'> }

/** What the client can do with a result after its acceptance: keep the invoice, share the page, have it done again. */
export function AcceptedResultActions({ run: { goal, hold, submitted, payouts } }: Props) {
  const t = useTranslations('run.acceptedResultActions')
  const { publicUrl } = useMarket()
  if (goal.outcome === null || (goal.state !== 'settling' && goal.state !== 'paid' && goal.state !== 'refunded')) return null
  const isPaid = goal.state === 'paid'
  const isKept = submitted !== null || payouts.some(({ state }) => state === 'disputed')
  const settling = hold.state !== 'voiding' ? 'paying' : isKept ? 'refundingRest' : 'refunding'
  const words = isPaid ? 'paid' : goal.state === 'settling' ? settling : 'refunded'
  return (
    <Section title={t(`${words}.title`)}>
      <Card className="grid gap-3">
        <p className="text-muted text-sm">{t(`${words}.text`)}</p>
        <div className="flex flex-wrap gap-2">
          {isPaid && (
            <ButtonLink size="small" href={`/goals/${goal.id}/invoice`}>
              <FileText aria-hidden /> {t('invoice')}
            </ButtonLink>
          )}
          <ButtonLink size="small" href={`/goals/new?repeat=${goal.id}`}>
            <Repeat aria-hidden /> {t('again')}
          </ButtonLink>
          <CopyButton text={`${publicUrl}/goals/${goal.id}`} label={t('copyLink')} />
        </div>
        <p className="text-muted text-sm">{goal.visibility === 'public' ? t('everyoneCanRead') : t('onlyTeamCanRead')}</p>
      </Card>
    </Section>
  )
}
