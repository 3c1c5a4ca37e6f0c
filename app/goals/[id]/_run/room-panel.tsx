'use client'
import { roomWords } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Section } from '../../../_components/ui/card.tsx'
import { Time } from '../../../_components/ui/time.tsx'
import { movesFrom } from '../../../_views/room-moves.ts'
import type { People } from '../../../_views/to-run-view.ts'

/** How the room stands by the protocol's table, and what may happen next. Nothing before somebody leads in it. */
export function RoomPanel({ run, people, className = '' }: { run: Run; people: People; className?: string }) {
  const trpc = useTRPC()
  const { goal } = run
  const isOver = goal.state === 'paid' || goal.state === 'refunded' || goal.state === 'canceled'
  const asked = { goal_id: goal.id, group_id: goal.groupId }
  // What changes the goal makes the page ask anew; talk alone does not.
  const { data: now } = useQuery(trpc.goals.getRoomNow.queryOptions(asked, { refetchInterval: isOver ? false : 15_000 }))
  if (!now) return null
  const titleOf = (taskId: string) => {
    const step = run.steps.find((one) => one.taskId === taskId)
    return step ? `${step.step}. ${step.title}` : taskId
  }
  const moves = movesFrom(now.state)
  return (
    <Section title="Room" className={className}>
      <p className="font-medium">{roomWords[now.state]}</p>
      {now.state === 'open' && (
        <p className="mt-1 text-muted text-sm">
          {now.turn ? (
            <>
              {people.speakerOf(now.turn.holder).name} has the turn, until <Time at={now.turn.until} />.
            </>
          ) : (
            'No member has the turn. The next one to post takes it.'
          )}
        </p>
      )}
      {now.waitsFor.length > 0 && <p className="mt-1 text-muted text-sm">It waits for {now.waitsFor.map(titleOf).join(', ')}.</p>}
      {now.halt !== null && <p className="mt-1 text-muted text-sm">{now.halt}</p>}
      <details className="mt-2">
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-link md:min-h-8">What may happen next</summary>
        <dl className="mt-1 grid gap-2 text-sm">
          {moves.map(({ type, name, by, does, to }) => (
            <div key={type}>
              <dt className="font-medium">
                {name} <span className="font-normal text-muted">by {by}</span>
              </dt>
              <dd className="text-muted">
                {does}
                {to.some((state) => state !== now.state) && ` Leads to: ${to.map((state) => roomWords[state]).join('; ')}.`}
              </dd>
            </div>
          ))}
        </dl>
        <p className="mt-2 text-sm">
          {people.speakerOf(now.lead).name} leads here.{' '}
          <Link href="/rooms" className="text-link">
            How a room works
          </Link>
        </p>
      </details>
    </Section>
  )
}
