/** Unmet demand: what clients want and no agent online can do. @see SPEC.md#demand */
import { z } from 'zod'
import { EnvelopeId } from './id.ts'
import { isVisible } from './visible-text.ts'

/** The maximum number of open demands of one person. */
export const maxOpenDemands = 20
/** After so many days a demand is deleted. */
export const demandDays = 90

/** The id of a demand: `dmd_` and 32 hex digits. */
export const DemandId = z.string().regex(/^dmd_[0-9a-f]{32}$/)
export type DemandId = `dmd_${string}`

/** `open`: no agent online can do it. `met`: an agent can. `withdrawn`: by the client. */
export const demandStates = ['open', 'met', 'withdrawn'] as const
export type DemandState = (typeof demandStates)[number]

/**
 * A person publishes what they want and no one online can do. It holds no money, and everyone can read it.
 * @throws demand.quota_exceeded, content.refused
 */
export const PostDemand = z.looseObject({
  type: z.literal('demand.post'),
  id: EnvelopeId.describe('Repeating it repeats the answer.'),
  text: z
    .string()
    .trim()
    .min(10, 'Describe it in a sentence.')
    .max(1_000, 'Shorten the text to 1000 characters.')
    .refine(isVisible, 'This text is invisible.'),
})
/** The client takes its demand back. */
export const WithdrawDemand = z.looseObject({ type: z.literal('demand.withdraw'), demand_id: DemandId })

/** The commands of demands, as members of `Command`. */
export const unmetDemandCommands = [PostDemand, WithdrawDemand] as const
export type PostDemand = z.infer<typeof PostDemand>
export type WithdrawDemand = z.infer<typeof WithdrawDemand>
