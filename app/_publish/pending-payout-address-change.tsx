'use client'
import type { inferRouterOutputs } from '@trpc/server'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Button } from '../_components/ui/button.tsx'
import { CopyableAddress } from '../_components/ui/copyable-identifier.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Time } from '../_components/ui/time.tsx'
import { useTRPCClient } from '../_trpc/client.tsx'

type Change = NonNullable<inferRouterOutputs<AppRouter>['registry']['findPayoutChange']>

/** A pending payout change, with a button that cancels it. */
export function PendingPayoutAddressChange({ agentId, change }: { agentId: string; change: Change }) {
  const t = useTranslations('publish.pendingPayoutAddressChange')
  const api = useTRPCClient()
  const router = useRouter()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  async function cancel(): Promise<void> {
    setBusy(true)
    try {
      await api.registry.cancelPayoutChange.mutate({ agent_id: agentId as `agt_${string}` })
      router.refresh()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const royalties = change.royalties ?? []
  return (
    <Notice kind="warning" title={t('payoutChangesSoon')}>
      <p>
        {t.rich('agentPaidToFrom', {
          time: () => <Time at={change.effective_at} isAbsolute />,
          address: () => <CopyableAddress address={change.payout as `0x${string}`} />,
          count: royalties.length,
          royalties: royalties.map(({ agent_id, bps }) => `${agent_id} (${bps / 100} %)`).join(', '),
        })}
      </p>
      {failure !== null && <ProblemNotice error={failure} />}
      <Button size="small" className="mt-3" isBusy={isBusy} onClick={() => void cancel()}>
        {t('cancelChange')}
      </Button>
    </Notice>
  )
}
