'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { memo, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { useMarket, useMe } from '../../../_components/market-provider.tsx'
import { MoneyIn } from '../../../_components/ui/money.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { Section } from '../../../_components/ui/section.tsx'
import { GoalHead } from '../_head/goal-head.tsx'
import { BudgetPanel } from './budget/budget-panel.tsx'
import { EntriesPanel } from './contest/entries-panel.tsx'
import { DisputesPanel } from './disputes/disputes-panel.tsx'
import { mayHaveDisputes } from './may-have-disputes.ts'
import { AcceptedResultActions } from './result/accepted-result-actions.tsx'
import { CriteriaVerdictPanel } from './result/criteria-verdict-panel.tsx'
import { FilesPanel } from './result/files-panel.tsx'
import { GoalResultPanel } from './result/goal-result-panel.tsx'
import { OmittedGoalData } from './result/omitted-goal-data.tsx'
import { RateStepsPanel } from './result/rate-steps-panel.tsx'
import { ReviewPanel } from './result/review-panel.tsx'
import { RevisionRequestsPanel } from './revision-requests-panel.tsx'
import { PlanPanel } from './rooms/plan-panel.tsx'
import { RoomChat } from './rooms/room-chat.tsx'
import { RoomStatePanel } from './rooms/room-state-panel.tsx'
import { RoomsPanel } from './rooms/rooms-panel.tsx'
import type { RunView } from './run-view.ts'
import { StatusLine } from './status-line.tsx'
import { type StatusSentence, statusSentence } from './status-sentence.ts'
import { StepsPanel } from './steps/steps-panel.tsx'
import { CharterDraftPanel } from './team/charter-draft-panel.tsx'
import { TeamPanel } from './team/team-panel.tsx'
import { draftOf, type People, peopleOf, toRunView } from './to-run-view.ts'
import { useReadAt, useRun } from './use-run.ts'

// What only the client of a goal can do. Other readers do not load it.
const FundByCardPanel = dynamic(() => import('../../_fund/fund-by-card-panel.tsx').then((module) => module.FundByCardPanel))
const FundByWalletPanel = dynamic(() => import('../../_fund/fund-by-wallet-panel.tsx').then((module) => module.FundByWalletPanel))
const ExtendOrPausePanel = dynamic(() => import('./extend-or-pause-panel.tsx').then((module) => module.ExtendOrPausePanel))
const FollowUpPanel = dynamic(() => import('./result/follow-up-panel.tsx').then((module) => module.FollowUpPanel))
const ApproveTeamPanel = dynamic(() => import('./team/approve-team-panel.tsx').then((module) => module.ApproveTeamPanel))
const RepostWithMoreBudgetButton = dynamic(() =>
  import('./budget/repost-with-more-budget-button.tsx').then((module) => module.RepostWithMoreBudgetButton),
)
const StopButton = dynamic(() => import('./budget/stop-button.tsx').then((module) => module.StopButton))

// They are large, and the time that passes changes nothing in them.
const [MemoizedSteps, MemoizedRooms, MemoizedChat] = [memo(StepsPanel), memo(RoomsPanel), memo(RoomChat)]

