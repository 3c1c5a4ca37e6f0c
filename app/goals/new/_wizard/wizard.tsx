'use client'
import { type GoalBrief, parseAmount } from '@parley/protocol'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, LogIn } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import { useMarket, useMe } from '../../../_components/market-provider.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import { Skeleton } from '../../../_components/ui/section.tsx'
import type { Quote } from '../../../_quote/use-request-quote.ts'
import { createGoalSessionKey } from '../../../_wallet/goal-session-key-store.ts'
import { useWallet } from '../../../_wallet/wallet-provider.tsx'
import { requestFundingOnArrival } from '../../_fund/funding-on-arrival.ts'
import { artifactTypeOf, type DraftAttachment } from '../_draft/draft-attachment.ts'
import { type DraftFault, type GoalDraft, pageOf, readDraft } from '../_draft/goal-draft.ts'
import { useGoalDraft } from '../_draft/use-goal-draft.ts'
import { BriefFields } from './brief-fields.tsx'
import { BudgetDeadlineVisibilityFields } from './budget-deadline-visibility-fields.tsx'
import { CostPage } from './cost-page.tsx'
import { draftPostingMode, isQuotedDraft, quotedBudget, suggestedCriteria } from './draft-posting-mode.ts'
import { TeamPreferenceFields } from './team-preference-fields.tsx'
import { TemplatePicker } from './template-picker.tsx'
import { draftQuoteRequest, useDraftQuote } from './use-draft-quote.ts'
import { useUnlistedPlannerId } from './use-unlisted-planner-id.ts'
import { WizardProgress } from './wizard-progress.tsx'

const pages = ['work', 'terms', 'cost'] as const

/** Three pages, one draft. Errors appear beside their fields when the person continues. */
export function Wizard() {
  const [t, tDraft] = [useTranslations('post.wizard'), useTranslations('views.goalDraftFaults')]
  const { draft, repeatError, change, replace, forget, startOver } = useGoalDraft()
  const market = useMarket()
  const me = useMe()
  const head = useRef<HTMLHeadingElement>(null)
  const balance = useOwnBalance()
  const { post, send, changed } = usePost(forget)
  const unknownPlanner = useUnlistedPlannerId(draft)
  const state = useDraftQuote(draft, draft && budgetOf(draft, market.decimals))
  const { formRef, isWaiting, wait } = useSubmitWhenRead(state.isPending)
  const { page, isAsked, setAsked, go, fix, isOpening } = useWizardPage(
    draft === null || state.isPending,
    plannedOf(draft, state.quote) !== null,
  )
  useFocusOnPage(page, head)
  if (!draft || isOpening) return <Skeleton className="h-96 rounded-lg" />

  const { quote } = state
  const postingMode = quote && draftPostingMode(draft, quote)
  const held = me ? knownBalance(balance.data?.tokens, market.isLocalChain) : null
  const read = readDraft(
    draft,
    {
      ...{ decimals: market.decimals, now: new Date(), balance: held, min: market.minBudget, unknownPlanner },
      ...{ hasArbitrator: market.hasArbitrator, suggestedCriteria: suggestedCriteria(state) },
      ...(postingMode === 'plan' && quote && 'steps' in quote.quote && { quoted: quote.quote }),
    },
    tDraft,
  )
  const faults = read.ok ? [] : read.faults
  const here = faults.filter((fault) => pageOf[fault.field] === page)
  const planned = plannedOf(draft, quote)
  const planPrice = planned && quotedBudget(planned, draft.rail, market.minBudget)
  const goal = read.ok ? withBudget(read.goal, planPrice) : null
  const hasPlan = !state.isPending && postingMode !== null && postingMode !== 'none'
  const shared = { draft, change, errorOf: (field: DraftFault['field']) => shownFault(faults, field, { isAsked, hasPlan })?.text }

  function forward() {
    if (here.length > 0 || (page === 0 && !hasPlan && !state.isPending)) setAsked(true)
    // The terms change the quote, too: the cost is shown of what will be posted.
    else if (state.isPending) wait()
    else go(page + 1)
  }
  async function submit() {
    if (!hasPlan) return state.isPending ? wait() : go(0)
    if (!draft || !goal) return faults[0] ? fix(faults[0].field) : setAsked(true)
    await send(draft, goal, planned)
  }

  return (
    <div className="grid grid-cols-1 gap-8 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <WizardProgress pages={pages.map((name) => t(name))} current={page} onGo={go} />
      <form
        ref={formRef}
        className="grid min-w-0 max-w-3xl grid-cols-1 gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          if (page < 2) forward()
          else void submit()
        }}
        noValidate
      >
        <h2 ref={head} tabIndex={-1} className="font-semibold text-xl outline-none">
          {t(pages[page] ?? 'work')}
        </h2>
        {page === 0 && <TemplatePicker draft={draft} onPick={replace} onStartOver={startOver} repeatError={repeatError} />}
        {page === 0 && <BriefFields {...shared} quote={state} />}
        {page === 1 && <BudgetDeadlineVisibilityFields {...shared} balance={held} modes={quote?.modes ?? []} planPrice={planPrice} />}
        {page === 1 && (draft.isContest ? null : <TeamPreferenceFields {...shared} />)}
        {page === 2 && <CostPage {...{ draft, faults, change, quote }} goal={goal} onFix={fix} balance={held} />}
        {isAsked && <Refusal faults={here} isWithoutPlan={page === 0 && !hasPlan} />}
        <PostProblem error={post.error} changed={changed} />
        <WizardButtons
          page={page}
          rail={draft.rail}
          isBusy={post.isPending || post.isSuccess || isWaiting}
          onBack={() => go(page - 1)}
          onSignedIn={wait}
        />
      </form>
    </div>
  )
}

