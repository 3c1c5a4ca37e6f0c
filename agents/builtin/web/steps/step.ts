/** The types of the web agent: steps, results, moves and outcomes. */
import type { Json } from '@parley/protocol'
import type { TreeNode } from './accessibility-tree.ts'

export const strategies = ['hybrid', 'api', 'browse'] as const
export type Strategy = (typeof strategies)[number]

/** `ref`: an element of the last snapshot. `name`: its name, for the journal. */
export type BrowseStep =
  | { readonly kind: 'browse'; readonly act: 'goto'; readonly url: string }
  | { readonly kind: 'browse'; readonly act: 'click' | 'check' | 'press'; readonly ref: string; readonly name: string }
  | { readonly kind: 'browse'; readonly act: 'fill' | 'select'; readonly ref: string; readonly name: string; readonly value: string }
  | { readonly kind: 'browse'; readonly act: 'back' }

/** `operation`: id in the OpenAPI document. `args`: by parameter; all others form the body. */
export type ApiStep = { readonly kind: 'api'; readonly operation: string; readonly args: { readonly [name: string]: Json } }
export type Step = BrowseStep | ApiStep

export type Page = { readonly url: string; readonly title: string; readonly tree: TreeNode; readonly downloads: readonly Download[] }
export type Download = { readonly name: string; readonly bytes: number; readonly text?: string }
export type ApiReply = { readonly status: number; readonly body: Json }

/** The result of a step. `refused`: why it was not done, a sentence. */
export type StepResult = { readonly page: Page } | { readonly reply: ApiReply } | { readonly refused: string }

export type Outcome = { readonly done: true; readonly answer: string | null } | { readonly done: false; readonly reason: string }
export type StepChoice = Step | { readonly kind: 'finish'; readonly outcome: Outcome }

/** Chooses the next step from the last result; null before the first step. */
export type StepChooser = (seen: StepResult | null) => StepChoice | Promise<StepChoice>

/** Part of a step chooser as a generator: yields steps, receives their results, and returns its value. */
export type StepGenerator<T> = Generator<Step, T, StepResult>

/** A step chooser that runs a generator. */
export function toStepChooser(course: StepGenerator<Outcome>): StepChooser {
  return (seen) => {
    // The first `next` starts the generator and ignores its argument.
    const { done, value } = course.next(seen as StepResult)
    return done ? { kind: 'finish', outcome: value } : value
  }
}

export const failedOutcome = (reason: string): Outcome => ({ done: false, reason })
