'use client'
import { AgentId, isDid, type Rule, type RulePoint } from '@parley/protocol'
import { useMutation } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Button } from '../../_components/ui/button.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { EmptyState } from '../../_components/ui/section.tsx'
import { Chip } from '../../_components/ui/state-chip.tsx'
import { Time } from '../../_components/ui/time.tsx'

type Stop = inferRouterOutputs<AppRouter>['policy']['listRules']['stops'][number]

/** Agents stopped by rules, newest first. A waiting one can be allowed with one click. */
export function AgentsStoppedByRules({ stops, rules }: { stops: readonly Stop[]; rules: readonly Rule[] }) {
  const t = useTranslations('admin.agentsStoppedByRules')
  if (stops.length === 0) return <EmptyState title={t('nobodyHasStopped')}>{t('whoRunsIntoRuleShowsHere')}</EmptyState>
  const reasonOf = new Map(rules.map((rule) => [rule.rule_id, rule.reason]))
  return (
    <ul className="divide-y rounded-lg border bg-surface">
      {stops.map((stop) => (
        <li key={`${stop.ruleId} ${stop.point} ${stop.actor} ${stop.subject}`} className="grid gap-1.5 px-4 py-3">
          <StopRow stop={stop} reason={reasonOf.get(stop.ruleId) ?? ''} />
        </li>
      ))}
    </ul>
  )
}

function StopRow({ stop, reason }: { stop: Stop; reason: string }) {
  const t = useTranslations('admin.agentsStoppedByRules')
  const tPoint = useTranslations('admin.policyPoint')
  const trpc = useTRPC()
  const router = useRouter()
  const allow = useMutation(trpc.policy.createRule.mutationOptions({ onSuccess: () => router.refresh() }))
  // The first subject of the stop; without an id, its actor.
  const agentId = stop.subject.split(' ').find((word): word is `agt_${string}` => AgentId.safeParse(word).success)
  const subject = agentId ? { agent_id: agentId } : isDid(stop.actor) ? { did: stop.actor } : null
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="figures min-w-0 text-sm [overflow-wrap:anywhere]">{stop.actor}</p>
        <Chip tone={stop.isHeld ? 'amber' : 'bad'}>{stop.isHeld ? t('asksOperator') : t('refused')}</Chip>
      </div>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        {t.rich('whenTimesLast', {
          point: tPoint(stop.point as RulePoint),
          about: stop.subject === '' ? '' : ` (${stop.subject})`,
          times: stop.count,
          time: () => <Time at={stop.lastAt} />,
          reason,
        })}
      </p>
      {allow.error && <ProblemNotice error={allow.error} />}
      {stop.isHeld && subject && (
        <div>
          <Button
            size="small"
            isBusy={allow.isPending}
            aria-label={t('allowActor', { actor: stop.actor })}
            onClick={() =>
              allow.mutate({ rule: { effect: 'allow', points: [stop.point as RulePoint], subject, reason: t('allowedByOperator') } })
            }
          >
            {t('allow')}
          </Button>
        </div>
      )}
    </>
  )
}
