/** The words of the web agent: what it may do next, what it sees of it, and how a task ends. Nothing here touches a network. */
import type { Json } from '@parley/protocol'
import type { TreeNode } from './accessibility-tree.ts'

export const strategies = ['hybrid', 'api', 'browse'] as const
export type Strategy = (typeof strategies)[number]

/** `ref`: an element of the page that was seen last. `name`: what it is called, for the journal. */
export type BrowseStep =
  | { readonly kind: 'browse'; readonly act: 'goto'; readonly url: string }
  | { readonly kind: 'browse'; readonly act: 'click' | 'check' | 'press'; readonly ref: string; readonly name: string }
  | { readonly kind: 'browse'; readonly act: 'fill' | 'select'; readonly ref: string; readonly name: string; readonly value: string }
  | { readonly kind: 'browse'; readonly act: 'back' }

/** `operation`: its id in the site's document. `args`: by parameter; those of no parameter are the body. */
export type ApiStep = { readonly kind: 'api'; readonly operation: string; readonly args: { readonly [name: string]: Json } }
export type Step = BrowseStep | ApiStep

export type Page = { readonly url: string; readonly title: string; readonly tree: TreeNode; readonly downloads: readonly Download[] }
export type Download = { readonly name: string; readonly bytes: number; readonly text?: string }
export type ApiReply = { readonly status: number; readonly body: Json }

/** What came of a step. `refused`: it was not done, or could not be, with the reason as a sentence. */
export type StepResult = { readonly page: Page } | { readonly reply: ApiReply } | { readonly refused: string }

export type Outcome = { readonly done: true; readonly answer: string | null } | { readonly done: false; readonly reason: string }
export type PolicyMove = Step | { readonly kind: 'finish'; readonly outcome: Outcome }

/** Decides the next step from what came of the last one; `null` before the first. */
export type Policy = (seen: StepResult | null) => PolicyMove | Promise<PolicyMove>

/** A piece of a policy: yields steps, is handed what came of them, and returns what it was for. Pure. */
export type StepGenerator<T> = Generator<Step, T, StepResult>

/** A policy that follows a course to its end. */
export function toPolicy(course: StepGenerator<Outcome>): Policy {
  return (seen) => {
    // What is handed to a generator's first `next` is dropped.
    const { done, value } = course.next(seen as StepResult)
    return done ? { kind: 'finish', outcome: value } : value
  }
}

export const failed = (reason: string): Outcome => ({ done: false, reason })
