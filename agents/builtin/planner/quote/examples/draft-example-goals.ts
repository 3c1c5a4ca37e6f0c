/** Drafts goals that a person could write for a skill, from its samples, names, description and types. */
import type { Json, Skill } from '@parley/protocol'
import { toolQueryTypes } from '../../intent/find-tool-for-goal.ts'
import type { SkillOffer } from '../../plan/skill-offers.ts'
import { intoLanguage, sampleText, writeArgumentsAsWords } from './write-arguments-as-words.ts'

export type DraftedGoal = {
  readonly text: string
  /** Files to attach, by artifact type. */
  readonly fileTypes: readonly string[]
}

/** The types that the web gives to attached files, with a file name for each. */
export const attachableTypes: { readonly [type: string]: string } = { 'table.csv': 'table.csv', 'file.any': 'notes.pdf' }

const maxDrafts = 8
const maxRequest = 160

/** @param offers agents online: their company names and samples complete goals on types of their own readers */
export function draftExampleGoals(skill: Skill, offers: readonly SkillOffer[]): DraftedGoal[] {
  const fileTypes = skill.inputs.filter(isAttachable).map(({ type }) => type)
  const tasks = requestsOf(skill).map(({ request, sample }) => ({ text: withArguments(request, skill, sample), fileTypes }))
  const drafts = [...figuresGoals(skill, offers), ...webGoals(skill), ...toolGoals(skill), ...tasks]
  return [...new Map(drafts.map((draft) => [draft.text, draft])).values()].slice(0, maxDrafts)
}

/** True for an input that a person can only attach. */
const isAttachable = ({ type, optional, schema }: Skill['inputs'][number]): boolean =>
  !optional && schema === undefined && Object.hasOwn(attachableTypes, type)

/** Inputs that the words of a goal fill. */
export const wordedInputs = ({ inputs }: Pick<Skill, 'inputs'>) =>
  inputs.filter(({ type, schema, optional }) => !optional && (schema !== undefined || type.startsWith('query.')))

type Request = { readonly request: string; readonly sample: Json | undefined }

function requestsOf({ name, description, tags, samples }: Skill): Request[] {
  const [first] = samples
  const sentence = /^[^.!?\n]{8,}/.exec(description.trim())?.[0] ?? ''
  const requests: Request[] = [
    ...samples.map(({ title, input }) => ({ request: title, sample: input })),
    { request: name, sample: first?.input },
    { request: sentence, sample: first?.input },
    ...tags
      .filter((tag) => !name.toLowerCase().includes(tag.toLowerCase()))
      .slice(0, 2)
      .map((tag) => ({ request: `${name}, ${tag}`, sample: first?.input })),
    ...(sentence === '' ? [] : [{ request: `${name}. ${sentence}`, sample: first?.input }]),
  ]
  return requests
    .map(({ request, sample }) => ({
      request: request
        .trim()
        .slice(0, maxRequest)
        .replace(/(?<![.:;,\s])[.:;,\s]+$/, ''),
      sample,
    }))
    .filter(({ request }) => request.length > 2)
}

/** The request with the language, then the quoted material after a colon, then the other values by name. */
function withArguments(request: string, skill: Skill, sample: Json | undefined): string {
  const written = wordedInputs(skill).map(({ name, schema }) => writeArgumentsAsWords(schema, valueOfPort(skill, name, sample)))
  const quotations = written.flatMap((one) => one.quotations).map((text) => `“${text}”`)
  const phrases = written.flatMap((one) => one.phrases)
  const isLanguage = (phrase: string) => phrase === intoLanguage
  const head = [request, ...phrases.filter(isLanguage)].join(' ')
  const material = quotations.length > 0 ? `: ${quotations.join(', ')}` : ''
  return [`${head}${material}`, ...phrases.filter((phrase) => !isLanguage(phrase))].join(', ')
}

/** A sample of several inputs holds one value for each. */
function valueOfPort({ inputs }: Skill, name: string, sample: Json | undefined): Json | undefined {
  if (inputs.length < 2 || typeof sample !== 'object' || sample === null || Array.isArray(sample)) return sample
  return Object.hasOwn(sample, name) ? sample[name] : sample
}

const figuresOutputs: { readonly [type: string]: string } = {
  'table.series': 'in a table',
  'chart.text': 'in a text chart',
  'chart.svg': 'as an SVG chart',
  'analysis.trend': 'with a trend analysis report',
  'report.markdown': 'with a trend analysis report',
  'review.verdict': 'with a trend analysis report',
}

/** The planner reads goals on annual figures by rules of its own. */
function figuresGoals({ inputs, outputs, tags }: Skill, offers: readonly SkillOffer[]): DraftedGoal[] {
  const endings = [...new Set(outputs.flatMap(({ type }) => (Object.hasOwn(figuresOutputs, type) ? [figuresOutputs[type] ?? ''] : [])))]
  if (endings.length === 0) return []
  if (inputs.some(({ type }) => type === 'table.csv'))
    return endings.map((ending) => ({ text: `Read the attached table and show it ${ending}`, fileTypes: ['table.csv'] }))
  const known = offers.filter(({ skill }) => skill.inputs.some(({ type }) => type === 'query.figures')).flatMap(({ skill }) => skill.tags)
  const companies = (inputs.some(({ type }) => type === 'query.figures') ? [...tags, ...known] : known).filter((tag) => /^[A-Z]/.test(tag))
  return endings.flatMap((ending) =>
    companies.slice(0, 2).map((company) => ({ text: `The annual revenue of ${company} from 2015 to 2020 ${ending}`, fileTypes: [] })),
  )
}

/** The planner gives goals that name an address to the skill that takes `query.web`. */
function webGoals({ inputs, name }: Skill): DraftedGoal[] {
  return inputs.some(({ type }) => type === 'query.web') ? [{ text: `Open https://example.com and do this: ${name}`, fileTypes: [] }] : []
}

/** The tools read a goal by rules of their own, which the words of a skill for the same type usually meet. */
function toolGoals({ inputs, name, samples }: Skill): DraftedGoal[] {
  if (!inputs.some(({ type }) => toolQueryTypes.has(type))) return []
  return [name, ...samples.slice(0, 1).map(({ title }) => title)].flatMap((request) => [
    { text: `${request}: “${sampleText}”`, fileTypes: [] },
    { text: `${request}, of the attached table`, fileTypes: ['table.csv'] },
  ])
}
