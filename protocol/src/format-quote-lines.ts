import type { SignedQuote } from './quote.ts'

/** A publisher's or planner's text on one line, so that it cannot look like another line. */
const oneLine = (text: string): string => text.replace(/[\s\u0085]+/gu, ' ').trim()

/**
 * A quote as lines for people: what is understood, the steps with agents and prices, questions and suggestions. `money`: an amount in base
 * units as people read it.
 */
export function formatQuoteLines(quote: SignedQuote, money: (amount: string) => string): string[] {
  if (quote.outcome === 'planned' || quote.outcome === 'over_budget')
    return [
      ...(quote.summary ? [oneLine(quote.summary)] : []),
      ...(quote.steps ?? []).map(({ step, name, handle, price }) => `  ${step}. ${oneLine(name)}  @${handle}  ${money(price)}`),
      `  fee  ${money(quote.fee ?? '0')}`,
      `  total, set aside  ${money(quote.min_budget ?? '0')}`,
      ...(quote.unused_words?.length ? [`Words that no step uses: ${oneLine(quote.unused_words.join(', '))}`] : []),
      ...(quote.left_out?.length ? [`No agent makes: ${quote.left_out.join(', ')}`] : []),
    ]
  const verdict = quote.outcome === 'question' ? `Question: ${quote.question ?? ''}` : `No agent online can do this. ${quote.reason ?? ''}`
  return [
    oneLine(verdict),
    ...(quote.needs ?? []).flatMap(({ skill, faults }) => faults.map((fault) => `  ${oneLine(`${skill}: ${fault}`)}`)),
    ...(quote.suggestions?.length ? ['Do you mean one of these? Ask again with its words:'] : []),
    ...(quote.suggestions ?? []).map(({ text, min_budget }) => `  "${oneLine(text)}"  ${money(min_budget)}`),
    ...(quote.outcome === 'unavailable' && quote.closest?.length
      ? ['Closest agents:', ...quote.closest.slice(0, 3).map(({ handle, skill }) => `  @${handle}  ${oneLine(skill)}`)]
      : []),
  ]
}
