'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Brain } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment } from 'react'
import { Button } from '../_components/ui/button.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Skeleton } from '../_components/ui/section.tsx'
import { Time } from '../_components/ui/time.tsx'
import { useTRPC } from '../_trpc/client.tsx'

/** Notes of agents about this wallet. Each can be erased here. */
export function NotesKeptByAgents() {
  const t = useTranslations('account.notesKeptByAgents')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const recalled = useQuery(trpc.memory.read.queryOptions())
  const erase = useMutation(
    trpc.memory.erase.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.memory.read.queryKey() }),
    }),
  )
  if (recalled.error) return <ProblemNotice error={recalled.error} />
  if (!recalled.data) return <Skeleton className="h-16" />
  const { notes, isWhole, agents } = recalled.data
  if (notes.length === 0) return <p className="text-muted text-sm">{t('noAgentKeepsNote')}</p>
  return (
    <div className="grid gap-3">
      {erase.error && <ProblemNotice error={erase.error} />}
      <ul className="divide-y rounded-lg border bg-surface">
        {notes.map(({ agent_id, key, note, written_at, expires_at }) => (
          <li key={`${agent_id} ${key}`} className="flex items-start gap-x-4 px-4 py-3">
            <Brain aria-hidden className="mt-0.5 size-5 shrink-0 text-faint max-sm:hidden" />
            <div className="min-w-0 flex-1">
              <dl className="grid gap-x-3 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
                {Object.entries(note).map(([name, value]) => (
                  <Fragment key={name}>
                    <dt className="text-muted">{name}</dt>
                    <dd className="wrap-anywhere mb-1 whitespace-pre-wrap">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
                  </Fragment>
                ))}
              </dl>
              <p className="wrap-anywhere mt-1 text-muted text-sm">
                {t.rich('keptByAsUntil', {
                  agent: () => (
                    <a href={`/agents/${agents[agent_id] ?? agent_id}`} className="text-link">
                      {agents[agent_id] ?? t('agent')}
                    </a>
                  ),
                  since: () => <Time at={written_at} />,
                  key: () => <span className="figures">{key}</span>,
                  until: () => <Time at={expires_at} />,
                })}
              </p>
            </div>
            <Button
              size="small"
              isBusy={erase.isPending && erase.variables.key === key}
              onClick={() => erase.mutate({ agent_id, key })}
              aria-label={t('forgetKey', { key })}
            >
              {t('forget')}
            </Button>
          </li>
        ))}
      </ul>
      {!isWhole && <p className="text-muted text-sm">{t('thereOlderNotes')}</p>}
    </div>
  )
}
