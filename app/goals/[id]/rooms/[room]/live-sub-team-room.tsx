'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMe } from '../../../../_components/market-provider.tsx'
import { Section } from '../../../../_components/ui/section.tsx'
import { GoalHead } from '../../_head/goal-head.tsx'
import { OmittedGoalData } from '../../_run/result/omitted-goal-data.tsx'
import { PlanPanel } from '../../_run/rooms/plan-panel.tsx'
import { RoomChat } from '../../_run/rooms/room-chat.tsx'
import { RoomStatePanel } from '../../_run/rooms/room-state-panel.tsx'
import { RoomsPanel } from '../../_run/rooms/rooms-panel.tsx'
import { StepsTable } from '../../_run/steps/steps-table.tsx'
import { peopleOf, toRunView } from '../../_run/to-run-view.ts'

/** A sub-team's room: its parent, its task and its messages. */
export function LiveSubTeamRoom({ goalId, roomId }: { goalId: string; roomId: string }) {
  const t = useTranslations('run.liveSubTeamRoom')
  const trpc = useTRPC()
  const { data } = useSuspenseQuery(trpc.goals.getRoom.queryOptions({ goal_id: goalId, room_id: roomId }))
  const { run, room, rootId } = data
  const view = useMemo(() => toRunView(run), [run])
  const people = useMemo(() => peopleOf(run), [run])
  const isClient = useMe()?.did === run.goal.clientId
  const steps = view.steps.filter((step) => step.roomId === room.roomId)
  return (
    <>
      <GoalHead goal={run.goal} />
      <OmittedGoalData run={run} />
      <RoomsPanel run={run} view={view} people={people} rootId={rootId} shownId={room.roomId} />
      {steps.length > 0 && (
        <Section title={t('steps')} className="mb-8">
          <StepsTable view={{ ...view, steps }} people={people} />
        </Section>
      )}
      <PlanPanel run={run} people={people} className="mb-8" />
      <RoomStatePanel run={run} people={people} className="mb-8" />
      <Section title={t('transcript')}>
        <RoomChat run={run} people={people} isClient={isClient} wholeHref={null} />
      </Section>
    </>
  )
}
