'use client'
import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMe } from '../../../../_components/market-provider.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Notice } from '../../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'

/** The plan has expired and money is still held: anyone who has signed in can trigger the refund. */
export function ReclaimNotice({ goalId }: { goalId: string }) {
  const t = useTranslations('run.reclaimNotice')
  const trpc = useTRPC()
  const me = useMe()
  const reclaim = useMutation(trpc.settlement.reclaim.mutationOptions())
  return (
    <div className="grid gap-3">
      <Notice kind="warning" title={t('planHasExpired')}>
        {reclaim.isSuccess ? t('whatLeftOnWay') : t('disputedStepsEndAsTermsSay')}
      </Notice>
      {reclaim.error && <ProblemNotice error={reclaim.error} money={t('noMoneyMoved')} />}
      {me && !reclaim.isSuccess && (
        <div>
          <Button isBusy={reclaim.isPending} onClick={() => reclaim.mutate({ goal_id: goalId })}>
            <Undo2 aria-hidden /> {t('refundRest')}
          </Button>
        </div>
      )}
    </div>
  )
}
