'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { CopyableIdentifier } from '../_components/ui/copyable-identifier.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, Section } from '../_components/ui/section.tsx'
import { Time } from '../_components/ui/time.tsx'

const everyMs = 30_000

/** For operators: notifications that were not sent after all attempts. Only their person sends them again. */
export function UnsentNotifications() {
  const t = useTranslations('admin.unsentNotifications')
  const trpc = useTRPC()
  const found = useQuery(trpc.notifications.listDead.queryOptions(undefined, { refetchInterval: everyMs }))
  if (found.error) return <ProblemNotice error={found.error} />
  if (!found.data?.length) return null
  return (
    <Section title={t('notSent')} aside={t('newestFirst')} className="mb-10">
      <ul className="grid gap-4">
        {found.data.map(({ id, channel, person_id: person, attempts, error, created_at: at }) => (
          <li key={id}>
            <Card className="min-w-0">
              <p className="font-medium">{t('byChannel', { channel })}</p>
              <CopyableIdentifier text={person} />
              {error !== null && <p className="break-words text-bad-ink text-sm">{error}</p>}
              <p className="text-muted text-sm">{t.rich('attempts', { attempts, time: () => <Time at={at} /> })}</p>
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  )
}
