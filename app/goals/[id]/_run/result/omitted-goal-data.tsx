import { useTranslations } from 'next-intl'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Notice } from '../../../../_components/ui/notice.tsx'

/** Lists the parts of the goal that the page cannot show. */
export function OmittedGoalData({ run }: { run: Run }) {
  const t = useTranslations('run.omittedGoalData')
  if (run.isWhole && run.unreadable.length === 0) return null
  return (
    <Notice kind="warning" title={t('pageDoesNotShowEverything')} className="mb-6">
      {!run.isWhole && <p>{t('olderTasksOrFilesLeftOut')}</p>}
      {run.unreadable.length > 0 && <p>{t('storedRecordsOfGoalCantRead', { unreadable: run.unreadable.join(', ') })}</p>}
    </Notice>
  )
}
