'use client'
import { useTranslations } from 'next-intl'
import { Button } from '../_components/ui/button.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import type { Translate } from '../_messages/translate-types.ts'
import type { Quote } from './use-request-quote.ts'

export type ShownSuggestion = Extract<Quote['quote'], { suggestions: unknown }>['suggestions'][number]

/** A suggestion may repeat the client's own list or text below its first line. */
const maxShown = 220

type Props = {
  readonly suggestions: readonly ShownSuggestion[]
  readonly onChoose: (text: string) => void
  /** The planner, where one skill answers without it and its price: a direct call. Omitted where each reading becomes a goal. */
  readonly plannerId?: string | null | undefined
}

/** “Did you mean …?”: what would be done exactly, with its price. Nothing is chosen without the person. */
export function SuggestedReadings({ suggestions, onChoose, plannerId }: Props) {
  const t = useTranslations('ui.suggestedReadings')
  if (suggestions.length === 0) return null
  return (
    <section aria-label={t('title')} className="grid gap-2 text-sm">
      <h4 className="font-medium">{t('title')}</h4>
      <p className="text-muted">{t('hint')}</p>
      <ul className="grid gap-2">
        {suggestions.map((one) => (
          <li
            key={one.text}
            className="grid gap-2 rounded-md border border-line-strong bg-surface p-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start"
          >
            <div className="grid min-w-0 gap-1">
              <p className="whitespace-pre-line font-medium text-ink [overflow-wrap:anywhere]">{shortened(one.text)}</p>
              <p className="text-muted">
                <PriceAndAgent suggestion={one} plannerId={plannerId} />
              </p>
              {one.leftOutWords.length > 0 && <p className="text-muted">{t('leftOut', { words: one.leftOutWords.join(', ') })}</p>}
            </div>
            <Button size="small" onClick={() => onChoose(one.text)} aria-label={t('chooseThis', { reading: shortened(one.text) })}>
              {t('choose')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function PriceAndAgent({ suggestion, plannerId }: { readonly suggestion: ShownSuggestion } & Pick<Props, 'plannerId'>) {
  const t = useTranslations('ui.suggestedReadings')
  const { steps, minBudget, seconds } = suggestion
  const callPrice = plannerId === undefined ? null : directCallPrice(steps, plannerId)
  return t.rich(callPrice === null ? 'by' : 'byCall', {
    agent: steps[0]?.agentName ?? '',
    duration: secondsIn(seconds, t),
    money: () => <MoneyAmount amount={callPrice ?? minBudget} className="text-ink" />,
  })
}

/** The price of the only skill that works; null if there are several. */
function directCallPrice(steps: ShownSuggestion['steps'], plannerId: string | null): bigint | null {
  const [single, ...others] = steps.filter(({ agentId }) => agentId !== plannerId)
  return single?.inputs && others.length === 0 ? single.price : null
}

/** What the person wrote before a reading was chosen, and the way back to it. */
export function WrittenFirst({ text, onRestore }: { readonly text: string; readonly onRestore: () => void }) {
  const t = useTranslations('ui.suggestedReadings')
  return (
    <div className="grid gap-1 rounded-md border border-line-strong bg-surface p-3 text-sm">
      <p className="text-muted">{t('youWrote')}</p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{shortened(text)}</p>
      <div>
        <Button size="small" tone="quiet" className="-ml-3" onClick={onRestore}>
          {t('restore')}
        </Button>
      </div>
    </div>
  )
}

const shortened = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown).trimEnd()}…` : text)

function secondsIn(seconds: number | null, t: Translate<'ui.suggestedReadings'>): string {
  if (seconds === null) return t('notMeasured')
  return seconds < 90 ? t('seconds', { count: Math.max(1, Math.round(seconds)) }) : t('minutes', { count: Math.round(seconds / 60) })
}
