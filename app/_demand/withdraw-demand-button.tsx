'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Button } from '../_components/ui/button.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { useTRPC } from '../_trpc/client.tsx'

/** Takes one's own demand off the list. */
export function WithdrawDemandButton({ demandId, text }: { demandId: string; text: string }) {
  const t = useTranslations('ui.demand')
  const trpc = useTRPC()
  const router = useRouter()
  const withdraw = useMutation(trpc.goals.withdrawDemand.mutationOptions({ onSuccess: () => router.refresh() }))
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        className="relative"
        isBusy={withdraw.isPending}
        onClick={() => withdraw.mutate({ demand_id: demandId as never })}
        aria-label={t('withdrawNamed', { text })}
      >
        {t('withdraw')}
      </Button>
      {withdraw.error && <ProblemNotice error={withdraw.error} />}
    </>
  )
}
