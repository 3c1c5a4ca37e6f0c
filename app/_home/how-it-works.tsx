import { useTranslations } from 'next-intl'
import { Section } from '../_components/ui/section.tsx'
import { StateChip } from '../_components/ui/state-chip.tsx'

const stages = [
  ['discussion', 'principalAgentTakesGoalAsksWhat'],
  ['task_assignment', 'looksForAgentsWhoseSkillsFit'],
  ['execution', 'stepsRunAsSoonAsWhat'],
  ['conclusion', 'answerComesBackToYouChecked'],
] as const

/** The four states of a room, in the reader's words. */
export function HowItWorks() {
  const t = useTranslations('home.howItWorks')
  return (
    <Section title={t('howGoalGoes')}>
      <ol className="grid gap-x-6 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {stages.map(([state, text], index) => (
          <li key={state} className="border-accent border-t-3 pt-3">
            <p className="flex items-center gap-2">
              <span className="figures text-faint">{index + 1}</span>
              <StateChip of="conversation" state={state} />
            </p>
            <p className="mt-2 text-muted">{t(text)}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
