'use client'
import { useMutation } from '@tanstack/react-query'
import { Check, PencilLine, RotateCcw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Button } from '../../../../_components/ui/button.tsx'
import { Confirm } from '../../../../_components/ui/confirm.tsx'
import { Checkbox } from '../../../../_components/ui/field.tsx'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'
import { Notice } from '../../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import { Card, Section } from '../../../../_components/ui/section.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import { acceptanceAmounts } from '../budget/hold-breakdown.ts'
import { RequestRevisionDialog } from '../request-revision-dialog.tsx'
import { payOf, type RunStep, type RunView } from '../run-view.ts'
import { StepChip } from '../steps/step-chip.tsx'
import { type StepStatus, stepStatus } from '../steps/step-status.ts'
import type { People } from '../to-run-view.ts'
import { useCriteriaWithVerdicts } from './criteria-verdict-panel.tsx'
import { ReturnStepsDialog } from './return-steps-dialog.tsx'

type Props = { run: Run; view: RunView; people: People; isClient: boolean }

/** The client's review of the delivery: all of it, or step by step. */
export function ReviewPanel({ run, view, people, isClient }: Props) {
  const t = useTranslations('run.reviewPanel')
  const { pays, stays, returns } = acceptanceAmounts(view)
  return (
    <Section
      title={t('review')}
      aside={run.goal.reviewBy && <>{t.rich('decidesItself', { time: fillEmptyTag(<Time at={run.goal.reviewBy} />) })}</>}
    >
      <Card className="border-amber">
        <p>
          {run.goal.outcome === 'failed' && `${t('plannerCouldNotEndGoal')} `}
          {t.rich('acceptingPays', {
            pays: () => <MoneyAmount amount={pays} className="font-semibold" />,
            returns: () => <MoneyAmount amount={returns} />,
          })}{' '}
          {stays > 0n && <>{t.rich('stayInEscrowForWhatDisputed', { money: () => <MoneyAmount amount={stays} /> })} </>}
          {run.goal.reviewBy && t('ifNothingIsSaid', { outcome: run.silence })}
        </p>
        <Decision run={run} view={view} people={people} isClient={isClient} />
      </Card>
    </Section>
  )
}

type Asked = 'pay' | 'change' | 'return' | null

/** The three actions, on all delivered steps or on the chosen ones. Only the client has them. */
function Decision({ run, view, people, isClient }: Props) {
  const t = useTranslations('run.reviewPanel')
  const trpc = useTRPC()
  const accept = useMutation(trpc.tasks.accept.mutationOptions())
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [asked, setAsked] = useState<Asked>(null)
  const open = view.steps.filter((step) => step.taskId !== null && stepStatus(step, view.steps, view.tasks) === 'done')
  const picked = open.flatMap((step) => (step.taskId && chosen.includes(step.taskId) ? [step.taskId] : []))
  const all = open.flatMap((step) => step.taskId ?? [])
  const { pays, stays, returns } = acceptanceAmounts(view)
  const goal_id = run.goal.id
  const isAll = picked.length === 0
  const failed = useCriteriaWithVerdicts(run).filter(({ pass }) => pass === false)
  const ask = (what: Asked) => (isOpen: boolean) => setAsked(isOpen ? what : null)
  // The button names the amount. A question follows only where the delivery is not what was agreed.
  const isAsAgreed = failed.length === 0 && stays === 0n && run.goal.outcome === 'delivered'
  const toggle = (id: string) => setChosen((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id]))
  return (
    <>
      {accept.error && <ProblemNotice error={accept.error} money={t('noMoneyMoved')} className="mt-3" />}
      {isClient ? (
        <Actions
          run={run}
          count={picked.length}
          isDisabled={open.length === 0}
          isBusy={accept.isPending}
          hasDisputed={stays > 0n}
          pays={pays}
          onAccept={() =>
            !isAll ? accept.mutate({ goal_id, task_ids: picked }) : isAsAgreed ? accept.mutate({ goal_id }) : setAsked('pay')
          }
          onChange={() => setAsked('change')}
          onReturn={() => setAsked('return')}
        />
      ) : (
        <p className="mt-4 text-muted text-sm">{t('clientDecidesHere')}</p>
      )}
      <details className="mt-4 border-t pt-1">
        <summary className="cursor-pointer py-3 text-sm">{t('singleSteps')}</summary>
        <ul className="my-2 divide-y border-y">
          {view.steps.map((step) => (
            <ReviewedStep
              key={step.step}
              step={step}
              status={stepStatus(step, view.steps, view.tasks)}
              by={people.nameOf(step.agentId)}
              isChosen={step.taskId !== null && chosen.includes(step.taskId)}
              onToggle={isClient && open.includes(step) ? toggle : null}
            />
          ))}
        </ul>
      </details>
      <ConfirmAcceptance
        isOpen={asked === 'pay'}
        onClose={() => setAsked(null)}
        {...{ pays, returns, failed }}
        onYes={() => accept.mutate(stays > 0n ? { goal_id, task_ids: all } : { goal_id })}
      />
      <RequestRevisionDialog
        goalId={goal_id}
        taskIds={isAll ? open.filter((step) => step.roomId === null).flatMap((step) => step.taskId ?? []) : picked}
        round={run.goal.revisions + 1}
        rounds={run.goal.revisionRounds}
        isOpen={asked === 'change'}
        onOpenChange={ask('change')}
      />
      <ReturnStepsDialog goalId={goal_id} taskIds={isAll ? all : picked} isOpen={asked === 'return'} onOpenChange={ask('return')} />
    </>
  )
}

