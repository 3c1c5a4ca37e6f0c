/** Plans a goal with the configured model over the built-in skills, and does the steps of the plan in this process, without a market. */
import { createHash } from 'node:crypto'
import { type ArtifactRef, Listing, type ListingDraft } from '@parley/protocol'
import { listingDraftOf } from '../../agents/builtin/listings.ts'
import type { ModelSettings } from '../../agents/builtin/model/model-settings.ts'
import type { Plan, PlannedInput } from '../../agents/builtin/planner/plan/plan.ts'
import { toSkillOffers } from '../../agents/builtin/planner/plan/skill-offers.ts'
import { createHybridStrategy } from '../../agents/builtin/planner/strategies/hybrid-strategy.ts'
import type { OutputFile, RequestInput, SkillFunction } from '../../agents/builtin/skill.ts'
import { specialistDraftOf, specialistSkills } from '../../agents/builtin/specialists/index.ts'
import { specialistNames } from '../../agents/builtin/specialists/specialist-names.ts'
import { type ToolGroup, toolSkills } from '../../agents/builtin/tools/index.ts'
import type { CheckedGoal } from './checked-goals.ts'

export type CheckedRun = {
  readonly title: string
  readonly isOk: boolean
  /** Skill ids of the plan. */
  readonly steps: readonly string[]
  /** The result, or the reason why there is none. */
  readonly text: string
  readonly tokens: number
  readonly seconds: number
}

const toolNames: readonly ToolGroup[] = ['calculator', 'tables', 'text', 'formats']
const price = 20_000_000n

type Market = { readonly listings: readonly Listing[]; readonly skills: { readonly [skill: string]: SkillFunction } }

/** The agents that a new installation has for such goals. */
export function openCheckedMarket(settings: ModelSettings): Market {
  const payout = `0x${'0'.repeat(40)}`
  const drafts = [
    ...specialistNames.map((name) => specialistDraftOf(name, payout, settings)),
    ...toolNames.map((name) => listingDraftOf(name, payout)),
  ]
  const skills = Object.assign(
    {},
    ...specialistNames.map((name) => specialistSkills(name, settings, { local: [] })),
    ...toolNames.map((name) => toolSkills(name)),
  )
  return { listings: drafts.map(toListing), skills }
}

function toListing(draft: ListingDraft, index: number): Listing {
  const at = '2026-01-01T00:00:00.000Z'
  return Listing.parse({
    ...draft,
    agent_id: `agt_${String(index + 1).padStart(32, '0')}`,
    did: `did:web:agent-${index + 1}`,
    owner_id: '',
    presence: 'online',
    ...{ last_seen_at: at, published_at: at, revised_at: at, withdrawn_at: null, version: 1 },
    score: { n: 0, mean: null, score: 70, paid_steps: 0, payers: 0, failed_steps: 0 },
  })
}

/** Never rejects: a goal that fails gives the reason. */
export async function runCheckedGoal(goal: CheckedGoal, market: Market, settings: ModelSettings): Promise<CheckedRun> {
  const startedAt = Date.now()
  let steps: readonly string[] = []
  const made: OutputFile[] = []
  const end = (isOk: boolean, text: string): CheckedRun => ({
    title: goal.title,
    isOk,
    steps,
    text,
    tokens: tokensOf(made),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
  })
  try {
    const files = (goal.files ?? []).map(toFile)
    const planned = await createHybridStrategy(settings)({
      goal: {
        text: goal.text,
        criteria: goal.criteria ?? [],
        attachments: files.map(({ ref }) => ref),
        heads: Object.fromEntries(files.map(({ ref, text }) => [ref.sha256, { text, isWhole: true }])),
        answers: [],
      },
      offers: toSkillOffers(market.listings),
      ...{ payable: price, decimals: 6, msLeft: 3_600_000, refusals: [] },
    })
    if (!('plan' in planned)) return end(false, 'question' in planned ? `It asked: ${planned.question}` : planned.reason)
    steps = planned.plan.steps.map(({ offer }) => offer.skill.id)
    if (planned.mode !== 'hybrid') return end(false, planned.summary)
    const texts = await doSteps(planned.plan, market.skills, { files, made })
    const all = [...texts, ...made.filter(({ artifact_type }) => artifact_type !== 'model.provenance').map(({ text }) => text)].join('\n')
    const missing = goal.expected.filter((pattern) => !pattern.test(all))
    return end(missing.length === 0, `${missing.length > 0 ? `It lacks ${missing.join(', ')}. ` : ''}${texts.join(' | ')}`)
  } catch (error) {
    return end(false, error instanceof Error ? error.message : String(error))
  }
}

type GivenFile = { readonly ref: ArtifactRef; readonly text: string }

function toFile({ name, media_type, text }: NonNullable<CheckedGoal['files']>[number]): GivenFile {
  const sha256 = createHash('sha256').update(text).digest('hex')
  return {
    ref: {
      sha256,
      name,
      media_type,
      size: Buffer.byteLength(text),
      artifact_type: media_type === 'text/csv' ? 'table.csv' : 'document.text',
    } as ArtifactRef,
    text,
  }
}

async function doSteps(
  plan: Plan,
  skills: Market['skills'],
  { files, made }: { files: readonly GivenFile[]; made: OutputFile[] },
): Promise<string[]> {
  const outputs = new Map<number, readonly OutputFile[]>()
  const texts: string[] = []
  for (const { step, offer, inputs } of plan.steps) {
    const skill = skills[offer.skill.id]
    if (!skill) throw new RangeError(`There is no function for ${offer.skill.id}.`)
    const response = await skill({ inputs: inputs.map((input) => toInput(input, files, outputs)) })
    outputs.set(step, response.outputs)
    made.push(...response.outputs)
    texts.push(response.text)
  }
  return texts
}

function toInput(
  { port, type, step, given }: PlannedInput,
  files: readonly GivenFile[],
  outputs: ReadonlyMap<number, readonly OutputFile[]>,
): RequestInput {
  if (given?.data) return { port, type, data: given.data }
  const file = files.find(({ ref }) => ref.sha256 === given?.attachment)
  if (file) return { port, type, artifact: file.ref, text: file.text }
  const output = outputs.get(step ?? 0)?.find(({ artifact_type }) => artifact_type === type)
  return { port, type, text: output?.text ?? '', artifact: { name: output?.name ?? port } as ArtifactRef }
}

/** As the deliveries state them; the planner's own are not in them. */
const tokensOf = (made: readonly OutputFile[]): number =>
  made
    .filter(({ artifact_type }) => artifact_type === 'model.provenance')
    .reduce((sum, { text }) => {
      const { tokens } = JSON.parse(text) as { tokens: { input: number; output: number } }
      return sum + tokens.input + tokens.output
    }, 0)
