/** Parses a goal: to wanted types and available inputs, or to a question to the client. */
import type { Json } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import type { ToolGoal } from '../../tools/tool.ts'
import type { AvailableInput, WantedOutput } from '../plan/plan.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { anyFileType, detectAttachmentType } from './detect-attachment-type.ts'
import { explainNoAgentHasFigures } from './explain-no-agent-has-figures.ts'
import { findQuotations, withoutQuotations } from './find-quotations.ts'
import { findToolForGoal, type ReadTool } from './find-tool-for-goal.ts'
import { findWantedOutput } from './find-wanted-output.ts'
import type { GoalInput, GoalIntent, ParsedGoal } from './goal-intent.ts'
import { figuresQuery, parseFiguresSubject } from './parse-figures-subject.ts'
import { parseWebGoal } from './parse-web-goal.ts'
import { plainTypeName } from './plain-type-name.ts'
import { readAttachedTableHeads } from './read-attached-table-heads.ts'
import { partsOfRequest, removeBackgroundSentences, sentencesOfRequest } from './remove-background-sentences.ts'

const chartWord = '(?:charts?|figures?|graphs?|plots?|diagrams?)'
const textChart = new RegExp(
  `\\b(?:text|ascii|plain[- ]text|character)[\\s-]+(?:based\\s+|format\\s+)?${chartWord}\\b|\\b${chartWord}\\b[^.;,]{0,20}\\b(?:in|as|of)\\b[^.;,]{0,15}\\b(?:text|ascii|characters)\\b`,
  'i',
)
const svgChart = /\bsvg\b|\bvector (?:graphic|image)|\b(?:picture|image)\b/i
const anyChart = /\b(?:charts?|graphs?|plots?|plotted|diagrams?)\b|\b(?:a|one|the) figure\b(?! of)|\bvisuali[sz]/i
const report = /\breports?\b|\bwrite-?up\b|\bmemo\b|\bbriefing\b|\bsummary\b/i
const analysis = /\btrends?\b|\banaly[sz]|\b(?:growth|grow|grows|grew|grown|growing)\b|\bcagr\b|\bregression\b/i

/** The common outputs that the text asks for. */
function wantedTypes(words: string): string[] {
  const types: string[] = ['table.series']
  if (textChart.test(words)) types.push('chart.text')
  // “A picture of a hive” is no chart.
  const isSvg = /\bsvg\b/i.test(words) || (svgChart.test(words) && !/\b(?:picture|image) of (?:a|an|my|our)\b/i.test(words))
  if (isSvg) types.push('chart.svg')
  if (!textChart.test(words) && !isSvg && anyChart.test(words)) types.push('chart.svg')
  if (report.test(words) || analysis.test(words)) types.push('analysis.trend', 'report.markdown')
  return types
}

/** Company names from the tags of figure skills, longest first. */
function knownNames(offers: readonly SkillOffer[]): string[] {
  return [
    ...new Set(
      offers.filter((offer) => offer.skill.inputs.some((port) => port.type === 'query.figures')).flatMap((offer) => offer.skill.tags),
    ),
  ]
    .filter((tag) => /^[A-Z]/.test(tag))
    .sort((a, b) => b.length - a.length)
}

/** What all readers of a goal share. */
type ReadableGoal = {
  readonly goal: GoalInput
  readonly offers: readonly SkillOffer[]
  /** The text and the answers. */
  readonly clientText: string
  /** The same without quoted material. */
  readonly words: string
  readonly files: readonly AvailableInput[]
}

/** Work on figures by its name. A report or a summary can be of anything. */
const figuresWork = new RegExp(
  `${anyChart.source}|\\btrends?\\b|\\bgrowth\\b|\\bcagr\\b|\\b(?:annual|yearly|company) (?:figures|report|numbers)\\b`,
  'i',
)
/** In a longer text, such words are part of pasted material. */
const maxFiguresText = 300

/** A tool's reading that is at least this sure precedes all others. */
const sureConfidence = 0.85

export function parseGoal(goal: GoalInput, offers: readonly SkillOffer[]): ParsedGoal {
  const clientText = [goal.text, ...goal.answers].join('\n')
  const files = goal.attachments.map((file): AvailableInput => ({ type: detectAttachmentType(file), attachment: file.sha256 }))
  const readable: ReadableGoal = { goal, offers, clientText, words: withoutQuotations(clientText), files }
  const tool = readByTools(readable)
  const isSure = tool !== undefined && tool.confidence >= sureConfidence
  if (isSure && 'intent' in tool.parsed) return withCriteria(tool.parsed, goal)
  const several = readSeveralByTools(readable)
  if (several) return withCriteria(several, goal)
  if (isSure) return withCriteria(tool.parsed, goal)
  const found = readFiguresGoal(readable) ?? readWebGoal(readable) ?? readSkillGoal(readable) ?? tool?.parsed
  return found ? withCriteria(found, goal) : (readPartByTools(readable) ?? questionFor(readable))
}

