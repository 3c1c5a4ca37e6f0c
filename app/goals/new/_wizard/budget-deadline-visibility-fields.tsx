'use client'
import { formatAmount, longestGoalDays, type PlannerMode, plannerModes } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { useMarket } from '../../../_components/market-provider.tsx'
import { Checkbox, Field, Input, Select } from '../../../_components/ui/field.tsx'
import { MoneyAmount } from '../../../_components/ui/money.tsx'
import { type GoalDraft, minBudgetOf } from '../_draft/goal-draft.ts'
import type { FieldsProps } from './brief-fields.tsx'
import { ClientReviewFields } from './client-review-fields.tsx'
import { readPlannerMode } from './read-planner-mode.ts'

/** What a language model reads of the goal. The planner keeps to it. */
function modelReads({ planner, visibility }: GoalDraft, modes: readonly PlannerMode[]): 'admitted' | 'plans' | 'agents' | 'none' {
  const isPlanned = planner === 'model' || planner === 'hybrid'
  if (visibility === 'private') return isPlanned ? 'admitted' : 'none'
  return isPlanned || (planner === 'copilot' && modes.includes('hybrid')) ? 'plans' : 'agents'
}

type Props = FieldsProps & { balance: bigint | null; modes: readonly PlannerMode[]; planPrice: bigint | null }

/** Budget, deadlines and visibility. `modes`: what planners online support. `planPrice`: of a quoted plan, whose team the funding approves. */
export function BudgetDeadlineVisibilityFields({ draft, change, errorOf, balance, modes, planPrice }: Props) {
  const t = useTranslations('post.budgetDeadlineVisibilityFields')
  const tReaders = useTranslations('views.goalVisibility')
  const tMode = useTranslations('views.plannerMode')
  const { symbol, decimals, minBudget } = useMarket()
  const min = formatAmount(minBudgetOf(draft.rail, minBudget), decimals)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={t('budgetIn', { symbol })} hint={<BudgetHint {...{ balance, planPrice, min }} />} error={errorOf('budget')}>
        <Input inputMode="decimal" className="figures" value={draft.budget} onChange={(event) => change({ budget: event.target.value })} />
      </Field>
      <Field label={t('deadline')} hint={t('atMostDaysFromNowIn', { longestGoalDays })} error={errorOf('deadline')}>
        <Input type="datetime-local" value={draft.deadline} onChange={(event) => change({ deadline: event.target.value })} />
      </Field>
      <Field label={t('extensionHours')} isOptional hint={t('howMuchYouMayExtend')} error={errorOf('extensionHours')}>
        <Input
          inputMode="numeric"
          className="figures"
          value={draft.extensionHours}
          onChange={(event) => change({ extensionHours: event.target.value })}
        />
      </Field>
      <ClientReviewFields draft={draft} change={change} errorOf={errorOf} />
      <Field label={t('whoMayReadGoal')} hint={t('goalTranscriptWhatDelivered', { readers: tReaders(`mayRead.${draft.visibility}`) })}>
        <Select value={draft.visibility} onChange={(event) => change({ visibility: event.target.value as 'public' | 'private' })}>
          <option value="public">{t('anybody')}</option>
          <option value="private">{t('youTeamOperators')}</option>
        </Select>
      </Field>
      <Field
        label={t('whoMayPlan')}
        isOptional
        hint={draft.visibility === 'private' ? t('agentIdsOfPrivateGoal') : t('agentIdsOfPublicGoal')}
        error={errorOf('planners')}
      >
        <Input className="figures" value={draft.planners} onChange={(event) => change({ planners: event.target.value })} />
      </Field>
      {!draft.isContest && (
        <Field label={t('howPlanned')} hint={`${tMode(`${draft.planner}.means`)} ${t(`modelReads.${modelReads(draft, modes)}`)}`}>
          <Select value={draft.planner} onChange={(event) => change({ planner: readPlannerMode(event.target.value) })}>
            {plannerModes.map((mode) => (
              <option key={mode} value={mode} disabled={!modes.includes(mode)}>
                {modes.includes(mode) ? tMode(`${mode}.name`) : t('notConfigured', { mode: tMode(`${mode}.name`) })}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {planPrice === null && <ApprovalFields {...{ draft, change, errorOf }} />}
    </div>
  )
}

function BudgetHint({ balance, planPrice, min }: Pick<Props, 'balance' | 'planPrice'> & { min: string }) {
  const t = useTranslations('post.budgetDeadlineVisibilityFields')
  const money = balance === null ? null : () => <MoneyAmount amount={balance} />
  if (planPrice === null) return money === null ? t('maxCanSpentFeeIncluded', { min }) : t.rich('maxCanSpentWalletHolds', { min, money })
  const plan = () => <MoneyAmount amount={planPrice} />
  return money === null ? t.rich('planSetsAside', { plan }) : t.rich('planSetsAsideWalletHolds', { plan, money })
}

/** How the team of an open bounty is approved, which no one knows before the funding. */
function ApprovalFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTranslations('post.budgetDeadlineVisibilityFields')
  return (
    <>
      <Field label={t('vetoWindowHours')} hint={t('teamYouHaveNotApprovedBegins')} error={errorOf('vetoHours')}>
        <Input
          inputMode="numeric"
          className="figures"
          value={draft.vetoHours}
          onChange={(event) => change({ vetoHours: event.target.value })}
        />
      </Field>
      {!draft.isContest && (
        <Checkbox
          label={t('approveTeamForMe')}
          hint={t('browserApprovesAnyTeamWithinBudget')}
          checked={draft.approvesTeam}
          onChange={() => change({ approvesTeam: !draft.approvesTeam })}
        />
      )}
    </>
  )
}
