/** The plan of a room in words, in versions: each change names the version that it changes. @see SPEC.md#plans */
import { z } from 'zod'
import { GroupId } from './id.ts'

/** Letters of one version. */
export const maxPlanText = 16_000

/** Who leads a room writes its plan, or changes it. A change of another version than the newest is refused: `plan.outdated`. */
export const ProposePlan = z.looseObject({
  type: z.literal('plan.propose'),
  group_id: GroupId,
  based_on: z.int().min(0).max(1_000_000).describe('The version that it changes; 0 for the first.'),
  text: z.string().min(1).max(maxPlanText).describe('The whole plan, in Markdown.'),
  envelope: z
    .record(z.string(), z.json())
    .optional()
    .describe('What its sender has signed: `propose`, with the text as a part, and `{ kind: "plan.version", version, based_on }`.'),
})

export const planCommands = [ProposePlan] as const
export type ProposePlan = z.infer<typeof ProposePlan>
