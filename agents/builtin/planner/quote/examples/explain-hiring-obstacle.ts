/** The reason why the planner hires a skill for none of the goals that were drafted for it. */
import type { Skill } from '@parley/protocol'
import { toolQueryTypes } from '../../intent/find-tool-for-goal.ts'
import { scoreOffer, stemsOf } from '../../intent/rank-offers.ts'
import { reachableTypes } from '../../plan/search-backward.ts'
import type { SkillOffer } from '../../plan/skill-offers.ts'
import type { GoalQuote } from '../quote-goal.ts'
import { attachableTypes, wordedInputs } from './draft-example-goals.ts'
import { writeArgumentsAsWords } from './write-arguments-as-words.ts'

export type HiringObstacle =
  /** The skill plans goals. A client chooses its planner. */
  | { readonly kind: 'planner' }
  | { readonly kind: 'no_planner' }
  /** No words of a goal fill these required properties of an input. */
  | { readonly kind: 'unfilled_properties'; readonly port: string; readonly properties: readonly string[] }
  /** No text, no file and no agent online gives an input of this type. */
  | { readonly kind: 'unreachable_input'; readonly port: string; readonly type: string }
  /** Another agent makes the same type for a lower cost. `price`: base units. */
  | { readonly kind: 'cheaper_rival'; readonly handle: string; readonly skill: string; readonly price: bigint; readonly type: string }
  /** The words of the goals fit another skill better. */
  | { readonly kind: 'other_skill'; readonly handle: string; readonly skill: string }
  /** Only goals that the planner's own reader understands fill an input of this type. */
  | { readonly kind: 'reserved_input'; readonly port: string; readonly type: string }
  /** The id, the name, the tags and the output types have no word that a goal would use. */
  | { readonly kind: 'vague_words' }
  /** The planner's answer to the first drafted goal. */
  | { readonly kind: 'declined'; readonly answer: string }

export type Refused = { readonly skill: Skill; readonly offers: readonly SkillOffer[]; readonly refusals: readonly GoalQuote[] }

/** The minimum fit at which the planner considers a skill. */
const minFit = 3

export function explainHiringObstacle({ skill, offers, refusals }: Refused): HiringObstacle {
  return (
    unfilledProperties(skill) ??
    unreachableInput(skill, offers) ??
    cheaperRival(skill, refusals) ??
    reservedInput(skill) ??
    otherSkill(refusals) ??
    vagueWords(skill, offers) ?? { kind: 'declined', answer: answerOf(refusals[0]) }
  )
}

function unfilledProperties(skill: Skill): HiringObstacle | undefined {
  for (const { name, schema } of wordedInputs(skill)) {
    const { unfilled } = writeArgumentsAsWords(schema, undefined)
    if (unfilled.length > 0) return { kind: 'unfilled_properties', port: name, properties: unfilled }
  }
  return undefined
}

function unreachableInput(skill: Skill, offers: readonly SkillOffer[]): HiringObstacle | undefined {
  const worded = offers.flatMap((offer) => wordedInputs(offer.skill)).map(({ type }) => type)
  const given = new Set([...Object.keys(attachableTypes), 'goal.criteria', ...worded])
  const possible = reachableTypes(offers, given)
  const port = skill.inputs.find(({ type, optional }) => !optional && !possible.has(type))
  return port && { kind: 'unreachable_input', port: port.name, type: port.type }
}

function cheaperRival(skill: Skill, refusals: readonly GoalQuote[]): HiringObstacle | undefined {
  const own = new Set(skill.outputs.map(({ type }) => type))
  for (const { handle, name, price, outputs } of refusals.flatMap((quote) => ('steps' in quote ? quote.steps : []))) {
    const shared = outputs.find(({ type }) => own.has(type))
    if (shared) return { kind: 'cheaper_rival', handle, skill: name, price, type: shared.type }
  }
  return undefined
}

/** The last step makes what the goal asks for. */
function otherSkill(refusals: readonly GoalQuote[]): HiringObstacle | undefined {
  const [last] = refusals.flatMap((quote) => ('steps' in quote ? quote.steps.slice(-1) : []))
  return last && { kind: 'other_skill', handle: last.handle, skill: last.name }
}

function vagueWords(skill: Skill, offers: readonly SkillOffer[]): HiringObstacle | undefined {
  const offer = offers.find((one) => one.skill === skill)
  const words = stemsOf(`${skill.name} ${skill.description} ${skill.samples.map(({ title }) => title).join(' ')}`)
  return offer && scoreOffer(words, offer) >= minFit ? undefined : { kind: 'vague_words' }
}

function reservedInput(skill: Skill): HiringObstacle | undefined {
  const port = skill.inputs.find(({ type }) => toolQueryTypes.has(type) || type === 'query.figures' || type === 'query.web')
  return port && { kind: 'reserved_input', port: port.name, type: port.type }
}

function answerOf(quote: GoalQuote | undefined): string {
  if (quote === undefined || 'steps' in quote) return ''
  return 'question' in quote ? quote.question : quote.reason
}
