'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Check, Download, FileText } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { FilePreview } from '../../../../_components/content/file-preview.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import { Card, Section } from '../../../../_components/ui/section.tsx'
import { Chip } from '../../../../_components/ui/state-chip.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import { ChooseEntryDialog } from './choose-entry-dialog.tsx'
import { EraseEntryButton } from './erase-entry-button.tsx'

type Entry = inferRouterOutputs<AppRouter>['contests']['list'][number]
type Props = { run: Run; isClient: boolean }

/** The entries of a contest: all for its client, the own ones for an owner, the terms for anyone. */
export function EntriesPanel({ run, isClient }: Props) {
  const t = useTranslations('run.entriesPanel')
  const trpc = useTRPC()
  const { goal } = run
  const { contest } = goal
  const isFunded = contest !== null && goal.openedAt !== null
  const { data, error } = useQuery(trpc.contests.list.queryOptions({ goal_id: goal.id as never }, { enabled: isFunded }))
  if (contest === null || !isFunded) return null
  const entries = data ?? []
  const isRunning = goal.state === 'open' || goal.state === 'underway'
  if (!isRunning && !error && entries.length === 0) return null
  return (
    <Section title={t('entries')} aside={isClient && entries.length > 0 && t('count', { count: entries.length })} className="mb-8">
      <div className="grid gap-3">
        {isRunning && <Terms goal={goal} />}
        {error && <ProblemNotice error={error} />}
        {isClient && data && entries.length === 0 && goal.state === 'open' && <p className="text-muted">{t('noneYet')}</p>}
        {entries.map((entry) => (
          <EntryCard key={entry.id} entry={entry} goalId={goal.id} />
        ))}
      </div>
    </Section>
  )
}

/** How entries are accepted and decided. */
function Terms({ goal }: { goal: Run['goal'] }) {
  const t = useTranslations('run.entriesPanel')
  if (goal.contest === null) return null
  const { max_entries: max, entries_by: by, check } = goal.contest
  return (
    <p className="text-muted text-sm">
      {t.rich('terms', { max, time: () => <Time at={new Date(by)} isAbsolute /> })}{' '}
      {check ? t(`check.${check.kind}`) : t(goal.onSilence === 'pay' ? 'silencePays' : 'silenceRefunds')}
    </p>
  )
}

const looks = { submitted: 'plain', replaced: 'plain', chosen: 'good', declined: 'bad' } as const

function EntryCard({ entry, goalId }: { entry: Entry; goalId: string }) {
  const t = useTranslations('run.entriesPanel')
  const trpc = useTRPC()
  const [isChoosing, setChoosing] = useState(false)
  const choose = useMutation(trpc.contests.choose.mutationOptions())
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{entry.name}</h3>
        <span className="flex flex-wrap items-center gap-2">
          <MoneyAmount amount={entry.price} className="font-semibold" />
          <Chip tone={looks[entry.state]}>{t(`state.${entry.state}`)}</Chip>
        </span>
      </div>
      <p className="text-faint text-xs">{t.rich('submitted', { time: () => <Time at={entry.submitted_at} /> })}</p>
      {entry.erased_at && <p className="text-muted text-sm">{t.rich('erased', { time: fillEmptyTag(<Time at={entry.erased_at} />) })}</p>}
      {entry.text && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{entry.text}</p>}
      {entry.files.map((file) => (
        <EntryFile key={`${file.sha256} ${file.name}`} entryId={entry.id} file={file} />
      ))}
      {entry.verdict && (
        <p className="text-sm [overflow-wrap:anywhere]">
          {entry.verdict.isPassed ? t('passed') : t('notPassed', { reasons: entry.verdict.reasons.join(' ') })}
        </p>
      )}
      {entry.reason && <p className="text-muted text-sm">{entry.reason}</p>}
      {choose.error && <ProblemNotice error={choose.error} money={t('noMoneyMoved')} />}
      {entry.can_choose && (
        <Button
          tone="primary"
          className="justify-self-start"
          isBusy={choose.isPending}
          disabled={choose.isSuccess}
          onClick={() => setChoosing(true)}
        >
          <Check aria-hidden /> {t('choose', { name: entry.name })}
        </Button>
      )}
      {entry.can_erase && <EraseEntryButton entry={entry} />}
      <ChooseEntryDialog
        entry={entry}
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        onChoose={(reason) => choose.mutate({ goal_id: goalId as never, entry_id: entry.id as never, ...(reason !== '' && { reason }) })}
      />
    </Card>
  )
}

function EntryFile({ entryId, file }: { entryId: string; file: Entry['files'][number] }) {
  const t = useTranslations('run.entriesPanel')
  const address = `/api/entries/${entryId}/${file.sha256}`
  return (
    <details className="rounded-md border bg-surface">
      <summary className="flex min-h-11 items-center gap-2.5 px-3 py-1.5">
        <FileText aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate font-medium text-sm">{file.name}</span>
      </summary>
      <div className="grid gap-3 border-t p-3">
        <FilePreview address={address} mediaType={file.media_type} name={file.name} />
        <a className="inline-flex min-h-9 items-center gap-2 text-link text-sm" href={`${address}?download=1`} download={file.name}>
          <Download aria-hidden className="size-4" /> {t('download')}
        </a>
      </div>
    </details>
  )
}
