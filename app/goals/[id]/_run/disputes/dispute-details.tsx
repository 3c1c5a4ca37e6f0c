import type { SilenceOutcome } from '@parley/protocol'
import type { inferRouterOutputs } from '@trpc/server'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { CopyableAddress, TxLink } from '../../../../_components/ui/copyable-identifier.tsx'
import { StateChip } from '../../../../_components/ui/state-chip.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import type { People } from '../to-run-view.ts'
import { defaultOf, disputeSentence, momentOf, silenceSentence } from './dispute-sentences.ts'

export type GoalDispute = inferRouterOutputs<AppRouter>['disputes']['getOfGoal']['disputes'][number]

/** The deadline for a ruling, in Unix seconds, and the default outcome by the terms. */
type Clock = { readonly expiry: number; readonly onSilence: SilenceOutcome }

/** One dispute: its state, evidence and outcome. */
export function DisputeDetails({ dispute, run, people, clock }: { dispute: GoalDispute; run: Run; people: People; clock: Clock }) {
  const t = useTranslations('run.disputeDetails')
  const tDispute = useTranslations('views.dispute')
  const step = run.steps.find((one) => one.step === dispute.step)
  const isByClient = dispute.by.toLowerCase() === run.hold.client.toLowerCase()
  return (
    <li className="grid gap-2 border-b pb-4 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-medium">
          {dispute.step}. {step?.title ?? t('step')}
        </span>
        <StateChip of="dispute" state={dispute.state} />
      </div>
      <p className="flex flex-wrap items-center gap-x-1 text-muted text-sm">
        {isByClient
          ? t('disputedByClient')
          : t.rich('disputedBy', {
              name: step ? people.nameOf(step.agentId) : t('payee'),
              address: () => <CopyableAddress address={dispute.by} />,
            })}
        {dispute.openedTx && <>{t.rich('in', { txLink: fillEmptyTag(<TxLink hash={dispute.openedTx} />) })}</>}
      </p>
      <p className="text-sm">
        {disputeSentence(dispute, tDispute)}
        {(dispute.state === 'open' || dispute.state === 'ruling') && (
          <>
            {' '}
            {t.rich('clockRunsOut', {
              time: () => <Time at={momentOf(clock.expiry)} className="font-semibold" />,
              onSilence: silenceSentence(defaultOf(clock.onSilence, isByClient), tDispute),
            })}
          </>
        )}
      </p>
      {dispute.failure && <p className="text-bad-ink text-sm">{dispute.failure}</p>}
      {dispute.evidence ? (
        <StatementText label={t('evidence')} text={dispute.evidence.text} />
      ) : (
        <p className="text-faint text-sm">{t('evidenceShownToPartiesToOperators')}</p>
      )}
      {dispute.reason && <StatementText label={t('reasonOfRuling')} text={dispute.reason} />}
      {dispute.closedTx && (
        <p className="text-muted text-sm">{t.rich('carriedOutBy', { txLink: fillEmptyTag(<TxLink hash={dispute.closedTx} />) })}</p>
      )}
    </li>
  )
}

function StatementText({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="caption">{label}</p>
      <p className="mt-1 whitespace-pre-wrap break-words text-sm">{text}</p>
    </div>
  )
}
