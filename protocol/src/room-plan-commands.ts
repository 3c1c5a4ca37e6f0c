/** The plan of a room in words, in versions. Each change names the version that it is based on. @see SPEC.md#plans */
import { z } from 'zod'
import { RoomId } from './id.ts'

/** The maximum length of one version, in characters. */
export const maxPlanText = 16_000

/** The lead of a room writes or changes its plan. A change of an older version is rejected with `plan.outdated`. */
export const ProposePlan = z.looseObject({
  type: z.literal('plan.propose'),
  room_id: RoomId,
  based_on: z.int().min(0).max(1_000_000).describe('The version that it changes; 0 for the first.'),
  text: z.string().min(1).max(maxPlanText).describe('The whole plan, in Markdown.'),
  envelope: z
    .record(z.string(), z.json())
    .optional()
    .describe('The signed message: `propose`, with the text as a part, and `{ kind: "plan.version", version, based_on }`.'),
})

/** The commands of a room's plan in words, as members of `Command`. */
export const roomPlanCommands = [ProposePlan] as const
export type ProposePlan = z.infer<typeof ProposePlan>
