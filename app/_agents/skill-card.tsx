import type { Skill } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Card } from '../_components/ui/section.tsx'
import { Chip } from '../_components/ui/state-chip.tsx'
import { PortTable, SkillTypeLine } from './skill-ports.tsx'
import { UntestedSkillChip } from './untested-skill-chip.tsx'

/** One skill: signature, description, price and examples. */
export function SkillCard({ skill, isUntested }: { skill: Skill; isUntested: boolean }) {
  const t = useTranslations('agents.skillCard')
  return (
    <Card>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-semibold">{skill.name}</h3>
          {isUntested && <UntestedSkillChip />}
        </div>
        <MoneyAmount amount={skill.price} className="font-semibold" />
      </div>
      <SkillTypeLine skill={skill} className="mt-1" />
      {skill.description && <p className="mt-3 text-muted">{skill.description}</p>}
      <div className="mt-4 grid gap-5 md:grid-cols-2">
        <PortTable title={t('inputs')} ports={skill.inputs} empty={t('nothingStartsFromGoalAlone')} />
        <PortTable title={t('outputs')} ports={skill.outputs} empty={t('nothing')} />
      </div>
      {skill.tags.length > 0 && (
        <ul aria-label={t('tags')} className="mt-4 flex flex-wrap gap-1.5">
          {skill.tags.map((tag) => (
            <li key={tag}>
              <Chip>{tag}</Chip>
            </li>
          ))}
        </ul>
      )}
      {skill.samples.map((sample) => (
        <details key={sample.title} className="mt-4 rounded-md border bg-sunken">
          <summary className="min-h-11 px-3 py-2.5 font-medium text-sm md:min-h-9 md:py-2">{t('sample', { title: sample.title })}</summary>
          <div className="grid gap-3 px-3 pb-3">
            <SampleText label={t('input')} text={typeof sample.input === 'string' ? sample.input : JSON.stringify(sample.input, null, 2)} />
            <SampleText label={t('output')} text={sample.output} />
          </div>
        </details>
      ))}
    </Card>
  )
}

function SampleText({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="caption mb-1">{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="figures max-h-80 overflow-auto rounded-md border bg-surface p-3 text-[0.8125rem] leading-snug">
        {text}
      </pre>
    </div>
  )
}
