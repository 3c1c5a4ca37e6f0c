/** The token budget of one task, and what it costs. Amounts are bigint base units. */
import { refuse } from '../../skill.ts'
import type { ModelSettings } from '../model-settings.ts'

export type TokenCount = { readonly input: number; readonly output: number }

/** The budget of a task that may use `factor` times the configured tokens. */
export const tokenBudgetOf = (
  { inputTokens, outputTokens }: Pick<ModelSettings, 'inputTokens' | 'outputTokens'>,
  factor = 1,
): TokenCount => ({
  input: inputTokens * factor,
  output: outputTokens * factor,
})

/** What these tokens cost at the configured prices, rounded up. */
export function costOf(
  { input, output }: TokenCount,
  { inputPrice, outputPrice }: Pick<ModelSettings, 'inputPrice' | 'outputPrice'>,
): bigint {
  const million = 1_000_000n
  return (inputPrice * BigInt(input) + outputPrice * BigInt(output) + million - 1n) / million
}

/** An upper estimate: a token has about four bytes of English, and fewer of other languages. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3)

/** Bytes of a text that surely fit into so many tokens. */
export const bytesWithin = (tokens: number): number => tokens * 3

export type TokenMeter = {
  readonly used: TokenCount
  /** Output tokens that the next request may use. @throws {SkillRefused} if the budget has no room for it */
  reserve(inputText: string): number
  /** Counts a request. Without a statement of the endpoint, the texts are estimated. */
  record(stated: TokenCount | undefined, texts: { readonly input: string; readonly output: string }): void
}

/** Fewer output tokens are not worth a request. */
const minOutput = 200

export function createTokenMeter(budget: TokenCount): TokenMeter {
  let used: TokenCount = { input: 0, output: 0 }
  return {
    get used() {
      return used
    },
    reserve(inputText) {
      const left = budget.output - used.output
      if (used.input + estimateTokens(inputText) > budget.input || left < minOutput) refuse(budgetExhaustedSentence(budget))
      return left
    },
    record(stated, { input, output }) {
      const counted = stated ?? { input: estimateTokens(input), output: estimateTokens(output) }
      used = { input: used.input + counted.input, output: used.output + counted.output }
    },
  }
}

/** The refusal of a task that its budget cannot finish. Nothing of it is delivered. */
export const budgetExhaustedSentence = ({ input, output }: TokenCount): string =>
  `The token budget of this task (${input.toLocaleString('en-US')} input and ${output.toLocaleString('en-US')} output tokens) is too small for it, so nothing is delivered and the step is not paid. Give a shorter text, or divide the work.`