/** Where no tool reads the whole goal, one may read it without the story around the request. The summary names what is left out. */
function readByTools(readable: ReadableGoal): ReadTool | undefined {
  const { files, offers, clientText } = readable
  const whole = findToolForGoal(toToolGoal(readable), files, offers)
  if (whole && whole.confidence >= sureConfidence) return whole
  const { request, background } = removeBackgroundSentences(clientText)
  if (background.length === 0) return whole
  const rest = findToolForGoal(toToolGoal({ ...readable, clientText: request, words: withoutQuotations(request) }), files, offers)
  if (!rest || rest.confidence < sureConfidence || !('intent' in rest.parsed)) return whole
  const { intent } = rest.parsed
  const left = background.map((sentence) => `“${sentence.replace(/(?<![.\s])[.\s]+$/, '')}”`)
  return { ...rest, parsed: { intent: { ...intent, summary: `${intent.summary} Read as background only: ${formatList(left)}.` } } }
}

/** Sentences for different tools, each of which reads its own one completely: a plan with a step for each. */
function readSeveralByTools(readable: ReadableGoal): ParsedGoal | undefined {
  const { files, offers, clientText } = readable
  const read = (request: string): GoalIntent | undefined => {
    const found = findToolForGoal(toToolGoal({ ...readable, clientText: request, words: withoutQuotations(request) }), files, offers)
    return found && found.confidence >= sureConfidence && 'intent' in found.parsed ? found.parsed.intent : undefined
  }
  const typeOf = ({ wants }: GoalIntent): string => wants.map(({ type }) => type).join(' ')
  const sentences = sentencesOfRequest(clientText)
  const intents = sentences.map(read)
  if (sentences.length === 0 || intents.some((intent) => intent === undefined)) return undefined
  // Sentences for one tool are one request.
  const groups = Map.groupBy(sentences, (_, index) => typeOf(intents[index] as GoalIntent))
  const whole = [...groups.values()].map((group) => read(group.join(' ')))
  if (groups.size < 2 || whole.some((intent) => intent === undefined)) return undefined
  const all = whole as GoalIntent[]
  if (new Set(all.map(typeOf)).size < all.length) return undefined
  // Each tool may read another file, and the ports of all take the files in one order.
  const orders = all.map(({ givens }) => givens.filter((given) => files.includes(given)))
  const [order = files] = orders
  if (orders.some(([first]) => first !== order[0])) return undefined
  const queries = all.flatMap(({ givens }) => givens.filter((given) => !files.includes(given)))
  return {
    intent: {
      wants: all.flatMap(({ wants }) => wants),
      givens: [...order, ...queries],
      summary: all.map(({ summary }) => summary).join(' '),
    },
  }
}

/** Where a tool reads only a part of the goal, the client decides about the rest. */
function readPartByTools(readable: ReadableGoal): ParsedGoal | undefined {
  const { files, offers, clientText } = readable
  for (const { request, unread } of partsOfRequest(clientText)) {
    const part = findToolForGoal(toToolGoal({ ...readable, clientText: request, words: withoutQuotations(request) }), files, offers)
    if (!part || part.confidence < sureConfidence || !('intent' in part.parsed)) continue
    const rest = unread.map((sentence) => `“${sentence.replace(/\s+/g, ' ').slice(0, 200)}”`)
    return {
      question: `A part of this can be done: ${part.parsed.intent.summary} No agent online understands ${formatList(rest)}. Leave that out, or say it in other words.`,
    }
  }
  return undefined
}

/** Reviewers take the goal and its criteria as an input. */
function withCriteria(parsed: ParsedGoal, { text, criteria }: GoalInput): ParsedGoal {
  if (!('intent' in parsed)) return parsed
  const given: AvailableInput = { type: 'goal.criteria', data: { text, criteria: criteria.map((one): Json => ({ text: one })) } }
  return { intent: { ...parsed.intent, givens: [...parsed.intent.givens, given] } }
}

function toToolGoal({ goal, clientText, words }: ReadableGoal): ToolGoal {
  const files = goal.attachments.map((file) => {
    const head = goal.heads?.[file.sha256]
    return { name: file.name, type: detectAttachmentType(file), ...(head && { head: head.text, isWhole: head.isWhole }) }
  })
  return { text: clientText, words, quotations: findQuotations(clientText), files, ...(goal.language && { language: goal.language }) }
}

/** Words that ask for the attached table itself. */
const asksForTable = /\b(?:read|import|load|parse|clean|normali[sz]e|tidy)\b/i

const hasHeads = ({ attachments, heads }: GoalInput): boolean => attachments.some(({ sha256 }) => heads?.[sha256] !== undefined)

