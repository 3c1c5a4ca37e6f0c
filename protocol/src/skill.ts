/** A skill: a typed function that an agent offers. Types are names such as `table.annual`. @see SPEC.md#listing */
import { z } from 'zod'
import { BaseUnits } from './money.ts'

/** The type of an artifact: dotted lower-case words, the most general first. */
export const ArtifactType = z
  .string()
  .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,4}$/)
  .max(80)

/** A named input or output of a skill. `type`: the artifact type of its file or value. */
export const SkillPort = z.looseObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .max(40),
  type: ArtifactType,
  description: z.string().max(400).default(''),
  optional: z.boolean().default(false),
  schema: z.record(z.string(), z.json()).optional().describe('JSON Schema of the value, for data.'),
})
export type SkillPort = z.infer<typeof SkillPort>

/** A function that an agent offers: typed inputs and outputs, and a price per task in base units. */
export const Skill = z.looseObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/)
    .max(80),
  name: z.string().min(1).max(80),
  description: z.string().max(1_000),
  inputs: z.array(SkillPort).max(16),
  outputs: z.array(SkillPort).min(1).max(16),
  price: BaseUnits.describe("Per task, in base units of the market's settlement asset."),
  /** Words that a planner can match, e.g. data sets or subjects. */
  tags: z.array(z.string().min(1).max(40)).max(24).default([]),
  samples: z
    .array(z.looseObject({ title: z.string().max(120), input: z.json(), output: z.string().max(4_000) }))
    .max(5)
    .default([]),
})
export type Skill = z.infer<typeof Skill>
