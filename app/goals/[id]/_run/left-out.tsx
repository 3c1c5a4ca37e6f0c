import { useTranslations } from 'next-intl'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Notice } from '../../../_components/ui/notice.tsx'

/** Says what the page can't show of the goal. */
export function LeftOut({ run }: { run: Run }) {
  const t = useTranslations('run.leftOut')
  if (run.isWhole && run.unreadable.length === 0) return null
  return (
    <Notice kind="warning" title={t('pageDoesNotShowEverything')} className="mb-6">
      {!run.isWhole && <p>{t('olderTasksOrFilesLeftOut')}</p>}
      {run.unreadable.length > 0 && <p>{t('storedRecordsOfGoalCantRead', { unreadable: run.unreadable.join(', ') })}</p>}
    </Notice>
  )
}
