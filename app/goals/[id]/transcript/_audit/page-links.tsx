import { useTranslations } from 'next-intl'
import { Link } from '../../../../_components/ui/link.tsx'
import { type TranscriptFilter, writeFilter } from './transcript-filter.ts'

type Props = { goalId: string; filter: TranscriptFilter; after: number; next: number | null }

export function PageLinks({ goalId, filter, after, next }: Props) {
  const t = useTranslations('run.pageLinks')
  if (after === 0 && next === null) return null
  const at = (from: number) => {
    const query = writeFilter(filter)
    const base = `/goals/${goalId}/transcript`
    return from === 0 ? base + query : `${base}${query || '?'}${query ? '&' : ''}after=${from}`
  }
  return (
    <nav aria-label={t('pagesOfTranscript')} className="mt-5 flex justify-between gap-4">
      {after > 0 ? (
        <Link className="inline-flex min-h-11 items-center text-link" href={at(0)}>
          {t('firstPage')}
        </Link>
      ) : (
        <span />
      )}
      {next !== null && (
        <Link className="inline-flex min-h-11 items-center text-link" href={at(next)}>
          {t('laterMessages')}
        </Link>
      )}
    </nav>
  )
}
