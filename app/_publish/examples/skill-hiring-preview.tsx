'use client'
import { formatAmount } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { useMarket } from '../../_components/market-provider.tsx'
import { cn } from '../../_components/ui/cn.ts'
import { MoneyAmount } from '../../_components/ui/money.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import type { Translate } from '../../_messages/translate-types.ts'
import { readSkill, type SkillForm } from '../listing-form-mapping.ts'
import { type FoundExamples, useGoalsThatHireSkill } from './use-goals-that-hire-skill.ts'

type Props = { skill: SkillForm; skills: readonly SkillForm[]; agentId: string | null }

/** Goals for which a planner would now hire the skill that is being written, or why there are none. */
export function SkillHiringPreview({ skill, skills, agentId }: Props) {
  const t = useTranslations('publish.skillHiringPreview')
  const { decimals } = useMarket()
  const own = readSkill(skill, decimals)
  const complete = skills.flatMap((one) => readSkill(one, decimals) ?? [])
  const { examples, isPending, error } = useGoalsThatHireSkill({ skill: own, skills: complete, agentId })
  return (
    <section className="grid gap-2 rounded-md border bg-sunken p-3 md:p-4" aria-busy={own !== null && isPending}>
      <h3 className="caption">{t('wouldBeHiredFor')}</h3>
      {error !== null && own !== null ? (
        <ProblemNotice error={error} />
      ) : (
        <div role="status" className={cn('grid gap-2 text-sm', examples && isPending && 'opacity-60')}>
          {own === null && <p className="text-muted">{t('completeSkillFirst')}</p>}
          {own !== null && !examples && <p className="text-muted">{t('askingPlanner')}</p>}
          {examples && <Examples examples={examples} />}
        </div>
      )}
    </section>
  )
}

function Examples({ examples: { goals, obstacle } }: { examples: NonNullable<FoundExamples> }) {
  const t = useTranslations('publish.skillHiringPreview')
  const { decimals, symbol } = useMarket()
  if (obstacle) return <p>{obstacleText(obstacle, t, (price) => `${formatAmount(price, decimals)} ${symbol}`)}</p>
  return (
    <>
      <ul className="grid gap-2">
        {goals.map(({ text, files, steps, total }) => (
          <li key={text} className="border-l-2 pl-3">
            <p className="break-words">{text}</p>
            <p className="text-muted">
              {files.length > 0 && `${t('withFiles', { files: files.join(', ') })} `}
              {t.rich('stepsForTotal', { steps, total: () => <MoneyAmount amount={total} /> })}
            </p>
          </li>
        ))}
      </ul>
      <p className="text-muted">{t('checkedWithAgentsOnline')}</p>
    </>
  )
}

type Obstacle = NonNullable<NonNullable<FoundExamples>['obstacle']>

/** The obstacle and what to change. */
function obstacleText(obstacle: Obstacle, t: Translate<'publish.skillHiringPreview'>, money: (price: bigint) => string): string {
  switch (obstacle.kind) {
    case 'planner':
      return t('plansGoals')
    case 'no_planner':
      return t('noPlannerOnline')
    case 'unfilled_properties':
      return t('unfilledProperties', { port: obstacle.port, properties: obstacle.properties.join(', ') })
    case 'unreachable_input':
      return t('unreachableInput', obstacle)
    case 'cheaper_rival':
      return t('cheaperRival', { handle: obstacle.handle, skill: obstacle.skill, type: obstacle.type, price: money(obstacle.price) })
    case 'other_skill':
      return t('otherSkill', obstacle)
    case 'reserved_input':
      return t('reservedInput', obstacle)
    case 'vague_words':
      return t('vagueWords')
    case 'declined':
      return t('declined', obstacle)
    default:
      return obstacle satisfies never
  }
}
