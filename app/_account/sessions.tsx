'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, MonitorSmartphone } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Button } from '../_components/ui/button.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Skeleton } from '../_components/ui/section.tsx'
import { Chip } from '../_components/ui/state-chip.tsx'
import { Time } from '../_components/ui/time.tsx'
import { useTRPC } from '../_trpc/client.tsx'
import { browserName } from './browser-name.ts'

/** The sessions of this wallet. Each can be ended here. */
export function Sessions() {
  const t = useTranslations('account.sessions')
  const tBrowser = useTranslations('account.browser')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const sessions = useQuery(trpc.identity.listSessions.queryOptions())
  const revoke = useMutation(
    trpc.identity.revokeSession.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries({ queryKey: trpc.identity.listSessions.queryKey() })
        // It may be this session.
        router.refresh()
      },
    }),
  )
  type Session = NonNullable<typeof sessions.data>[number]
  function nameOf({ scopes, user_agent: agent }: Session): string {
    if (scopes === null) return browserName(agent, tBrowser)
    return agent === '' ? t('token') : t('tokenNamed', { name: agent })
  }
  function endLabel(session: Session): string {
    if (session.scopes !== null) return t('revokeTokenNamed', { name: session.user_agent })
    const browser = browserName(session.user_agent, tBrowser)
    return session.is_current ? t('signOutThisSession', { browser }) : t('signOutOf', { browser })
  }
  if (sessions.error) return <ProblemNotice error={sessions.error} />
  if (!sessions.data) return <Skeleton className="h-24" />
  return (
    <div className="grid gap-3">
      {revoke.error && <ProblemNotice error={revoke.error} />}
      <ul className="divide-y rounded-lg border bg-surface">
        {sessions.data.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            {session.scopes ? (
              <KeyRound aria-hidden className="size-5 shrink-0 text-faint" />
            ) : (
              <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-faint" />
            )}
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                <span title={session.user_agent}>{nameOf(session)}</span>
                {session.is_current && <Chip tone="accent">{t('thisOne')}</Chip>}
              </p>
              {session.scopes && <p className="text-sm">{t('tokenAllows', { scopes: session.scopes.join(', ') || 'none' })}</p>}
              <p className="text-muted text-sm">
                {t.rich('signedInSeenEnds', {
                  signedIn: () => <Time at={session.created_at} />,
                  seen: () => <Time at={session.seen_at} />,
                  ends: () => <Time at={session.expires_at} />,
                })}
              </p>
            </div>
            <Button
              size="small"
              isBusy={revoke.isPending && revoke.variables.id === session.id}
              onClick={() => revoke.mutate({ id: session.id })}
              aria-label={endLabel(session)}
            >
              {session.scopes ? t('revokeToken') : t('signOut')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