/** The page of one goal, during and after its run. It follows the server's events. */
export function LiveGoal({ goalId }: { goalId: string }) {
  const t = useTranslations('run.liveGoal')
  const tStatus = useTranslations('views.status')
  const run = useRun(goalId)
  const market = useMarket()
  const me = useMe()
  const view = useMemo(() => toRunView(run), [run])
  const people = useMemo(() => peopleOf(run), [run])
  const draft = useMemo(() => draftOf(run), [run])
  const isClient = me?.did === run.goal.clientId
  const now = useNow(useReadAt(goalId))
  const status = statusSentence(view, { market, viewer: { isClient, nameOf: people.nameOf }, now, t: tStatus })
  useTitle(status)
  const { goal } = run
  const isCard = run.hold.rail === 'stripe'
  const isAtWork = goal.state === 'open' || goal.state === 'underway'
  const hasFollowUp = (isClient && goal.outcome !== null) || run.followUps.length > 0 || goal.followsId !== null
  const isEnded = goal.state === 'paid' || goal.state === 'refunded' || goal.state === 'canceled'
  const mayStop = isClient && !isEnded && !isEntryApproved(run)
  const hasDisputes = mayHaveDisputes(run)
  const isAtOdds = useIsAtOdds(goal.id, hasDisputes) || run.submitted !== null
  const disputes = hasDisputes && <DisputesPanel run={run} people={people} isClient={isClient} />
  return (
    <MoneyIn symbol={isCard ? 'USD' : null}>
      <GoalHead goal={goal} />
      <StatusLine status={status} action={mayStop && <StopButton view={view} goalId={goal.id} />} />
      {isAtWork && run.approval && <ApproveTeamPanel run={run} people={people} isClient={isClient} />}
      <EntriesPanel run={run} isClient={isClient} />
      {run.hold.frozenSince && (
        <Notice kind="warning" title={t('eventOfGoalsMoneyCouldNot')} className="mb-6">
          {t('serverTakesNoNewActionOn')}
        </Notice>
      )}
      <OmittedGoalData run={run} />
      <GoalResultPanel
        run={run}
        beside={
          <>
            {goal.state === 'review' && <ReviewPanel run={run} view={view} people={people} isClient={isClient} />}
            {isClient && <AcceptedResultActions run={run} />}
            <RevisionRequestsPanel run={run} />
            <CriteriaVerdictPanel run={run} people={people} />
          </>
        }
      />
      {/* A boundary is hydrated in a task of its own, so that the answer reacts before the rest of the page does. */}
      <Suspense>
        {run.steps.length > 0 && <MemoizedSteps view={view} people={people} />}
        <MemoizedRooms run={run} view={view} people={people} rootId={goal.roomId} shownId={goal.roomId} />
      </Suspense>
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 content-start gap-8">
          {isClient && goal.state === 'funding' && <FundGoalPanel run={run} />}
          {draft && (
            <CharterDraftPanel
              goalId={goal.id}
              draft={draft}
              nameOf={(id) => run.draft?.names[id] ?? people.nameOf(id)}
              isClient={isClient}
            />
          )}
          <Suspense>
            <PlanPanel run={run} people={people} />
          </Suspense>
          {goal.state === 'paid' && isClient && <RateStepsPanel run={run} people={people} />}
          {isAtOdds && disputes}
          {hasFollowUp && <FollowUpPanel run={run} isClient={isClient} />}
          <Suspense>
            <Section title={t('transcript')}>
              <MemoizedChat run={run} people={people} isClient={isClient} />
            </Section>
          </Suspense>
          {!isAtOdds && disputes}
        </div>
        <Suspense>
          <MemoizedTerms {...{ run, view, people, isClient, isAtWork, mayStop }} />
        </Suspense>
      </div>
    </MoneyIn>
  )
}

const MemoizedTerms = memo(GoalTerms)

type TermsProps = { run: Run; view: RunView; people: People; isClient: boolean; isAtWork: boolean; mayStop: boolean }

/** Beside the work: its money, its terms, its files and its team. */
function GoalTerms({ run, view, people, isClient, isAtWork, mayStop }: TermsProps) {
  const { goal } = run
  return (
    <div className="grid min-w-0 content-start gap-8">
      <BudgetPanel view={view} hold={run.hold} action={mayStop && <RepostWithMoreBudgetButton view={view} goalId={goal.id} />} />
      {isAtWork && <ExtendOrPausePanel run={run} isClient={isClient} />}
      <RoomStatePanel run={run} people={people} />
      {goal.outcome === null && <RevisionRequestsPanel run={run} />}
      {goal.outcome === null && <CriteriaVerdictPanel run={run} people={people} />}
      <FilesPanel run={run} people={people} />
      <TeamPanel run={run} />
    </div>
  )
}

/** Funding by the rail that the client has chosen. */
function FundGoalPanel({ run: { goal, hold } }: { run: Run }) {
  const { rail, total, failure, isSigned } = hold
  if (rail === 'stripe') return <FundByCardPanel goalId={goal.id} total={total} failure={failure} />
  return <FundByWalletPanel goalId={goal.id} isSigned={isSigned} total={total} failure={failure} />
}

/** Whether there is a dispute or an offer: its panel is then above the chat, otherwise below. */
function useIsAtOdds(goalId: string, hasDisputes: boolean): boolean {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.disputes.getOfGoal.queryOptions({ goal_id: goalId }, { enabled: hasDisputes }))
  return data !== undefined && data.disputes.length + data.offers.length > 0
}

const nowEveryMs = 15_000

/** The current time, updated every 15 s. The first render uses the time of the server's read, so that hydration finds the same text. */
function useNow(readAt: Date): Date {
  const [now, setNow] = useState(readAt)
  const refreshOld = useEffectEvent(() => {
    // A page that was just read needs no other time, which would render all of it again.
    if (Date.now() - readAt.getTime() > nowEveryMs) setNow(new Date())
  })
  useEffect(() => {
    refreshOld()
    const timer = setInterval(() => setNow(new Date()), nowEveryMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

function useTitle({ text }: StatusSentence): void {
  const t = useTranslations('run.liveGoal')
  useEffect(() => {
    document.title = t('pageTitle', { text })
  }, [text, t])
}

/** The client has approved an entry of its contest: the entry is paid, and the goal can't be cancelled. */
const isEntryApproved = ({ goal, approval }: Run) =>
  goal.contest !== null && goal.state === 'underway' && (approval?.state === 'approved' || approval?.state === 'in_force')
