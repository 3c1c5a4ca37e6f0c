'use client'
import type { Rule } from '@parley/protocol'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Card, EmptyState } from '../../_components/ui/section.tsx'
import { Chip } from '../../_components/ui/state-chip.tsx'
import { Time } from '../../_components/ui/time.tsx'
import { ruleSubjectLabel } from './rule-subject-label.ts'

const effects = { deny: ['bad', 'deny'], ask: ['amber', 'ask'], allow: ['good', 'allow'] } as const

/** Each rule in force, with a button that lifts it. */
export function RuleList({ rules }: { rules: readonly Rule[] }) {
  const t = useTranslations('admin.ruleList')
  if (rules.length === 0) return <EmptyState title={t('nothingForbidden')}>{t('whatAnybodyMayDoAtAll')}</EmptyState>
  return (
    <ul className="grid gap-4">
      {rules.map((rule) => (
        <li key={rule.rule_id}>
          <Card>
            <RuleCard rule={rule} />
          </Card>
        </li>
      ))}
    </ul>
  )
}

function RuleCard({ rule }: { rule: Rule }) {
  const t = useTranslations('admin.ruleList')
  const tPoint = useTranslations('admin.policyPoint')
  const subject = ruleSubjectLabel(rule, useTranslations('admin.subject'), useTranslations('admin.tag'))
  const trpc = useTRPC()
  const router = useRouter()
  const lift = useMutation(trpc.policy.revokeRule.mutationOptions({ onSuccess: () => router.refresh() }))
  const [tone, word] = effects[rule.effect]
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 font-semibold [overflow-wrap:anywhere]">{subject}</h3>
        <Chip tone={tone}>{t(word)}</Chip>
      </div>
      <p className="text-sm">{t('when', { points: rule.points.map((point) => tPoint(point)).join(`, ${t('or')} `) })}</p>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        {rule.reason}
        {rule.expires_at !== undefined && <> {t.rich('ends', { time: fillEmptyTag(<Time at={rule.expires_at} />) })}</>}
      </p>
      {lift.error && <ProblemNotice error={lift.error} />}
      <div>
        <Button
          size="small"
          isBusy={lift.isPending}
          onClick={() => lift.mutate({ rule_id: rule.rule_id })}
          aria-label={t('liftOf', { subject })}
        >
          {t('lift')}
        </Button>
      </div>
    </div>
  )
}
