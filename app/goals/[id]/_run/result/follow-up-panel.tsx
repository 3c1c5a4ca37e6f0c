'use client'
import { formatAmount, type PlannerMode, uuidv7 } from '@parley/protocol'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { useMarket } from '../../../../_components/market-provider.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Field, Input, Textarea } from '../../../../_components/ui/field.tsx'
import { Link } from '../../../../_components/ui/link.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import { Card, Section } from '../../../../_components/ui/section.tsx'
import { goalTitle } from '../../../../_views/goal-title.ts'
import { createGoalSessionKey } from '../../../../_wallet/goal-session-key-store.ts'
import { emptyDraft, maxCriterionLength, maxTextLength, readDraft } from '../../../new/_draft/goal-draft.ts'

/** The followed goal and its follow-ups. The client can continue a concluded goal with a new budget. */
export function FollowUpPanel({ run, isClient }: { run: Run; isClient: boolean }) {
  const t = useTranslations('run.followUpPanel')
  const { goal, followUps } = run
  const mayFollow = isClient && goal.outcome !== null
  return (
    <Section title={t('followUp')}>
      <Card className="grid gap-4">
        {goal.followsId !== null && (
          <p className="text-sm">
            {t.rich('goesOnFromEarlierGoal', {
              link: (chunks) => (
                <Link className="text-link" href={`/goals/${goal.followsId}`}>
                  {chunks}
                </Link>
              ),
            })}
          </p>
        )}
        {followUps.length > 0 && (
          <ul className="grid gap-1 text-sm">
            {followUps.map((one) => (
              <li key={one.id}>
                {t.rich('continuedIn', {
                  link: () => (
                    <Link className="break-words text-link" href={`/goals/${one.id}`}>
                      {goalTitle(one.text).slice(0, 120)}
                    </Link>
                  ),
                })}
              </li>
            ))}
          </ul>
        )}
        {mayFollow && <FollowUpForm run={run} />}
      </Card>
    </Section>
  )
}

const freshId = () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))

function FollowUpForm({ run }: { run: Run }) {
  const t = useTranslations('run.followUpPanel')
  const tDraft = useTranslations('views.goalDraftFaults')
  const { goal, hold } = run
  const { decimals, minBudget, hasArbitrator } = useMarket()
  const trpc = useTRPC()
  const router = useRouter()
  const [draft, setDraft] = useState(() => ({
    ...emptyDraft(freshId(), new Date()),
    budget: formatAmount(goal.budget, decimals),
    visibility: goal.visibility,
    planner: goal.planner as PlannerMode,
    rail: hold.rail,
  }))
  // Another draft is another post. The old id belongs to the old draft, which may have been posted.
  const change = (fields: Partial<typeof draft>) => setDraft({ ...draft, ...fields, id: freshId() })
  const [isAsked, setAsked] = useState(false)
  const post = useMutation(trpc.goals.post.mutationOptions())
  const read = readDraft(draft, { decimals, now: new Date(), balance: null, min: minBudget, hasArbitrator }, tDraft)
  const faults = read.ok ? [] : read.faults
  const errorOf = (field: string) => faults.find((fault) => fault.field === field && (isAsked || fault.atOnce))?.text
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (!read.ok) return
    const authorizer = createGoalSessionKey(false)
    const posted = await post
      .mutateAsync({ id: draft.id, goal: { ...read.goal, authorizer, follows: goal.id as never }, attachments: [] })
      .catch(() => null)
    if (posted) router.push(`/goals/${posted.goal_id}`)
  }
  return (
    <form onSubmit={send} className="grid gap-4">
      <Field label={t('whatToDoneNext')} hint={t('filesOfGoalAtHandThose')} error={errorOf('text')}>
        <Textarea value={draft.text} onChange={(event) => change({ text: event.target.value })} maxLength={maxTextLength} rows={3} />
      </Field>
      <Field label={t('howYouWillKnowDone')} error={errorOf('criteria')}>
        <Input
          value={draft.criteria[0] ?? ''}
          onChange={(event) => change({ criteria: [event.target.value] })}
          maxLength={maxCriterionLength}
        />
      </Field>
      <Field label={t('budget')} hint={t('newMoney')} error={errorOf('budget')}>
        <Input inputMode="decimal" className="figures" value={draft.budget} onChange={(event) => change({ budget: event.target.value })} />
      </Field>
      {post.error && <ProblemNotice error={post.error} money={t('noMoneyMoved')} />}
      <div className="flex justify-end">
        <Button type="submit" isBusy={post.isPending}>
          {t('followUp')}
        </Button>
      </div>
    </form>
  )
}
