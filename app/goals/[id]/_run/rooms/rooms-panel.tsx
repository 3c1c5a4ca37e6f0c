import { useTranslations } from 'next-intl'
import type { Translate } from '@/app/_messages/translate-types.ts'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Link } from '../../../../_components/ui/link.tsx'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'
import { Section } from '../../../../_components/ui/section.tsx'
import type { RunView } from '../run-view.ts'
import type { People } from '../to-run-view.ts'
import { type RoomTreeItem, roomTree } from './room-tree.ts'

type Here = { readonly goalId: string; readonly rootId: string; readonly shownId: string; readonly people: People }

/** The rooms of a goal: team, hirer and task. Shown if a team has hired a sub-team. */
export function RoomsPanel({
  run,
  view,
  people,
  rootId,
  shownId,
}: {
  run: Run
  view: RunView
  people: People
  rootId: string
  shownId: string
}) {
  const t = useTranslations('run.roomsPanel')
  if (run.rooms.length === 0) return null
  const tree = roomTree({ roomId: rootId, leadAgentId: run.goal.principalAgentId, steps: view.steps, rooms: run.rooms })
  return (
    <Section title={t('rooms')} aside={t('countRooms', { count: run.rooms.length + 1 })} className="mb-8">
      <nav aria-label={t('roomsOfGoal')} className="rounded-lg border bg-surface p-4">
        <ul>
          <RoomItem node={tree} here={{ goalId: run.goal.id, rootId, shownId, people }} />
        </ul>
      </nav>
    </Section>
  )
}

function RoomItem({ node, here }: { node: RoomTreeItem; here: Here }) {
  const t = useTranslations('run.roomsPanel')
  const { goalId, rootId, shownId, people } = here
  const href = node.roomId === rootId ? `/goals/${goalId}` : `/goals/${goalId}/rooms/${node.roomId}`
  const lead = node.leadAgentId === null ? t('noAgentYet') : people.nameOf(node.leadAgentId)
  const isShown = node.roomId === shownId
  return (
    <li className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-1.5">
        <p className="min-w-0 break-words">
          {isShown ? (
            <span aria-current="page" className="font-semibold">
              {nameOf(node, t)}
            </span>
          ) : (
            <Link href={href} className="text-link">
              {nameOf(node, t)}
            </Link>
          )}
          <span className="block text-muted text-sm">
            {node.outcome && node.outcome !== 'completed' ? t('ledBy', { lead, outcome: node.outcome }) : t('ledByLead', { lead })}
          </span>
        </p>
        <p className="text-muted text-sm">
          {node.steps.length === 0
            ? t('noStepsLeft')
            : t.rich('ofDone', { done: node.done, count: node.steps.length, money: () => <MoneyAmount amount={node.sum} /> })}
        </p>
      </div>
      {node.steps.length > 0 && node.step !== null && (
        <p className="pb-1.5 text-faint text-xs">
          {node.steps.map((step) => `${step.step}. ${step.title} (${people.nameOf(step.agentId)})`).join(', ')}
        </p>
      )}
      {node.below.length > 0 && (
        <ul className="ml-1 border-line border-l-2 pl-4">
          {node.below.map((below) => (
            <RoomItem key={below.roomId} node={below} here={here} />
          ))}
        </ul>
      )}
    </li>
  )
}

function nameOf({ step }: RoomTreeItem, t: Translate<'run.roomsPanel'>): string {
  return step === null ? t('goal') : t('teamForStep', { step: step.step, title: step.title })
}
