'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Mail, Webhook } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Button } from '../../_components/ui/button.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Skeleton } from '../../_components/ui/section.tsx'
import { StateChip } from '../../_components/ui/state-chip.tsx'
import { Time } from '../../_components/ui/time.tsx'
import { useTRPC } from '../../_trpc/client.tsx'
import { eventLabelOf } from './event-labels.ts'
import { useReloadNotificationSettings } from './use-reload-notification-settings.ts'

type Delivery = inferRouterOutputs<AppRouter>['notifications']['list'][number]

const everyMs = 10_000
/** More are shown on request. */
const firstShown = 5

/** The last deliveries by e-mail and webhook, each with its state. One that ended can be sent again. */
export function DeliveryLog() {
  const t = useTranslations('account.deliveries')
  const trpc = useTRPC()
  const onSettled = useReloadNotificationSettings()
  const [isWhole, setWhole] = useState(false)
  const deliveries = useQuery(trpc.notifications.list.queryOptions(undefined, { refetchInterval: everyMs }))
  const again = useMutation(trpc.notifications.sendAgain.mutationOptions({ onSettled }))
  if (deliveries.error) return <ProblemNotice error={deliveries.error} />
  if (!deliveries.data) return <Skeleton className="h-16" />
  if (deliveries.data.length === 0) return <p className="text-muted text-sm">{t('none')}</p>
  const shown = isWhole ? deliveries.data : deliveries.data.slice(0, firstShown)
  return (
    <div className="grid gap-3">
      {again.error && <ProblemNotice error={again.error} />}
      <ul className="divide-y rounded-lg border bg-surface">
        {shown.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            isBusy={again.isPending && again.variables.id === delivery.id}
            onAgain={() => again.mutate({ id: delivery.id })}
          />
        ))}
      </ul>
      {shown.length < deliveries.data.length && (
        <Button className="justify-self-start" onClick={() => setWhole(true)}>
          {t('showAll', { count: deliveries.data.length })}
        </Button>
      )}
    </div>
  )
}

function DeliveryRow({ delivery, isBusy, onAgain }: { delivery: Delivery; isBusy: boolean; onAgain: () => void }) {
  const t = useTranslations('account.deliveries')
  const tEvent = useTranslations('account.notificationEvent')
  const { channel, event, goal_id: goalId, state, attempts, error, created_at: at, next_attempt_at: next } = delivery
  const Icon = channel === 'email' ? Mail : Webhook
  const name = tEvent(eventLabelOf(event))
  const isTried = state === 'pending' && attempts > 0 && next !== null
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {goalId === null ? (
            <span>{name}</span>
          ) : (
            <Link href={`/goals/${goalId}`} className="text-link">
              {name}
            </Link>
          )}
          <StateChip of="notification" state={isTried ? 'retrying' : state} />
        </p>
        <p className="text-muted text-sm">
          {t.rich('summary', { channel, attempts, time: () => <Time at={at} /> })}
          {isTried && <> {t.rich('next', { time: () => <Time at={next} /> })}</>}
        </p>
        {error !== null && <p className="wrap-anywhere text-bad-ink text-sm">{error}</p>}
      </div>
      {event !== 'code' && state !== 'pending' && (
        <Button size="small" isBusy={isBusy} onClick={onAgain} aria-label={t('sendAgainNamed', { name })}>
          {t('sendAgain')}
        </Button>
      )}
    </li>
  )
}
