'use client'
import type { AgentId, Skill } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useDebounced } from '@/app/_quote/use-debounced.ts'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'

export type FoundExamples = inferRouterOutputs<AppRouter>['goals']['findExamples']

type Draft = { readonly skill: Skill | null; readonly skills: readonly Skill[]; readonly agentId: string | null }

/** Goals for which a planner would hire a skill of a draft, read again after each pause in typing. */
export function useGoalsThatHireSkill({ skill, skills, agentId }: Draft) {
  const client = useTRPCClient()
  const draft = skill && { ...(agentId && { agent_id: agentId as AgentId }), skills: [...skills], skill_id: skill.id }
  const asked = useDebounced(draft)
  const { data, error, isFetching } = useQuery({
    queryKey: ['example goals', asked],
    queryFn: ({ signal }) => (asked ? client.goals.findExamples.mutate(asked, { signal }) : null),
    enabled: asked !== null,
    staleTime: 15_000,
    retry: 1,
    placeholderData: (before) => before,
  })
  const isCurrent = JSON.stringify(asked) === JSON.stringify(draft)
  return { examples: draft && (data ?? null), isPending: isFetching || !isCurrent, error }
}
