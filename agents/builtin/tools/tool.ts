/** The port of a deterministic tool: what it offers, how it reads a goal, and how it does the work. */
import type { Json, ListingDraft } from '@parley/protocol'
import type { SkillFunction } from '../skill.ts'
import type { AnswerLanguage } from './answer-translation/answer-languages.ts'

export type ToolSkill = ListingDraft['skills'][number]

export type GoalFile = {
  readonly name: string
  /** Artifact type, such as `table.csv`. */
  readonly type: string
  /** The beginning of a text file, if it is known before the work starts. */
  readonly head?: string
  /** True if `head` is all of it. */
  readonly isWhole?: boolean
}

export type ToolGoal = {
  /** The goal as the client wrote it, with its answers. */
  readonly text: string
  /** The goal without quoted material. */
  readonly words: string
  /** Quoted material in order: in quotation marks, in backticks, or after a colon at the end. */
  readonly quotations: readonly string[]
  readonly files: readonly GoalFile[]
  /** The language in which the client wrote the goal, if it is not English. */
  readonly language?: AnswerLanguage
}

export type ToolRequest = {
  /** From 0 to 1: how surely the words ask for this tool. Below 0.6 the tool is not used. */
  readonly confidence: number
  /** The value of the skill's `query.…` input, valid by the port's schema. */
  readonly query: { readonly [key: string]: Json }
  /** One sentence for the client: what will be done. */
  readonly summary: string
}

/** A request, or a question that only the client can answer. Undefined: the words ask for something else. */
export type ToolReading = ToolRequest | { readonly confidence: number; readonly question: string } | undefined

export type Tool = {
  /** The entry of the listing. Its first input is the only required one, of a `query.…` type that no other tool takes. */
  readonly skill: ToolSkill
  /** Pure; linear in the length of the goal. */
  readonly readGoal: (goal: ToolGoal) => ToolReading
  readonly run: SkillFunction
  /** True if the query may name the language of the answer. */
  readonly answersInLanguages?: true
}
