import { AgentId } from '@parley/protocol'
import { useQueries } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { problemOf } from '../../../_components/ui/problem.tsx'
import { type GoalDraft, plannerIdsOf } from '../_draft/goal-draft.ts'

/** The first typed id without a planner; null if there is none, or while the answer is pending. */
export function useUnlistedPlannerId(draft: GoalDraft | null): string | null {
  const t = useTranslations('ui.problem')
  const trpc = useTRPC()
  const ids = draft
    ? plannerIdsOf(draft)
        .filter((id) => AgentId.safeParse(id).success)
        .slice(0, 8)
    : []
  const found = useQueries({ queries: ids.map((agent) => trpc.registry.get.queryOptions({ agent }, { retry: false })) })
  const unknown = found.findIndex(({ data, error }) =>
    data
      ? data.withdrawn_at !== null || !data.skills.some((skill) => skill.id === 'goal.plan')
      : error && problemOf(error, t).code === 'listing.not_found',
  )
  return ids[unknown] ?? null
}
