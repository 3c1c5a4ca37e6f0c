import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { TranscriptCheck } from './transcript-check.tsx'
import { isTranscriptFiltered, type TranscriptFilter, writeFilter } from './transcript-filter.ts'

type Props = { goalId: string; roomId: string; filter: TranscriptFilter; isSettled: boolean }

/** Verification and downloads. A download has all pages of the filtered messages. */
export function VerifyAndDownload({ goalId, roomId, filter, isSettled }: Props) {
  const t = useTranslations('run.verifyAndDownload')
  const query = writeFilter(filter)
  const what = isTranscriptFiltered(filter) ? 'filtered' : 'whole'
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-4">
      <TranscriptCheck goalId={goalId} roomId={roomId} isSettled={isSettled} />
      <p className="flex flex-wrap items-center gap-x-4 text-sm">
        <span className="text-muted">{t('download', { what })}</span>
        {(['jsonl', 'csv'] as const).map((format) => (
          <a
            key={format}
            className="inline-flex min-h-11 items-center gap-1.5 text-link md:min-h-9"
            href={`/goals/${goalId}/transcript.${format}${query}`}
            download
          >
            <Download aria-hidden className="size-4" /> {format.toUpperCase()}
          </a>
        ))}
      </p>
    </div>
  )
}
