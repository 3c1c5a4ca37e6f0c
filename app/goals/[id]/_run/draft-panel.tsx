'use client'
import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Card, Section } from '../../../_components/ui/card.tsx'
import { Chip, type Tone } from '../../../_components/ui/chip.tsx'
import { Checkbox } from '../../../_components/ui/field.tsx'
import { Money } from '../../../_components/ui/money.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import type { DraftStep, DraftStepStatus, DraftView } from '../../../_views/draft.ts'
import { RefuseDialog } from './refuse-dialog.tsx'

const words: { readonly [status in DraftStepStatus]: readonly [string, Tone] } = {
  own: ['With the charter', 'plain'],
  new: ['Asks you', 'amber'],
  confirmed: ['Confirmed', 'good'],
  waiting: ['Asks you later', 'plain'],
  ready: ['Asks you', 'amber'],
  begun: ['Handed out', 'blue'],
  refused: ['Refused', 'bad'],
}

type Props = { goalId: string; draft: DraftView; nameOf: (agentId: string) => string; isClient: boolean }

/** What the planner puts before the client: the charter first, then each step that was not confirmed with it. */
export function DraftPanel({ goalId, draft, nameOf, isClient }: Props) {
  const trpc = useTRPC()
  const confirm = useMutation(trpc.charters.confirm.mutationOptions())
  const [ahead, setAhead] = useState<{ readonly hash: string; readonly steps: readonly number[] }>({ hash: '', steps: [] })
  const [refusing, setRefusing] = useState<{ readonly step: number | null } | null>(null)
  const { charterHash: charter_hash } = draft
  const chosen = ahead.hash === charter_hash ? ahead.steps : []
  const isNew = draft.asks === 'charter'
  const say = (steps: readonly number[]) => confirm.mutate({ goal_id: goalId, charter_hash, steps: [...steps] })
  const toggle = (step: number) =>
    setAhead({ hash: charter_hash, steps: chosen.includes(step) ? chosen.filter((one) => one !== step) : [...chosen, step] })
  const isOpen = (line: DraftStep) => isClient && draft.state === 'confirmed' && (line.status === 'ready' || line.status === 'waiting')
  return (
    <Section
      title={`${isClient ? 'Your' : 'The client’s'} word on the ${isNew ? 'charter' : 'steps'}`}
      aside={`Charter ${draft.number} of this goal`}
    >
      <Card className={draft.asks ? 'border-amber' : ''}>
        <p>{isNew ? `${draft.why} Nobody is hired before it is confirmed.` : sentenceOf(draft)}</p>
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
                    <Button size="small" onClick={() => setRefusing({ step: line.step })} aria-label={`Refuse step ${line.step}`}>
                      <X aria-hidden /> Refuse
                    </Button>
                    <Button
                      size="small"
                      tone={line.status === 'ready' ? 'primary' : 'secondary'}
                      disabled={confirm.isPending}
                      onClick={() => say([line.step])}
                      aria-label={`Confirm step ${line.step}`}
                    >
                      <Check aria-hidden /> Confirm
                    </Button>
                  </span>
                )}
                <Chip tone={words[line.status][1]}>
                  {isClient ? words[line.status][0] : words[line.status][0].replace('you', 'the client')}
                </Chip>
                <Money amount={line.amount} />
              </span>
            </li>
          ))}
        </ul>
        {confirm.error && <ProblemNotice error={confirm.error} money="No money moved." className="mb-3" />}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span>
            Together <Money amount={draft.total} className="font-semibold" />
          </span>
          {isClient && isNew && (
            <span className="grid gap-2 max-sm:w-full sm:flex">
              <Button disabled={confirm.isPending} onClick={() => setRefusing({ step: null })}>
                <X aria-hidden /> Refuse
              </Button>
              <Button tone="primary" isBusy={confirm.isPending} onClick={() => say(chosen)}>
                <Check aria-hidden /> Confirm{' '}
                {chosen.length > 0 ? `with ${chosen.length === 1 ? 'one step' : `${chosen.length} steps`}` : 'the charter'}
              </Button>
            </span>
          )}
          {!isClient && draft.asks && <span className="text-muted text-sm">The client is asked here.</span>}
        </div>
      </Card>
      <RefuseDialog
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

function sentenceOf({ state, asks, reason, refusedStep }: DraftView): string {
  if (state === 'refused')
    return `${refusedStep === null ? 'The charter' : `Step ${refusedStep}`} was refused: “${reason}”. The planner looks for another way.`
  return asks === 'steps'
    ? 'A step is ready and begins when it is confirmed.'
    : 'The charter is confirmed. Each step asks for itself when it is ready, and can be confirmed before.'
}

type StepProps = { line: DraftStep; nameOf: (agentId: string) => string; isAhead: boolean; isChosen: boolean; onToggle: () => void }

function Step({ line, nameOf, isAhead, isChosen, onToggle }: StepProps) {
  const label = `${line.step}. ${line.title}`
  const who = nameOf(line.agentId)
  if (isAhead && line.status === 'new')
    return <Checkbox label={label} hint={`${who}. May begin without asking me again.`} checked={isChosen} onChange={onToggle} />
  return (
    <span className="py-1.5 leading-snug">
      {label}
      <span className="block text-muted text-sm">
        {who}
        {line.after.length > 0 && `, after ${line.after.join(', ')}`}
      </span>
    </span>
  )
}
