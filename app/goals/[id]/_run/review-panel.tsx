'use client'
import { useMutation } from '@tanstack/react-query'
import { Check, RotateCcw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { slot } from '@/app/_messages/slot.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Button } from '../../../_components/ui/button.tsx'
import { Card, Section } from '../../../_components/ui/card.tsx'
import { Confirm } from '../../../_components/ui/confirm.tsx'
import { Checkbox } from '../../../_components/ui/field.tsx'
import { MoneyAmount } from '../../../_components/ui/money.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import { Time } from '../../../_components/ui/time.tsx'
import { acceptanceOf } from '../../../_views/budget-split.ts'
import { payOf, type RunStep, type RunView } from '../../../_views/run-view.ts'
import { type StepStatus, stepStatus } from '../../../_views/step-status.ts'
import type { People } from '../../../_views/to-run-view.ts'
import { ReturnDialog } from './return-dialog.tsx'
import { StepChip } from './step-chip.tsx'

type Props = { run: Run; view: RunView; people: People; isClient: boolean }

/** The client's review of the delivery: all of it, or step by step. */
export function ReviewPanel({ run, view, people, isClient }: Props) {
  const t = useTranslations('run.reviewPanel')
  const trpc = useTRPC()
  const accept = useMutation(trpc.tasks.accept.mutationOptions())
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [isReturning, setReturning] = useState(false)
  const [isPaying, setPaying] = useState(false)
  const open = view.steps.filter((step) => step.taskId !== null && stepStatus(step, view.steps, view.tasks) === 'done')
  const picked = open.flatMap((step) => (step.taskId && chosen.includes(step.taskId) ? [step.taskId] : []))
  const goal_id = run.goal.id
  const { pays, stays, returns } = acceptanceOf(view)
  const toggle = (id: string) => setChosen((all) => (all.includes(id) ? all.filter((one) => one !== id) : [...all, id]))
  return (
    <Section
      title={t('review')}
      aside={run.goal.reviewBy && <>{t.rich('decidesItself', { time: slot(<Time at={run.goal.reviewBy} />) })}</>}
    >
      <Card className="border-amber">
        <p>
          {run.goal.outcome === 'failed' && `${t('plannerCouldNotEndGoal')} `}
          {t.rich('acceptingPays', {
            pays: () => <MoneyAmount amount={pays} className="font-semibold" />,
            returns: () => <MoneyAmount amount={returns} />,
          })}{' '}
          {stays > 0n && <>{t.rich('stayInEscrowForWhatDisputed', { money: () => <MoneyAmount amount={stays} /> })} </>}
          {run.goal.reviewBy && t('ifNothingIsSaid')}
        </p>
        {accept.error && <ProblemNotice error={accept.error} money={t('noMoneyMoved')} className="mb-3" />}
        {isClient ? (
          <div className="mt-4 grid gap-2">
            <Button tone="primary" disabled={open.length === 0} isBusy={accept.isPending} onClick={() => setPaying(true)}>
              <Check aria-hidden /> {stays > 0n ? t('acceptRestPay') : t('acceptAllPay')}
            </Button>
          </div>
        ) : (
          <p className="text-muted text-sm">{t('clientDecidesHere')}</p>
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
          {isClient && (
            <div className="grid grid-cols-2 gap-2">
              <Button tone="danger" disabled={picked.length === 0 || accept.isPending} onClick={() => setReturning(true)}>
                <RotateCcw aria-hidden /> {t('return', { count: picked.length })}
              </Button>
              <Button disabled={picked.length === 0} isBusy={accept.isPending} onClick={() => accept.mutate({ goal_id, task_ids: picked })}>
                <Check aria-hidden /> {t('accept', { count: picked.length })}
              </Button>
            </div>
          )}
        </details>
      </Card>
      <Confirm
        isOpen={isPaying}
        onClose={() => setPaying(false)}
        title={t('acceptPay')}
        description={t.rich('paidFeeIncludedReturnsToYou', {
          pays: () => <MoneyAmount amount={pays} />,
          returns: () => <MoneyAmount amount={returns} />,
        })}
        yes={t('acceptPayAnswer')}
        onYes={() => accept.mutate(stays > 0n ? { goal_id, task_ids: open.flatMap((step) => step.taskId ?? []) } : { goal_id })}
      />
      <ReturnDialog goalId={goal_id} taskIds={picked} isOpen={isReturning} onOpenChange={setReturning} />
    </Section>
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
