'use client'
import { useTranslations } from 'next-intl'
import { useMarket } from '../../../_components/market-provider.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Checkbox } from '../../../_components/ui/field.tsx'
import { Link } from '../../../_components/ui/link.tsx'
import { MoneyAmount } from '../../../_components/ui/money.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import { Card, Skeleton } from '../../../_components/ui/section.tsx'
import { PostDemandButton } from '../../../_demand/post-demand-button.tsx'
import { MissingInputForm } from '../../../_quote/missing-input-form.tsx'
import { SuggestedReadings } from '../../../_quote/suggested-readings.tsx'
import type { Quote, QuoteState } from '../../../_quote/use-request-quote.ts'
import type { GoalDraft } from '../_draft/goal-draft.ts'
import { durationLabel } from './plan-preview-layout.ts'

/** The maximum characters of a demand. */
const maxDemandLength = 1_000

type Props = { state: QuoteState; draft: GoalDraft; change: (fields: Partial<GoalDraft>) => void }
type Planned = Extract<Quote['quote'], { steps: unknown }>

/** What the planner reads in the goal, beside the text while it is written. */
export function QuotePanel({ state, draft, change }: Props) {
  const t = useTranslations('post.quotePanel')
  const { quote, isPending, error, retry } = state
  return (
    <section aria-label={t('title')} aria-busy={isPending} className="min-w-0">
      <h3 className="mb-2 font-medium text-sm">{t('title')}</h3>
      <div aria-live="polite">
        {error ? (
          <>
            <ProblemNotice error={error} />
            <Button size="small" className="mt-2" onClick={retry}>
              {t('tryAgain')}
            </Button>
          </>
        ) : quote ? (
          <QuoteContent quote={quote} draft={draft} change={change} />
        ) : draft.text.trim() === '' || !isPending ? (
          <p className="text-muted text-sm">{t('writeGoal')}</p>
        ) : (
          <>
            <p className="sr-only">{t('reading')}</p>
            <Skeleton className="h-32 rounded-lg" />
          </>
        )}
      </div>
    </section>
  )
}

function QuoteContent({ quote, draft, change }: { quote: Quote } & Pick<Props, 'draft' | 'change'>) {
  const t = useTranslations('post.quotePanel')
  const answer = quote.quote
  if (draft.planner === 'model' || draft.planner === 'hybrid') return <Notice>{t('modelPlans')}</Notice>
  if (draft.isContest)
    return quote.otherPlanners > 0 ? (
      <Notice>{t('contest')}</Notice>
    ) : (
      <Notice kind="warning" title={t('noContestant')}>
        {t('contest')}
      </Notice>
    )
  if ('steps' in answer) return <PlannedContent quote={answer} seconds={quote.preview?.seconds ?? null} />
  const isQuestion = answer.outcome === 'question'
  const title = answer.suggestions.length > 0 ? t('noneOfThese') : isQuestion ? t('question') : t('unavailable')
  const choose = (text: string): void => change({ text, originalText: draft.originalText || draft.text.trim() })
  return (
    <div className="grid gap-3">
      <SuggestedReadings suggestions={answer.suggestions} onChoose={choose} />
      <Notice kind="warning" title={title}>
        {isQuestion ? (
          <>
            <p>
              {answer.question} {answer.needs.length === 0 && t('answerInGoal')}
            </p>
            <MissingInputForm
              key={JSON.stringify(answer.needs)}
              needs={answer.needs}
              values={draft.values}
              onGive={(values) => change({ values })}
            />
          </>
        ) : (
          <Unavailable answer={answer} text={draft.text.trim()} />
        )}
      </Notice>
      {quote.otherPlanners > 0 && (
        <Checkbox
          label={t('openBounty')}
          hint={t('openBountyMeans', { count: quote.otherPlanners })}
          checked={draft.isOpenBounty}
          onChange={() => change({ isOpenBounty: !draft.isOpenBounty })}
        />
      )}
    </div>
  )
}

function Unavailable({ answer, text }: { answer: Extract<Quote['quote'], { outcome: 'unavailable' }>; text: string }) {
  const t = useTranslations('post.quotePanel')
  return (
    <div className="grid gap-1.5">
      <p>{answer.reason}</p>
      {answer.closest.length > 0 && (
        <div>
          {t('closest')}
          <ul className="list-disc pl-5">
            {answer.closest.map((one) => (
              <li key={`${one.agentId} ${one.skill}`}>
                <Link className="underline" href={`/agents/${one.handle}`}>
                  {t('closestDoes', { agent: one.handle, skill: one.skill })}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>
        {t.rich('whatWouldHelp', {
          publish: (chunks) => (
            <Link className="underline" href="/publish/new">
              {chunks}
            </Link>
          ),
        })}
      </p>
      {text.length <= maxDemandLength && <PostDemandButton key={text} text={text} />}
    </div>
  )
}

/** The plan in short. The graph with all figures follows on the page of costs. */
function PlannedContent({ quote, seconds }: { quote: Planned; seconds: number | null }) {
  const t = useTranslations('post.quotePanel')
  const tDuration = useTranslations('post.duration')
  const { symbol } = useMarket()
  const outputs = [...new Set(quote.steps.flatMap((step) => step.outputs.map((port) => port.description)))]
  return (
    <Card className="grid gap-3 text-sm">
      <p>{quote.summary}</p>
      <ol className="grid gap-1">
        {quote.steps.map((step) => (
          <li key={step.step} className="flex items-baseline justify-between gap-4">
            <span className="min-w-0">
              {step.step}. {t('stepBy', { name: step.name, agent: step.agentName })}
            </span>
            <MoneyAmount amount={step.price} />
          </li>
        ))}
        <li className="rule-double flex items-baseline justify-between gap-4 pt-2 font-semibold">
          <span>
            {t('price')}, {symbol}
          </span>
          <MoneyAmount amount={quote.minBudget} />
        </li>
      </ol>
      <p className="text-muted">
        {t('youGet')}: {outputs.join(' ')} {seconds !== null && t('takes', { duration: durationLabel(seconds, tDuration) })}
      </p>
      {quote.unusedWords.length > 0 && <p className="text-amber-ink">{t('unusedWords', { words: quote.unusedWords.join(', ') })}</p>}
      {quote.leftOut.length > 0 && <p className="text-amber-ink">{t('leftOut', { types: quote.leftOut.join(', ') })}</p>}
    </Card>
  )
}
