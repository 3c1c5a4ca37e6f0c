import type { GivenValue, Json, SkillPort } from '@parley/protocol'
import { listValueFaultsBySchema } from '../plan/list-value-faults-by-schema.ts'
import type { AvailableInput } from '../plan/plan.ts'
import { reachableTypes } from '../plan/search-backward.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { type ArgumentSource, fillArguments } from './fill-arguments.ts'
import { toolQueryTypes } from './find-tool-for-goal.ts'
import type { NeededInput } from './goal-intent.ts'
import { scoreOffer, stemsOf } from './rank-offers.ts'

/** The wanted type with the inputs that the goal gives; or a question for the ones that it does not give. */
export type WantedSkillOutput =
  | { readonly type: string; readonly givens: readonly AvailableInput[]; readonly summary: string }
  | { readonly question: string; readonly needs: readonly NeededInput[] }

/** `values`: what the client gives for typed inputs beside the words. */
export type SkillGoal = ArgumentSource & { readonly files: readonly AvailableInput[]; readonly values: readonly GivenValue[] }

/** Below this fit, the words do not name the skill. From the second one on, a missing argument is asked for. */
const minFit = 3
const minFitToAsk = 4
/** Readers of their own fill these types. If they declined the goal, a resemblance of words means nothing. */
const readElsewhere: ReadonlySet<string> = new Set([...toolQueryTypes, 'query.figures', 'query.web'])

/** The output of the offered skill that fits a goal's words best, for goals that no other reader takes. */
export function findWantedOutput(goal: SkillGoal, offers: readonly SkillOffer[]): WantedSkillOutput | undefined {
  let question: Extract<WantedSkillOutput, { question: unknown }> | undefined
  for (const { offer, fit } of rankByFit(goal.words, offers)) {
    const type = offer.skill.outputs[0]?.type
    if (type === undefined) continue
    const { values, missing } = argumentsFor(offer, goal)
    const givens = [...goal.files, ...values]
    if (!reachableTypes(offers, typesOf(givens, missing)).has(type)) continue
    if (missing.length === 0) return { type, givens, summary: summaryFor(offer, values) }
    if (fit >= minFitToAsk) question ??= { question: askFor(offer, missing), needs: missing.flatMap(({ need }) => need ?? []) }
  }
  return question
}

function rankByFit(words: string, offers: readonly SkillOffer[]): { readonly offer: SkillOffer; readonly fit: number }[] {
  const stems = stemsOf(words)
  const literal = new Set(words.match(/\b[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+\b/g) ?? [])
  const isNamed = ({ skill }: SkillOffer) => literal.has(skill.id) || skill.outputs.some((port) => literal.has(port.type))
  return offers
    .filter(({ skill }) => !skill.inputs.some((port) => readElsewhere.has(port.type)))
    .map((offer) => ({ offer, fit: scoreOffer(stems, offer) + (isNamed(offer) ? 10 : 0) }))
    .filter((one) => one.fit >= minFit)
    .sort((a, b) => b.fit - a.fit || (a.offer.skill.id < b.offer.skill.id ? -1 : 1))
}

/** `need`: undefined for a port without a schema, for which there is no form. */
type MissingArgument = { readonly type: string; readonly descriptions: readonly string[]; readonly need: NeededInput | undefined }

/** Values for the ports that take data. A port without data is left to files and to other skills. */
function argumentsFor(offer: SkillOffer, goal: SkillGoal): { values: AvailableInput[]; missing: MissingArgument[] } {
  const values: AvailableInput[] = []
  const missing: MissingArgument[] = []
  for (const port of offer.skill.inputs) {
    const { type, schema, optional } = port
    if (!(schema || type.startsWith('query.')) || [...goal.files, ...values].some((one) => one.type === type)) continue
    const filled = argumentOf(port, goal)
    if (filled.missing.length > 0) {
      if (!optional || filled.isGiven) missing.push({ type, descriptions: filled.missing, need: neededInput(offer, port, filled) })
    } else if (Object.keys(filled.data).length > 0 || !optional) values.push({ type, data: filled.data })
  }
  return { values, missing }
}

type Argument = ReturnType<typeof fillArguments> & { readonly isGiven: boolean }

/** The value that the client gives, as far as its schema accepts it; otherwise what the words give. */
function argumentOf({ type, schema }: SkillPort, goal: SkillGoal): Argument {
  const given = goal.values.find((one) => one.type === type)
  if (!given) return { ...fillArguments(schema, goal), isGiven: false }
  return { data: given.data, missing: listValueFaultsBySchema(schema, given.data), isGiven: true }
}

/** As large a schema as a quote names. */
const maxSchemaLength = 20_000

function neededInput({ agent_id, handle, skill }: SkillOffer, port: SkillPort, { data, missing }: Argument): NeededInput | undefined {
  const { name, type, schema } = port
  if (!schema || JSON.stringify(schema).length > maxSchemaLength) return undefined
  return { agentId: agent_id, handle, skillId: skill.id, skill: skill.name, port: name, type, schema, data, faults: missing }
}

const typesOf = (givens: readonly AvailableInput[], missing: readonly MissingArgument[]): Set<string> =>
  new Set([...givens, ...missing].map((one) => one.type))

const maxShown = 80

function summaryFor({ skill }: SkillOffer, values: readonly AvailableInput[]): string {
  const shown = values.flatMap(({ data }) => Object.entries(data ?? {}).map(([name, value]) => `${name} ${shortValue(value)}`))
  return `I read the goal as “${skill.name}”${shown.length > 0 ? `, with ${shown.join(', ')}` : ''}.`
}

function shortValue(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `“${text.length > maxShown ? `${text.slice(0, maxShown)}…` : text}”`
}

const askFor = ({ handle, skill }: SkillOffer, missing: readonly MissingArgument[]): string =>
  `${handle} offers “${skill.name}”. It also needs: ${missing.flatMap((one) => one.descriptions).join('; ')}. Add it to the goal as “name: value”, and put a text to work on in quotation marks.`