/** Goals on annual figures of companies, or on an attached table. */
function readFiguresGoal(readable: ReadableGoal): ParsedGoal | undefined {
  const { goal, offers, words, files } = readable
  const all = [words, ...goal.criteria.map(withoutQuotations).filter((text) => !/\b(not|no|without|never)\b/i.test(text))].join('\n')
  const types = wantedTypes(all)
  const table = files.find((file) => file.type === 'table.csv' || file.type === 'table.json' || file.type === 'table.series')
  const subject = parseFiguresSubject(words, knownNames(offers))
  const asksForFigures = subject.metric !== undefined || subject.years !== undefined || types.length > 1
  const answered = asksForFigures && subject.companies.length === 0 ? bareAnswer(goal.answers) : undefined
  const companies = answered ? [answered] : subject.companies
  const about = { ...subject, companies }
  // A table of which the beginning is known, but cannot be read, holds no figures.
  const isBroken =
    table !== undefined && table.type !== 'table.series' && hasHeads(goal) && readAttachedTableHeads(readable.goal).length === 0
  if (isBroken) return undefined
  // Several tables are to be compared or joined, which is other work.
  if (table && files.length > 1) return undefined
  if (table ? types.length === 1 && !asksForTable.test(all) : companies.length === 0 || !(asksForFigures || answered)) return undefined
  if (!table && !answered && subject.metric === undefined && subject.years === undefined && !figuresWork.test(all))
    return { question: `Do you mean the annual revenue of ${formatList(companies)}? If so, name the revenue and the years in the goal.` }
  const reason = table ? undefined : explainNoAgentHasFigures(about, offers)
  if (reason !== undefined) return { reason }
  const wants = types.map((type): WantedOutput => ({ type, needed: true }))
  if (types.includes('report.markdown')) wants.push({ type: 'review.verdict', needed: false })
  return {
    intent: {
      wants: table?.type === 'table.series' ? wants.filter((want) => want.type !== 'table.series') : wants,
      givens: table ? files : [...files, { type: 'query.figures', data: figuresQuery(about) }],
      summary: summaryOf(about, table !== undefined, wants),
    },
  }
}

function readWebGoal({ goal, offers, files }: ReadableGoal): ParsedGoal | undefined {
  const intent = parseWebGoal(goal.text, offers)
  return intent && { intent: { ...intent, givens: [...files, ...intent.givens] } }
}

/** What only `readFiguresGoal` asks for. Words alone match these skills too easily: every goal on a table shares some. */
const figuresTypes = new Set(['table.series', 'analysis.trend'])

function readSkillGoal({ goal, clientText, words, files, offers }: ReadableGoal): ParsedGoal | undefined {
  const others = offers.filter(({ skill }) => !skill.outputs.some(({ type }) => figuresTypes.has(type)))
  // A skill that takes any file takes texts and tables as well.
  const any = others.some(({ skill }) => skill.inputs.some(({ type }) => type === anyFileType))
    ? files.filter(({ type }) => type !== anyFileType).map((file) => ({ ...file, type: anyFileType }))
    : []
  const { values = [] } = goal
  const found = findWantedOutput({ words, quotations: findQuotations(clientText), files: [...files, ...any], values }, others)
  if (!found || 'question' in found) return found
  return { intent: { wants: [{ type: found.type, needed: true }], givens: found.givens, summary: found.summary } }
}

/** A last answer that is only a name, such as "Apple" or "it is Apple Inc." */
function bareAnswer(answers: readonly string[]): string | undefined {
  const last = answers.at(-1)?.trim().replace(/[.!]$/, '') ?? ''
  const bare = last.replace(/^(?:it is|it's|i mean|the company is|for|of)\s+/i, '')
  return bare !== '' && bare.split(/\s+/).length <= 4 && /^[\p{L}][\p{L}\d&.,' -]*$/u.test(bare) ? bare : undefined
}

function summaryOf(
  subject: { companies: readonly string[]; metric: string | undefined; years: { from?: number; to?: number; last?: number } | undefined },
  attached: boolean,
  wants: readonly WantedOutput[],
): string {
  const years = subject.years
  const span = !years ? '' : years.last ? `, the last ${years.last} years` : `, ${years.from ?? 'the first'} to ${years.to ?? 'the latest'}`
  const metric = subject.metric === 'net_income' ? 'net income' : 'revenue'
  const about = attached ? 'your table' : `the annual ${metric} of ${formatList(subject.companies)}${span}`
  return `I read the goal as: ${formatList(wants.map(({ type }) => plainTypeName(type)))} on ${about}.`
}

function questionFor(readable: ReadableGoal): ParsedGoal {
  const { words, offers } = readable
  const known = knownNames(offers)
  const [table] = readAttachedTableHeads(readable.goal)
  if (table) {
    const columns = table.columns.slice(0, 12).map(({ name }) => name)
    const hint = `The columns of “${table.name}” are ${formatList(columns)}. Ask with those names, for example for a total, an average, a list or a chart.`
    return { question: `I can't tell from these words what to compute. ${hint}`, unmatched: words.trim().slice(0, 400), hint }
  }
  // Below an empty line there is material to work on, which names many things.
  const [task = ''] = words.trim().split(/\n\s*\n/)
  if (words.length <= maxFiguresText && (parseFiguresSubject(task, known).metric !== undefined || figuresWork.test(task)))
    return {
      question: `Which company do you mean, or which table? ${known.length ? `There are figures of ${formatList(known.slice(0, 10))} at hand; ` : ''}a company's name is enough as an answer. With a table of your own, post the goal again with the file attached.`,
    }
  return {
    question: `I can't tell from these words what to make. Say what you want to get, and put a text to work on in quotation marks.`,
    unmatched: words.trim().slice(0, 400),
  }
}