type ConfirmProps = {
  isOpen: boolean
  onClose: () => void
  onYes: () => void
  pays: bigint
  returns: bigint
  /** The criteria that are not met. */
  failed: readonly { readonly text: string }[]
}

/** What the acceptance of an incomplete delivery means. */
function ConfirmAcceptance({ pays, returns, failed, ...dialog }: ConfirmProps) {
  const t = useTranslations('run.reviewPanel')
  return (
    <Confirm
      {...dialog}
      title={t('acceptPay')}
      description={t.rich('paidFeeIncludedReturnsToYou', {
        pays: () => <MoneyAmount amount={pays} />,
        returns: () => <MoneyAmount amount={returns} />,
      })}
      yes={t('acceptPayAnswer')}
    >
      {failed.length > 0 && (
        <Notice kind="warning" title={t('criteriaNotMet', { count: failed.length })}>
          <ul className="list-disc pl-5">
            {failed.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
    </Confirm>
  )
}

type ActionsProps = {
  run: Run
  /** The number of chosen steps; 0: all. */
  count: number
  isDisabled: boolean
  isBusy: boolean
  hasDisputed: boolean
  /** What the acceptance of everything costs, the fee included. */
  pays: bigint
  onAccept: () => void
  onChange: () => void
  onReturn: () => void
}

function Actions({ run, count, isDisabled, isBusy, hasDisputed, pays, onAccept, onChange, onReturn }: ActionsProps) {
  const t = useTranslations('run.reviewPanel')
  const { revisions, revisionRounds, outcome } = run.goal
  const left = outcome === 'delivered' ? revisionRounds - revisions : 0
  const acceptLabel = t.rich(hasDisputed ? 'acceptRestPay' : 'acceptAllPay', {
    money: () => <MoneyAmount amount={pays} className="[&>span]:text-current" />,
  })
  return (
    <div className="mt-4 grid gap-2">
      <Button tone="primary" disabled={isDisabled} isBusy={isBusy} onClick={onAccept}>
        <Check aria-hidden /> <span>{count > 0 ? t('accept', { count }) : acceptLabel}</span>
      </Button>
      <div className="grid gap-2">
        <Button disabled={isDisabled || isBusy || left <= 0} onClick={onChange}>
          <PencilLine aria-hidden /> {count > 0 ? t('requestChangesOf', { count }) : t('requestChanges')}
        </Button>
        <Button tone="danger" disabled={isDisabled || isBusy} onClick={onReturn}>
          <RotateCcw aria-hidden /> {count > 0 ? t('return', { count }) : t('returnAll')}
        </Button>
      </div>
      {outcome === 'delivered' && <p className="text-muted text-sm">{t('roundsLeft', { left })}</p>}
    </div>
  )
}

type StepProps = {
  step: RunStep
  status: StepStatus
  by: string
  isChosen: boolean
  /** Null: the viewer cannot decide on this step now. */
  onToggle: ((taskId: string) => void) | null
}

function ReviewedStep({ step, status, by, isChosen, onToggle }: StepProps) {
  const { taskId } = step
  const label = `${step.step}. ${step.title}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5">
      {onToggle && taskId !== null ? (
        <Checkbox label={label} hint={by} checked={isChosen} onChange={() => onToggle(taskId)} />
      ) : (
        <span className="py-1.5 leading-snug">
          {label}
          <span className="block text-muted text-sm">{by}</span>
        </span>
      )}
      <span className="ml-auto flex items-center gap-3 max-sm:basis-full max-sm:justify-between max-sm:pl-8">
        <StepChip status={status} />
        <MoneyAmount amount={payOf(step)} />
      </span>
    </li>
  )
}
