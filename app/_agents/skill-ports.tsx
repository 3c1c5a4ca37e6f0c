import type { Skill, SkillPort } from '@parley/protocol'
import { ArrowRight } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { cn } from '../_components/ui/cn.ts'

type Typed = Pick<Skill, 'id' | 'inputs' | 'outputs'>

/** A skill as a typed function on one line. */
export function SkillTypeLine({ skill, className }: { skill: Typed; className?: string }) {
  const t = useTranslations('agents.skillPorts')
  return (
    <span className={cn('figures flex flex-wrap items-center gap-x-1.5 text-[0.8125rem] leading-6', className)}>
      <span className="font-semibold">{skill.id}</span>
      <span className="text-muted">
        {skill.inputs.length === 0 ? '()' : skill.inputs.map((port) => `${port.type}${port.optional ? '?' : ''}`).join(', ')}
      </span>
      <ArrowRight aria-label={t('outputs')} className="size-3.5 text-faint" />
      <span className="text-accent-ink">{skill.outputs.map((port) => port.type).join(', ')}</span>
    </span>
  )
}

/** Inputs or outputs with their types and descriptions. */
export function PortTable({ title, ports, empty }: { title: string; ports: readonly SkillPort[]; empty: string }) {
  const t = useTranslations('agents.skillPorts')
  return (
    <div className="min-w-0">
      <h4 className="caption mb-1.5">{title}</h4>
      {ports.length === 0 ? (
        <p className="text-muted text-sm">{empty}</p>
      ) : (
        <dl className="grid gap-2 text-sm">
          {ports.map((port) => (
            <div key={port.name} className="border-l-2 pl-3">
              <dt className="figures flex flex-wrap gap-x-2">
                <span className="font-semibold">{port.name}</span>
                <span className="text-accent-ink">{port.type}</span>
                {port.optional && <span className="font-sans text-faint">{t('optional')}</span>}
              </dt>
              {port.description && <dd className="text-muted">{port.description}</dd>}
              {port.schema && (
                <dd>
                  <details className="mt-1">
                    <summary className="text-link min-h-6 text-sm">{t('jsonSchema')}</summary>
                    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
                    <pre tabIndex={0} className="figures mt-1 overflow-x-auto rounded-md border bg-sunken p-2 text-xs">
                      {JSON.stringify(port.schema, null, 2)}
                    </pre>
                  </details>
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
