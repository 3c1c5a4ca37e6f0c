/** How a variant is written: which operations take its input, and who may send it. */
import type { Entitled, Recipe } from '../operations/operations.ts'

/** `kind`: of the object, as the name shows it. `of`: operations, as `command:goal.claim`. `base`: a valid input about such an object. */
export type VariantDefinition = {
  readonly kind: string
  readonly of: readonly string[]
  readonly entitled: Entitled
  readonly base: Recipe
}

/** Only this role may send it, and the others if any are named. */
export const only = (as: Entitled['as'], ...others: NonNullable<Entitled['others']>): Entitled => ({ as, others })
/** No role may send it. `as` may send it about an object of another kind. */
export const refusedTo = (as: Entitled['as']): Entitled => ({ as, isRefused: true })

/** The command at the hub and the procedure of the web that sends it. */
export const atBoth = (command: string, procedure: string): readonly string[] => [`trpc:${procedure}`, `command:${command}`]
