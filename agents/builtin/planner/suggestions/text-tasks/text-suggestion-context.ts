/** What the candidates of one text are made from, and how they name it. */

import type { RequestedOperation } from '../find-requested-operations.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords } from '../reading-candidate.ts'
import type { NamedKind } from './find-requested-entity-kinds.ts'

export type TextSuggestionContext = {
  readonly goal: GoalParts
  readonly operations: ReadonlyMap<RequestedOperation, string>
  /** Undefined: a file has it. */
  readonly material: string | undefined
  /** The beginning of the text. */
  readonly head: string
  readonly kinds: readonly NamedKind[]
}

/** The request in front of the text, if no file has the text. @param sentences in the client's language and in English */
export const withMaterial = ({ material }: TextSuggestionContext, sentences: readonly string[]): string[] =>
  material === undefined ? [...sentences] : sentences.map((sentence) => `${sentence.replace(/[?.]$/, '')}:\n\n${material}`)

/** The words of the goal that request these operations. */
export const textOf = ({ operations }: Pick<TextSuggestionContext, 'operations'>, ...names: readonly RequestedOperation[]): string[] =>
  names.flatMap((operation) => plainWords(operations.get(operation) ?? ''))

/** `a, b and c`. */
export const joined = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
