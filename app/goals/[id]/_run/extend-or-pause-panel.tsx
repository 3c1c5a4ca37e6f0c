'use client'
import { useMutation } from '@tanstack/react-query'
import { CalendarPlus, Pause, Play } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Button } from '../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../_components/ui/dialog.tsx'
import { Field, Input } from '../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import { Card, Section } from '../../../_components/ui/section.tsx'
import { Time } from '../../../_components/ui/time.tsx'
import { localTime } from '../../new/_draft/local-time.ts'

/** More time, and a pause: what the client can change while agents work. For a goal that is open or underway. */
export function ExtendOrPausePanel({ run, isClient }: { run: Run; isClient: boolean }) {
  const t = useTranslations('run.extendOrPausePanel')
  const trpc = useTRPC()
  const [isExtending, setExtending] = useState(false)
  const pause = useMutation(trpc.goals.pause.mutationOptions())
  const resume = useMutation(trpc.goals.resume.mutationOptions())
  const { goal, pausedAt, latestDeadline } = run
  const goal_id = goal.id
  if (!isClient && pausedAt === null) return null
  const canExtend = latestDeadline > goal.deadline
  const error = pause.error ?? resume.error
  return (
    <Section title={t('terms')}>
      <Card className="grid gap-3">
        <p className="text-sm">
          {t.rich('deadline', { time: () => <Time at={goal.deadline} isAbsolute /> })}{' '}
          {canExtend && t.rich('latest', { time: () => <Time at={latestDeadline} isAbsolute /> })}
        </p>
        {pausedAt !== null && <p className="font-medium text-sm">{t('paused')}</p>}
        {error && <ProblemNotice error={error} money={t('noMoneyMoved')} />}
        {isClient && (
          <div className="grid gap-2">
            <Button disabled={!canExtend} onClick={() => setExtending(true)}>
              <CalendarPlus aria-hidden /> {t('extend')}
            </Button>
            {pausedAt === null ? (
              <Button isBusy={pause.isPending} onClick={() => pause.mutate({ goal_id })}>
                <Pause aria-hidden /> {t('pause')}
              </Button>
            ) : (
              <Button tone="primary" isBusy={resume.isPending} onClick={() => resume.mutate({ goal_id })}>
                <Play aria-hidden /> {t('resume')}
              </Button>
            )}
          </div>
        )}
        {isClient && <p className="text-muted text-sm">{canExtend ? t('pauseKeepsDeadlines') : t('noExtension')}</p>}
      </Card>
      <ExtendDialog run={run} isOpen={isExtending} onOpenChange={setExtending} />
    </Section>
  )
}

function ExtendDialog({ run, isOpen, onOpenChange }: { run: Run; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }) {
  const t = useTranslations('run.extendOrPausePanel')
  const trpc = useTRPC()
  const [value, setValue] = useState(() => localTime(run.latestDeadline))
  const extend = useMutation(trpc.goals.extendDeadline.mutationOptions({ onSuccess: () => onOpenChange(false) }))
  const deadline = new Date(value)
  const isValid = !Number.isNaN(deadline.getTime()) && deadline > run.goal.deadline && deadline <= run.latestDeadline
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={t('extendTitle')} description={t('extendDescription')}>
      <Field label={t('newDeadline')} hint={t.rich('latest', { time: () => <Time at={run.latestDeadline} isAbsolute /> })}>
        <Input type="datetime-local" value={value} max={localTime(run.latestDeadline)} onChange={(event) => setValue(event.target.value)} />
      </Field>
      {extend.error && <ProblemNotice error={extend.error} money={t('noMoneyMoved')} className="mt-3" />}
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{t('notNow')}</Button>
        <Button
          tone="primary"
          disabled={!isValid}
          isBusy={extend.isPending}
          onClick={() => extend.mutate({ goal_id: run.goal.id, deadline: deadline.toISOString() })}
        >
          {t('extend')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
