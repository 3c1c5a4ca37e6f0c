'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { ServerParsedMarkdown } from '../../../../_components/content/server-parsed-markdown.tsx'
import { Field, Select } from '../../../../_components/ui/field.tsx'
import { Card, Section } from '../../../../_components/ui/section.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import type { People } from '../to-run-view.ts'
import { planDiff } from './plan-diff.ts'

const marks = { same: ' ', out: '−', in: '+' } as const
const textAs = { out: 'removed', in: 'added' } as const
const looks = { same: 'text-muted', out: 'bg-bad-soft text-bad-ink', in: 'bg-good-soft text-good-ink' } as const

/** The plan in words, from the lead of the room: its newest version and the earlier ones. Nothing without a plan. */
export function PlanPanel({ run, people, className = '' }: { run: Run; people: People; className?: string }) {
  const t = useTranslations('run.planPanel')
  const trpc = useTRPC()
  const { data } = useQuery(trpc.conversations.plans.queryOptions({ room_id: run.goal.roomId }))
  const [chosen, setChosen] = useState(0)
  const { versions, isWhole } = data ?? { versions: [], isWhole: true }
  const [newest] = versions
  if (!newest) return null
  const earlier = versions.find((one) => one.version === chosen)
  return (
    <Section title={t('plan')} aside={t('version', { version: newest.version })} className={className}>
      <Card>
        <ServerParsedMarkdown text={newest.text} />
        <p className="mt-3 text-muted text-sm">
          {t.rich('by', { name: people.speakerOf(newest.authorId).name, time: () => <Time at={newest.at} /> })}
        </p>
        {versions.length > 1 && (
          <Field label={t('compareWith')} className="mt-3">
            <Select value={String(chosen)} onChange={(event) => setChosen(Number(event.target.value))}>
              <option value="0">{t('noOtherVersion')}</option>
              {versions.slice(1).map(({ version, at }) => (
                <option key={version} value={version}>
                  {t('versionUtc', { version, time: at.toISOString().slice(0, 16).replace('T', ' ') })}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {!isWhole && (
          <p className="mt-2 text-muted text-sm">{t('versionsBeforeNotShown', { version: String(versions.at(-1)?.version) })}</p>
        )}
        {earlier && (
          <div className="mt-3">
            <p className="text-muted text-sm">
              {t('whatChangedSinceVersionBy', { version: earlier.version, name: people.speakerOf(earlier.authorId).name })}
            </p>
            <ul aria-label={t('changesSinceVersion', { version: earlier.version })} className="mt-2 rounded-md border font-mono text-sm">
              {planDiff(earlier.text, newest.text).map(({ kind, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
                <li key={index} className={`flex gap-2 px-2 py-0.5 ${looks[kind]}`}>
                  <span aria-hidden>{marks[kind]}</span>
                  <span className="min-w-0 whitespace-pre-wrap break-words">
                    <span className="sr-only">{kind !== 'same' && `${t(textAs[kind])} `}</span>
                    {text}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Card>
    </Section>
  )
}