/** Without a plan there are no suggested criteria, so a missing one is not the client's fault. */
function shownFault(faults: readonly DraftFault[], field: DraftFault['field'], when: { isAsked: boolean; hasPlan: boolean }) {
  const isShown = when.isAsked && (when.hasPlan || field !== 'criteria')
  return faults.find((fault) => fault.field === field && (fault.atOnce || isShown))
}

/** Why the person cannot continue. */
function Refusal({ faults, isWithoutPlan }: { faults: readonly DraftFault[]; isWithoutPlan: boolean }) {
  const t = useTranslations('post.wizard')
  const tQuote = useTranslations('post.quotePanel')
  // A missing plan comes first: the plan also suggests the criteria.
  if (isWithoutPlan) return <Notice kind="bad" title={tQuote('noPlan')} />
  if (faults.length === 0) return null
  return (
    <Notice kind="bad" title={t('fixProblemsToContinue', { count: faults.length })}>
      {faults.map((fault) => fault.text).join(' ')}
    </Notice>
  )
}

type Planned = Extract<Quote['quote'], { steps: unknown }>

/** Posts a draft, forgets it, and opens the page of the goal. A quoted goal is posted with the signed quote of the plan that is shown. */
function usePost(forget: () => void) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const router = useRouter()
  const post = useMutation(trpc.goals.post.mutationOptions())
  const t = useTranslations('post.wizard')
  const [isChanged, setChanged] = useState(false)
  async function send(draft: GoalDraft, goal: GoalBrief, planned: Planned | null): Promise<void> {
    setChanged(false)
    const attachments = draft.attachments.map(toAttachment)
    const current = planned && (await client.goals.quote.mutate(draftQuoteRequest(draft, BigInt(goal.budget))).catch(() => null))
    const quote = planned && isSamePlan(planned, current?.quote) ? current?.signed : null
    if (planned && !quote) return setChanged(true)
    // The funding of a quoted goal approves its team, so no session key has to.
    const authorizer = planned ? undefined : createGoalSessionKey(draft.approvesTeam && !draft.isContest)
    const posted = await post
      .mutateAsync({ id: draft.id, goal: { ...goal, authorizer }, attachments, ...(quote && { quote }) })
      .catch(() => null)
    if (!posted) return
    forget()
    requestFundingOnArrival(posted.goal_id)
    router.push(`/goals/${posted.goal_id}`)
  }
  return { post, send, changed: isChanged ? t('planHasChanged') : null }
}

/** Whether both plans pay the same agents the same. */
function isSamePlan(shown: Planned, current: Quote['quote'] | undefined): boolean {
  if (!current || !('steps' in current)) return false
  const key = ({ steps }: Planned) =>
    JSON.stringify(steps.map(({ agentId, skillId, payee, price }) => [agentId, skillId, payee, `${price}`]))
  return key(shown) === key(current)
}

/** The plan that the client approves with the funding; null in an open bounty. */
const plannedOf = (draft: GoalDraft | null, quote: Quote | null): Planned | null =>
  draft && quote && isQuotedDraft(draft, quote) && 'steps' in quote.quote ? quote.quote : null

