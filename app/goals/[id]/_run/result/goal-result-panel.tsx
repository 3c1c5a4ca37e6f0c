import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { FilePreview } from '../../../../_components/content/file-preview.tsx'
import { ServerParsedMarkdown } from '../../../../_components/content/server-parsed-markdown.tsx'
import { cn } from '../../../../_components/ui/cn.ts'
import { Card, Section } from '../../../../_components/ui/section.tsx'
import { answerText, listDeliverables } from './list-deliverables.ts'

const heads = { delivered: 'answer', failed: 'whyEndedWithoutResult', stopped: 'whatThereWhenStopped' } as const
/** A text up to this length is the answer itself, and is shown large. */
const maxShort = 400
/** Files beyond these are in the list of files only. */
const maxShown = 6

/** The answer in full: its text, then its files. `beside`: the decision and the criteria. */
export function GoalResultPanel({ run, beside }: { run: Run; beside: ReactNode }) {
  const t = useTranslations('run.goalResultPanel')
  const { outcome, answer } = run.goal
  if (outcome === null) return null
  const text = answerText(answer)
  const files = outcome === 'failed' ? [] : listDeliverables(answer, run.artifacts)
  const isEmpty = text === '' && files.length === 0
  return (
    <div className="mb-10 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <Section title={t(heads[outcome])} className="grid content-start gap-5 [&>div:first-child]:mb-0">
        {isEmpty && <p className="text-muted text-sm">{t('noResult')}</p>}
        {text !== '' && (
          <Card>
            <ServerParsedMarkdown text={text} className={cn(text.length <= maxShort && 'text-lg leading-relaxed')} />
          </Card>
        )}
        {files.slice(0, maxShown).map((file) => (
          <Deliverable key={file.sha256} goalId={run.goal.id} file={file} />
        ))}
      </Section>
      <div className="grid min-w-0 content-start gap-8">{beside}</div>
    </div>
  )
}

function Deliverable({ goalId, file }: { goalId: string; file: Run['artifacts'][number] }) {
  const t = useTranslations('run.goalResultPanel')
  const address = `/api/artifacts/${goalId}/${file.sha256}`
  if (file.erased_at) return null
  return (
    <article aria-label={file.name} className="min-w-0">
      <div className="mb-2 flex min-h-9 flex-wrap items-center justify-between gap-x-4">
        <h3 className="min-w-0 truncate font-medium text-sm">{file.name}</h3>
        <a className="inline-flex min-h-9 items-center gap-2 text-link text-sm" href={`${address}?download=1`} download={file.name}>
          <Download aria-hidden className="size-4" /> {t('download')}
        </a>
      </div>
      <FilePreview address={address} mediaType={file.media_type} name={file.name} isFull />
    </article>
  )
}
