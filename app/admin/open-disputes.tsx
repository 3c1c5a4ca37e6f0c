'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Scale } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Button } from '../_components/ui/button.tsx'
import { CopyableAddress } from '../_components/ui/copyable-identifier.tsx'
import { Dialog, DialogActions } from '../_components/ui/dialog.tsx'
import { Field, Textarea } from '../_components/ui/field.tsx'
import { Link } from '../_components/ui/link.tsx'
import { PercentField } from '../_components/ui/percent-field.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, EmptyState, Section, Skeleton } from '../_components/ui/section.tsx'
import { StateChip } from '../_components/ui/state-chip.tsx'
import { Time } from '../_components/ui/time.tsx'
import { momentOf } from '../goals/[id]/_run/disputes/dispute-sentences.ts'

type OpenDispute = inferRouterOutputs<AppRouter>['disputes']['listOpen'][number]

/** For operators: disputes that wait for a ruling, oldest first. */
export function OpenDisputes() {
  const t = useTranslations('admin.openDisputes')
  const trpc = useTRPC()
  const found = useQuery(trpc.disputes.listOpen.queryOptions(undefined, { refetchInterval: 10_000 }))
  return (
    <Section title={t('openDisputes')} aside={t('oldestFirst')} className="mb-10">
      {found.error && <ProblemNotice error={found.error} />}
      {found.isPending && <Skeleton className="h-24 rounded-lg" />}
      {found.data?.length === 0 && <EmptyState title={t('nothingWaitsForRuling')}>{t('disputedStepAppearsHere')}</EmptyState>}
      <ul className="grid gap-4">
        {found.data?.map((dispute) => (
          <li key={dispute.id}>
            <Card className="grid gap-2">
              <Waiting dispute={dispute} />
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Waiting({ dispute }: { dispute: OpenDispute }) {
  const t = useTranslations('admin.openDisputes')
  const [isRuling, setRuling] = useState(false)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-medium">
          {t.rich('stepOfGoal', {
            step: dispute.step,
            link: (chunks) => (
              <Link className="text-link" href={`/goals/${dispute.goalId}`}>
                {chunks}
              </Link>
            ),
          })}
        </span>
        <StateChip of="dispute" state={dispute.state} />
      </div>
      <p className="flex flex-wrap items-center gap-x-1 text-muted text-sm">
        {t.rich('disputedBy', { address: () => <CopyableAddress address={dispute.by} /> })}
        {dispute.openedAt && <Time at={dispute.openedAt} />}
      </p>
      <p className="text-sm">
        {t.rich('canRuledUntil', {
          at: () => <Time at={momentOf(dispute.expiry)} isAbsolute className="font-semibold" />,
          left: () => <Time at={momentOf(dispute.expiry)} />,
        })}
      </p>
      {dispute.evidence && (
        <div>
          <p className="caption">{t('evidence')}</p>
          <p className="mt-1 whitespace-pre-wrap break-words text-sm">{dispute.evidence.text}</p>
        </div>
      )}
      {dispute.failure && <p className="text-bad-ink text-sm">{dispute.failure}</p>}
      {dispute.state === 'open' && (
        <div>
          <Button onClick={() => setRuling(true)}>
            <Scale aria-hidden /> {t('rule')}
          </Button>
        </div>
      )}
      <RuleDialog dispute={dispute} isOpen={isRuling} onOpenChange={setRuling} />
    </>
  )
}

type Ruling = { dispute: OpenDispute; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

function RuleDialog({ dispute, isOpen, onOpenChange }: Ruling) {
  const t = useTranslations('admin.openDisputes')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [percent, setPercent] = useState(50)
  const [reason, setReason] = useState('')
  const rule = useMutation(
    trpc.disputes.rule.mutationOptions({
      onSuccess: async () => {
        onOpenChange(false)
        await queries.invalidateQueries(trpc.disputes.listOpen.queryFilter())
      },
    }),
  )
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={t('ruleOnStep', { step: dispute.step })}
      description={t('serverSignsRulingAsArbitrator')}
    >
      <div className="grid gap-4">
        <PercentField
          label={t('toPayee')}
          hint={t('goesBackToClient', { value: Math.round((100 - percent) * 100) / 100 })}
          value={percent}
          onChange={setPercent}
        />
        <Field label={t('reason')} hint={t('bothSidesRead')}>
          <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={4_000} rows={4} />
        </Field>
        {rule.error && <ProblemNotice error={rule.error} money={t('noMoneyMoved')} />}
      </div>
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{t('notNow')}</Button>
        <Button
          tone="primary"
          isBusy={rule.isPending}
          disabled={reason.trim() === ''}
          onClick={() =>
            rule.mutate({ dispute_id: dispute.id as `dsp_${string}`, payee_bps: Math.round(percent * 100), reason: reason.trim() })
          }
        >
          {t('ruleToPayee', { percent })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
