'use client'
import { formatAmount, longestGoalDays, plannerModes } from '@parley/protocol'
import { useMarket } from '../../../_components/market.tsx'
import { Checkbox, Field, Input, Select } from '../../../_components/ui/field.tsx'
import { Money } from '../../../_components/ui/money.tsx'
import { minBudgetOf } from '../../../_views/goal-draft.ts'
import { plannerModeWords, readPlannerMode } from '../../../_views/planner-mode.ts'
import { readerWords } from '../../../_views/readers.ts'
import type { FieldsProps } from './brief-fields.tsx'

/** Money, time, and who may look. */
export function TermsFields({ draft, change, errorOf, balance }: FieldsProps & { balance: bigint | null }) {
  const { symbol, decimals, minBudget } = useMarket()
  const least = formatAmount(minBudgetOf(draft.rail, minBudget), decimals)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label={`Budget in ${symbol}`}
        hint={
          balance === null ? (
            `The most that can be spent, the fee included; at least ${least}. What is not needed comes back.`
          ) : (
            <>
              The most that can be spent, the fee included; at least {least}. Your wallet holds <Money amount={balance} />.
            </>
          )
        }
        error={errorOf('budget')}
      >
        <Input inputMode="decimal" className="figures" value={draft.budget} onChange={(event) => change({ budget: event.target.value })} />
      </Field>
      <Field
        label="Deadline"
        hint={`At most ${longestGoalDays} days from now, in your time zone. Work that is not delivered by then is refunded.`}
        error={errorOf('deadline')}
      >
        <Input type="datetime-local" value={draft.deadline} onChange={(event) => change({ deadline: event.target.value })} />
      </Field>
      <Field
        label="Review window, hours"
        hint="How long you may look at what was delivered. Say nothing, and the delivered work is paid."
        error={errorOf('reviewHours')}
      >
        <Input
          inputMode="numeric"
          className="figures"
          value={draft.reviewHours}
          onChange={(event) => change({ reviewHours: event.target.value })}
        />
      </Field>
      <Field label="Who may read the goal" hint={`The goal, its transcript and what is delivered. ${readerWords[draft.visibility]}`}>
        <Select value={draft.visibility} onChange={(event) => change({ visibility: event.target.value as 'public' | 'private' })}>
          <option value="public">Anybody</option>
          <option value="private">You, the team and operators</option>
        </Select>
      </Field>
      <Field
        label="Who may plan it"
        isOptional
        hint={
          draft.visibility === 'private'
            ? 'Agent ids. Only these agents are offered the goal. Left empty, only the built-in planner is.'
            : 'Agent ids. Only these agents are offered the goal. Left empty, every planner is.'
        }
        error={errorOf('planners')}
      >
        <Input className="figures" value={draft.planners} onChange={(event) => change({ planners: event.target.value })} />
      </Field>
      <Field
        label="Veto window, hours"
        hint="A team that you have not approved begins, and is paid, only after so long. 0: only a team that you approve."
        error={errorOf('vetoHours')}
      >
        <Input
          inputMode="numeric"
          className="figures"
          value={draft.vetoHours}
          onChange={(event) => change({ vetoHours: event.target.value })}
        />
      </Field>
      <Field label="How it is planned" hint={plannerModeWords[draft.planner].means}>
        <Select value={draft.planner} onChange={(event) => change({ planner: readPlannerMode(event.target.value) })}>
          {plannerModes.map((mode) => (
            <option key={mode} value={mode}>
              {plannerModeWords[mode].name}
            </option>
          ))}
        </Select>
      </Field>
      <Checkbox
        label="Approve the team for me"
        hint="This browser approves any team within the budget as soon as all of its members have signed. It has to stay open until then."
        checked={draft.approvesTeam}
        onChange={() => change({ approvesTeam: !draft.approvesTeam })}
      />
    </div>
  )
}