const withBudget = (goal: GoalBrief, budget: bigint | null): GoalBrief =>
  budget === null ? goal : { ...goal, budget: budget.toString() as GoalBrief['budget'] }

function PostProblem({ error, changed }: { error: unknown; changed: string | null }) {
  const t = useTranslations('post.wizard')
  if (changed) return <Notice kind="warning" title={changed} />
  return error ? <ProblemNotice error={error} money={t('noMoneyMovedNothingPosted')} /> : null
}

/** The person's own tokens; disabled before the sign-in. */
function useOwnBalance() {
  const trpc = useTRPC()
  const me = useMe()
  return useQuery(trpc.market.getBalance.queryOptions(undefined, { enabled: me !== null, refetchInterval: 5_000 }))
}

/**
 * The page that is shown, and whether its faults are. A person who has seen the plan on the home page only has to approve it: the
 * cost opens first. Without a plan the work does, as usual. `isOpening`: the plan is still being read.
 */
function useWizardPage(isPending: boolean, isPlanned: boolean) {
  const [page, setPage] = useState(0)
  const [isAsked, setAsked] = useState(false)
  const [isOpening, setOpening] = useState(true)
  const openFirstPage = useEffectEvent((isRead: boolean) => {
    const isCostRequested = new URLSearchParams(window.location.search).get('page') === 'cost'
    if (!isOpening || (isCostRequested && !isRead)) return
    setOpening(false)
    if (isCostRequested && isPlanned) setPage(2)
  })
  useEffect(() => openFirstPage(!isPending), [isPending])
  function show(next: number, withFaults: boolean) {
    setAsked(withFaults)
    setPage(next)
  }
  return {
    ...{ page, isAsked, setAsked, isOpening },
    go: (to: number) => show(to, false),
    fix: (field: DraftFault['field']) => show(pageOf[field], true),
  }
}

/** Submits the form again as soon as the goal has been read, for a person who continues before that. */
function useSubmitWhenRead(isPending: boolean) {
  const formRef = useRef<HTMLFormElement>(null)
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting || isPending) return
    setWaiting(false)
    formRef.current?.requestSubmit()
  }, [isWaiting, isPending])
  return { formRef, isWaiting, wait: () => setWaiting(true) }
}

/** Moves the focus to the first field that has to be fixed, otherwise to the title of the page. */
function useFocusOnPage(page: number, head: RefObject<HTMLHeadingElement | null>): void {
  useEffect(() => {
    const faulty = head.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (page > 0 || faulty) (faulty ?? head.current)?.focus()
  }, [page, head])
}

type ButtonsProps = { page: number; rail: GoalDraft['rail']; isBusy: boolean; onBack: () => void; onSignedIn: () => void }

function WizardButtons({ page, rail, isBusy, onBack, onSignedIn }: ButtonsProps) {
  const t = useTranslations('post.wizard')
  const me = useMe()
  const wallet = useWallet()
  return (
    <div className="flex flex-wrap justify-between gap-3 border-t pt-4">
      <Button disabled={page === 0} onClick={onBack}>
        <ArrowLeft aria-hidden /> {t('back')}
      </Button>
      {page < 2 ? (
        <Button type="submit" tone="primary" isBusy={isBusy}>
          {t('continue')} <ArrowRight aria-hidden />
        </Button>
      ) : me ? (
        <Button type="submit" tone="primary" isBusy={isBusy}>
          {rail === 'stripe' ? t('postAndPayByCard') : t('postAndSign')} <ArrowRight aria-hidden />
        </Button>
      ) : (
        <Button tone="primary" onClick={() => wallet.openSignIn(onSignedIn)}>
          <LogIn aria-hidden /> {t('signInAndPost')}
        </Button>
      )}
    </div>
  )
}

function toAttachment(file: DraftAttachment) {
  const { name, mediaType, content } = file
  return { name, media_type: mediaType, artifact_type: artifactTypeOf(file), content }
}

/** Null while the field holds no amount. */
function budgetOf(draft: GoalDraft, decimals: number): bigint | null {
  try {
    return parseAmount(draft.budget, decimals)
  } catch {
    return null
  }
}

/** Null if there is no statement: on a local chain an empty wallet is about to receive test money. */
function knownBalance(tokens: string | undefined, isLocalChain: boolean): bigint | null {
  return tokens === undefined || (isLocalChain && tokens === '0') ? null : BigInt(tokens)
}
