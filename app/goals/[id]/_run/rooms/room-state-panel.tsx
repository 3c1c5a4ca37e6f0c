'use client'
import { roomStateLabels } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Link } from '../../../../_components/ui/link.tsx'
import { Section } from '../../../../_components/ui/section.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import { movesFrom } from '../../../../rooms/room-transitions.ts'
import type { People } from '../to-run-view.ts'

/** The room's state in the protocol's table, and the allowed moves. Empty before the room has a lead. */
export function RoomStatePanel({ run, people, className = '' }: { run: Run; people: People; className?: string }) {
  const t = useTranslations('run.roomStatePanel')
  const trpc = useTRPC()
  const { goal } = run
  const isOver = goal.state === 'paid' || goal.state === 'refunded' || goal.state === 'canceled'
  const asked = { goal_id: goal.id, room_id: goal.roomId }
  // The page reloads this after a change of the goal, not after each message.
  const { data: now } = useQuery(trpc.goals.getRoomStatus.queryOptions(asked, { refetchInterval: isOver ? false : 15_000 }))
  if (!now) return null
  const titleOf = (taskId: string) => {
    const step = run.steps.find((one) => one.taskId === taskId)
    return step ? `${step.step}. ${step.title}` : taskId
  }
  const moves = movesFrom(now.state)
  return (
    <Section title={t('room')} className={className}>
      <p className="font-medium">{roomStateLabels[now.state]}</p>
      {now.state === 'open' && (
        <p className="mt-1 text-muted text-sm">
          {now.turn
            ? t.rich('hasTurnUntil', { name: people.speakerOf(now.turn.holder).name, time: fillEmptyTag(<Time at={now.turn.until} />) })
            : t('noMemberHasTurn')}
        </p>
      )}
      {now.waitsFor.length > 0 && (
        <p className="mt-1 text-muted text-sm">{t('waitsFor', { steps: now.waitsFor.map(titleOf).join(', ') })}</p>
      )}
      {now.halt !== null && <p className="mt-1 text-muted text-sm">{now.halt}</p>}
      <details className="mt-2">
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-link md:min-h-8">{t('whatMayHappenNext')}</summary>
        <dl className="mt-1 grid gap-2 text-sm">
          {moves.map(({ type, name, by, does, to }) => (
            <div key={type}>
              <dt className="font-medium">
                {name} <span className="font-normal text-muted">{t('by', { by })}</span>
              </dt>
              <dd className="text-muted">
                {does}
                {to.some((state) => state !== now.state) &&
                  ` ${t('leadsTo', { states: to.map((state) => roomStateLabels[state]).join('; ') })}`}
              </dd>
            </div>
          ))}
        </dl>
        <p className="mt-2 text-sm">
          {t.rich('leadsHere', {
            name: people.speakerOf(now.lead).name,
            link: (chunks) => (
              <Link href="/rooms" className="text-link">
                {chunks}
              </Link>
            ),
          })}
        </p>
      </details>
    </Section>
  )
}
