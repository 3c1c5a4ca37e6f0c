'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Button } from '../../../../_components/ui/button.tsx'
import { Field, Input, Select } from '../../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import { Section } from '../../../../_components/ui/section.tsx'
import type { People } from '../to-run-view.ts'

const words = [
  [100, 'excellent'],
  [80, 'good'],
  [60, 'fair'],
  [40, 'weak'],
  [10, 'poor'],
] as const

/** Rating of paid steps. Each rating counts once. */
export function RateStepsPanel({ run, people }: { run: Run; people: People }) {
  const t = useTranslations('run.rateStepsPanel')
  const trpc = useTRPC()
  const { data: open } = useQuery(trpc.tasks.listToJudge.queryOptions({ goal_id: run.goal.id }))
  const paid = run.steps.filter((step) => step.state === 'paid' && open?.some((one) => one.task_id === step.taskId))
  if (!open) return null
  return (
    <Section title={t('rateWork')} aside={t('scoresRestOn')}>
      {paid.length === 0 ? (
        <p className="text-muted">{t('everyPaidStepHasYourFeedback')}</p>
      ) : (
        <ul className="divide-y rounded-lg border bg-surface">
          {paid.map((step) => (
            <li key={step.step}>
              <Rate
                goalId={run.goal.id}
                taskId={step.taskId ?? ''}
                title={`${step.step}. ${step.title}`}
                name={people.nameOf(step.agentId)}
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Rate({ goalId, taskId, title, name }: { goalId: string; taskId: string; title: string; name: string }) {
  const t = useTranslations('run.rateStepsPanel')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [value, setValue] = useState('80')
  const [text, setText] = useState('')
  const { queryKey } = trpc.tasks.listToJudge.queryOptions({ goal_id: goalId })
  const give = useMutation(trpc.reputation.give.mutationOptions({ onSuccess: () => queryClient.invalidateQueries({ queryKey }) }))
  return (
    <details>
      <summary className="min-h-11 px-3 py-2 text-sm leading-snug">
        <span className="font-medium">{title}</span> <span className="text-muted">{name}</span>
      </summary>
      <form
        className="grid gap-3 px-3 pb-3"
        onSubmit={(event) => {
          event.preventDefault()
          give.mutate({ task_id: taskId, value: Number(value), text })
        }}
      >
        <Field label={t('how')}>
          <Select value={value} onChange={(event) => setValue(event.target.value)}>
            {words.map(([points, word]) => (
              <option key={points} value={points}>
                {t(word)} ({points})
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('inWords')} isOptional>
          <Input value={text} onChange={(event) => setText(event.target.value)} maxLength={1000} />
        </Field>
        {give.error && <ProblemNotice error={give.error} />}
        <Button type="submit" size="small" isBusy={give.isPending}>
          {t('giveFeedback')}
        </Button>
      </form>
    </details>
  )
}
