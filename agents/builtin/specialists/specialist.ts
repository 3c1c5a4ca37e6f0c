/** The port of a specialist: what it offers, and how it works with a model. */
import type { ListingDraft } from '@parley/protocol'
import type { ModelSettings } from '../model/model-settings.ts'
import { type ModelProvenance, type ModelTask, startModelTask } from '../model/task/model-task.ts'
import { costOf, tokenBudgetOf } from '../model/task/token-meter.ts'
import type { OutputFile, SkillFunction, SkillRequest } from '../skill.ts'

type PricedSkill = ListingDraft['skills'][number]
export type SpecialistPort = PricedSkill['inputs'][number]

/** Who made the content. `tool`: a program computed it, and a model only wrote the query. */
export type Author = 'model' | 'tool' | 'model, run and tested'

export type SpecialistAnswer = { readonly files: readonly OutputFile[]; readonly text: string; readonly author: Author }

export type Specialist = {
  /** The entry of the listing. Price and the output for the provenance are added. */
  readonly skill: Pick<PricedSkill, 'id' | 'name' | 'description' | 'inputs' | 'outputs' | 'tags' | 'samples'>
  /** Multiple of the configured token budget. */
  readonly budgetFactor: number
  readonly run: (work: SkillRequest, task: ModelTask) => Promise<SpecialistAnswer>
}

/** What every specialist earns beside the cost of the model, base units: 0.10 USDC. */
const ownFee = 100_000n
const provenanceType = 'model.provenance'
const provenancePort: SpecialistPort = {
  name: 'provenance',
  type: provenanceType,
  description: 'Which model and which versions of the prompts made it, and the tokens used, as JSON.',
  optional: false,
}

/** The entry of the listing. The price covers the model's cost of the whole budget. */
export function specialistSkillOf({ skill, budgetFactor }: Specialist, settings: ModelSettings): PricedSkill {
  const price = ownFee + costOf(tokenBudgetOf(settings, budgetFactor), settings)
  return { ...skill, outputs: [...skill.outputs, provenancePort], price: price.toString() }
}

const authors: { readonly [author in Author]: string } = {
  model: 'Written by a model',
  tool: 'Computed by a tool; a model wrote the query',
  'model, run and tested': 'Written by a model, and tested in a sandbox',
}

/** The function of a skill. Its answer names its author and the model. */
export function toSkillFunction({ run, budgetFactor }: Specialist, settings: ModelSettings): SkillFunction {
  return async (work) => {
    const task = startModelTask({ settings, budget: tokenBudgetOf(settings, budgetFactor), signal: work.signal })
    const { files, text, author } = await run(work, task)
    return {
      outputs: [...files, provenanceFile(task.provenance, author)],
      text: `${text}\n\n${authors[author]} (${settings.model}).`,
    }
  }
}

const provenanceFile = ({ model, prompts, requests, tokens }: ModelProvenance, author: Author): OutputFile => ({
  name: 'provenance.json',
  media_type: 'application/json',
  artifact_type: provenanceType,
  text: JSON.stringify({ author, model, prompts, requests, tokens }, null, 1),
})
