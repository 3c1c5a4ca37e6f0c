'use client'
import type { GivenValue } from '@parley/protocol'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button, ButtonLink } from '../../_components/ui/button.tsx'
import { Field, Textarea } from '../../_components/ui/field.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { MoneyAmount } from '../../_components/ui/money.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Card, Skeleton } from '../../_components/ui/section.tsx'
import { PostDemandButton } from '../../_demand/post-demand-button.tsx'
import { passDraftToGoalForm } from '../../_quote/files/pass-draft-to-goal-form.ts'
import { toQuoteRequestFiles } from '../../_quote/files/to-quote-request-files.ts'
import { GivenValueList, MissingInputForm } from '../../_quote/missing-input-form.tsx'
import { SuggestedReadings, WrittenFirst } from '../../_quote/suggested-readings.tsx'
import { isLongEnough, type Quote, useRequestQuote } from '../../_quote/use-request-quote.ts'
import type { DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'
import { AttachFiles } from './attach-files.tsx'
import { fitsCall } from './to-call-inputs.ts'

// A visitor sees it after the first quote.
const DirectCallOffer = dynamic(() => import('./direct-call-offer.tsx').then((module) => module.DirectCallOffer), {
  loading: () => <Skeleton className="h-24 rounded-lg" />,
})

const examples = ['prices', 'workingDays', 'list', 'cron', 'chart'] as const

/** What a visitor wants, in plain words: the plan and its price appear below, before a sign-in. */
export function WorkRequestBox() {
  const t = useTranslations('home.workRequestBox')
  const [files, setFiles] = useState<readonly DraftAttachment[]>([])
  const [values, setValues] = useState<readonly GivenValue[]>([])
  const [{ text, original }, setAsked] = useState(nothingAsked)
  const setText = (next: string): void => setAsked((now) => ({ text: next, original: next.trim() === '' ? '' : now.original }))
  const written = text.trim()
  const heads = useMemo(() => toQuoteRequestFiles(files), [files])
  const { quote, isPending, error } = useRequestQuote(
    written === ''
      ? null
      : {
          text: written,
          files: heads,
          ...(original !== '' && { original_text: original }),
          ...(values.length > 0 && { values: [...values] }),
        },
  )
  const offer = useRef<HTMLDivElement>(null)
  // After a choice, the next button is below a longer box, and may be out of sight.
  useEffect(() => {
    if (original !== '' && quote) offer.current?.scrollIntoView({ block: 'nearest' })
  }, [original, quote])
  return (
    <section aria-label={t('title')} className="mt-7 grid max-w-xl gap-3">
      <Field label={t('whatDoYouNeed')}>
        <Textarea rows={2} value={text} onChange={(event) => setText(event.target.value)} placeholder={t('placeholder')} />
      </Field>
      {original !== '' && <WrittenFirst text={original} onRestore={() => setAsked({ text: original, original: '' })} />}
      <AttachFiles files={files} onChange={setFiles} />
      <GivenValueList values={values} onRemove={() => setValues([])} />
      {written === '' ? (
        <ul className="flex flex-wrap gap-2" aria-label={t('examples')}>
          {examples.map((name) => (
            <li key={name}>
              <Button size="small" onClick={() => setText(t(name))}>
                {t(name)}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <div ref={offer} aria-live="polite" aria-busy={isPending}>
          {error ? (
            <ProblemNotice error={error} />
          ) : isPending && isLongEnough({ text: written }) ? (
            // The former quote is for another text, so it must not stay here.
            <Skeleton className="h-24 rounded-lg" />
          ) : quote ? (
            <Offer
              key={`${written} ${JSON.stringify([heads, values, original])}`}
              quote={quote}
              asked={{ text: written, original, files, values }}
              onGive={setValues}
              onChoose={(chosen) => setAsked({ text: chosen, original: original || written })}
            />
          ) : (
            <p className="text-muted text-sm">{t('writeMore')}</p>
          )}
        </div>
      )}
    </section>
  )
}

/** `original`: what the visitor wrote before a suggested reading was chosen; empty if none was. */
type Asked = {
  readonly text: string
  readonly original: string
  readonly files: readonly DraftAttachment[]
  readonly values: readonly GivenValue[]
}
const nothingAsked = { text: '', original: '' }

type OfferProps = {
  readonly quote: Quote
  readonly asked: Asked
  readonly onChoose: (text: string) => void
  readonly onGive: (values: readonly GivenValue[]) => void
}

/** A direct answer if one skill does it; the plan in short if a team does; otherwise why no one can. */
function Offer({ quote: { quote, plannerId }, asked, onChoose, onGive }: OfferProps) {
  const t = useTranslations('home.workRequestBox')
  if (!('steps' in quote))
    return (
      <div className="grid gap-3">
        <SuggestedReadings suggestions={quote.suggestions} onChoose={onChoose} plannerId={plannerId} />
        <Notice
          kind="warning"
          title={quote.suggestions.length > 0 ? t('noneOfThese') : quote.outcome === 'question' ? t('question') : t('unavailable')}
        >
          <p>{quote.outcome === 'question' ? quote.question : quote.reason}</p>
          {quote.outcome === 'question' && <MissingInputForm needs={quote.needs} values={asked.values} onGive={onGive} />}
          {quote.outcome === 'unavailable' && (
            <div className="mt-2">
              <PostDemandButton text={asked.text} />
            </div>
          )}
          <p className="mt-2">
            <GoalLink asked={asked}>{quote.outcome === 'question' ? t('writeInForm') : t('seeClosest')}</GoalLink>
          </p>
        </Notice>
      </div>
    )
  const work = quote.steps.filter((step) => step.agentId !== plannerId)
  const [single] = work
  const asGoal = <GoalLink asked={asked}>{t('postAsGoal')}</GoalLink>
  if (single?.inputs && work.length === 1 && fitsCall(asked.files))
    return <DirectCallOffer step={single} files={asked.files} summary={quote.summary} asGoal={asGoal} />
  return (
    <Card className="grid gap-3 text-sm">
      <p>{quote.summary}</p>
      <p className="text-muted">
        {t.rich('teamFor', {
          steps: work.length,
          money: () => <MoneyAmount amount={quote.minBudget} className="font-semibold text-ink" />,
        })}
      </p>
      <div>
        <ButtonLink tone="primary" href={`${goalHref(asked)}&page=cost`} onClick={() => passDraftToGoalForm(asked)}>
          {t('reviewPlan')}
        </ButtonLink>
      </div>
    </Card>
  )
}

const goalHref = ({ text, original }: Asked) =>
  `/goals/new?text=${encodeURIComponent(text)}${original === '' ? '' : `&original=${encodeURIComponent(original)}`}`

function GoalLink({ asked, children }: { asked: Asked; children: string }) {
  return (
    <Link className="underline" href={goalHref(asked)} onClick={() => passDraftToGoalForm(asked)}>
      {children}
    </Link>
  )
}
