'use client'
import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Translate } from '@/app/_messages/translate-types.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Checkbox } from '../../../../_components/ui/field.tsx'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import { Card, Section } from '../../../../_components/ui/section.tsx'
import { Chip, type ChipTone } from '../../../../_components/ui/state-chip.tsx'
import type { DraftStep, DraftStepStatus, DraftView } from './charter-draft-view.ts'
import { RefuseCharterDialog } from './refuse-charter-dialog.tsx'

const words = {
  own: ['withCharter', 'plain'],
  new: ['asksYou', 'amber'],
  confirmed: ['confirmed', 'good'],
  waiting: ['asksYouLater', 'plain'],
  ready: ['asksYou', 'amber'],
  begun: ['assigned', 'blue'],
  refused: ['refused', 'bad'],
} as const satisfies { readonly [status in DraftStepStatus]: readonly [string, ChipTone] }

type Props = { goalId: string; draft: DraftView; nameOf: (agentId: string) => string; isClient: boolean }

/** What the planner submits to the client: the charter first, then each step that was not confirmed with it. */
export function CharterDraftPanel({ goalId, draft, nameOf, isClient }: Props) {
  const t = useTranslations('run.charterDraftPanel')
  const trpc = useTRPC()
  const confirm = useMutation(trpc.charters.confirm.mutationOptions())
  const [ahead, setAhead] = useState<{ readonly hash: string; readonly steps: readonly number[] }>({ hash: '', steps: [] })
  const [refusing, setRefusing] = useState<{ readonly step: number | null } | null>(null)
  const { charterHash: charter_hash } = draft
  const chosen = ahead.hash === charter_hash ? ahead.steps : []
  const isNew = draft.asks === 'charter'
  const confirmSteps = (steps: readonly number[]) => confirm.mutate({ goal_id: goalId, charter_hash, steps: [...steps] })
  const toggle = (step: number) =>
    setAhead({ hash: charter_hash, steps: chosen.includes(step) ? chosen.filter((one) => one !== step) : [...chosen, step] })
  const isOpen = (line: DraftStep) => isClient && draft.state === 'confirmed' && (line.status === 'ready' || line.status === 'waiting')
  return (
    <Section
      title={t('decisionOn', { who: isClient ? 'client' : 'other', asked: isNew ? 'charter' : 'steps' })}
      aside={t('charterOfGoal', { number: draft.number })}
    >
      <Card className={draft.asks ? 'border-amber' : ''}>
        <p>{isNew ? t('nobodyHiredBeforeConfirmed', { why: draft.rationale }) : sentenceOf(draft, t)}</p>
        <ul className="my-3 divide-y border-y">
          {draft.lines.map((line) => (
            <li key={line.step} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5">
              <Step
                line={line}
                nameOf={nameOf}
                isAhead={isClient && isNew}
                isChosen={chosen.includes(line.step)}
                onToggle={() => toggle(line.step)}
              />
              <span className="ml-auto flex flex-wrap items-center gap-3 max-sm:basis-full max-sm:justify-between">
                {isOpen(line) && (
                  <span className="flex gap-2">
                    <Button size="small" onClick={() => setRefusing({ step: line.step })} aria-label={t('refuseStep', { step: line.step })}>
                      <X aria-hidden /> {t('refuse')}
                    </Button>
                    <Button
                      size="small"
                      tone={line.status === 'ready' ? 'primary' : 'secondary'}
                      disabled={confirm.isPending}
                      onClick={() => confirmSteps([line.step])}
                      aria-label={t('confirmStep', { step: line.step })}
                    >
                      <Check aria-hidden /> {t('confirm')}
                    </Button>
                  </span>
                )}
                <Chip tone={words[line.status][1]}>{t(words[line.status][0], { who: isClient ? 'client' : 'other' })}</Chip>
                <MoneyAmount amount={line.amount} />
              </span>
            </li>
          ))}
        </ul>
        {confirm.error && <ProblemNotice error={confirm.error} money={t('noMoneyMoved')} className="mb-3" />}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span>{t.rich('together', { money: () => <MoneyAmount amount={draft.total} className="font-semibold" /> })}</span>
          {isClient && isNew && (
            <span className="grid gap-2 max-sm:w-full sm:flex">
              <Button disabled={confirm.isPending} onClick={() => setRefusing({ step: null })}>
                <X aria-hidden /> {t('refuse')}
              </Button>
              <Button tone="primary" isBusy={confirm.isPending} onClick={() => confirmSteps(chosen)}>
                <Check aria-hidden /> {t('confirmCharter', { count: chosen.length })}
              </Button>
            </span>
          )}
          {!isClient && draft.asks && <span className="text-muted text-sm">{t('clientAskedHere')}</span>}
        </div>
      </Card>
      <RefuseCharterDialog
        goalId={goalId}
        charterHash={charter_hash}
        step={refusing?.step ?? null}
        lines={isNew ? draft.lines.filter((line) => line.status === 'new') : []}
        isOpen={refusing !== null}
        onClose={() => setRefusing(null)}
      />
    </Section>
  )
}

function sentenceOf({ state, asks, reason, refusedStep }: DraftView, t: Translate<'run.charterDraftPanel'>): string {
  if (state === 'refused')
    return refusedStep === null
      ? t('charterRefused', { reason: reason ?? '' })
      : t('stepRefused', { step: refusedStep, reason: reason ?? '' })
  return asks === 'steps' ? t('stepReadyBeginsWhenConfirmed') : t('charterConfirmed')
}

type StepProps = { line: DraftStep; nameOf: (agentId: string) => string; isAhead: boolean; isChosen: boolean; onToggle: () => void }

function Step({ line, nameOf, isAhead, isChosen, onToggle }: StepProps) {
  const t = useTranslations('run.charterDraftPanel')
  const label = `${line.step}. ${line.title}`
  const who = nameOf(line.agentId)
  if (isAhead && line.status === 'new')
    return <Checkbox label={label} hint={t('mayBeginWithoutAskingMeAgain', { who })} checked={isChosen} onChange={onToggle} />
  return (
    <span className="py-1.5 leading-snug">
      {label}
      <span className="block text-muted text-sm">
        {who}
        {line.after.length > 0 && t('after', { after: line.after.join(', ') })}
      </span>
    </span>
  )
}
