import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Notice } from '../../../_components/ui/notice.tsx'

/** Says what the page can't show of the goal. */
export function LeftOut({ run }: { run: Run }) {
  if (run.isWhole && run.unreadable.length === 0) return null
  return (
    <Notice kind="warning" title="This page does not show everything." className="mb-6">
      {!run.isWhole && <p>Older tasks or files are left out.</p>}
      {run.unreadable.length > 0 && <p>Stored records of this goal can’t be read: {run.unreadable.join(', ')}.</p>}
    </Notice>
  )
}
