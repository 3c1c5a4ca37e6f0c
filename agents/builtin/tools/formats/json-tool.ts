/** `format.json`: formats, minifies, checks and repairs JSON, and converts it to YAML and back. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { formatResponse, formatResultType, formatToolPorts, readSourceGoal, requireSource } from './format-tool-ports.ts'
import { type JsonTree, repeatedName, writeJson } from './json-tree.ts'
import { type JsonFault, parseJsonSource } from './parse-json-source.ts'
import { findYamlFault, readYaml, writeYaml } from './read-and-write-yaml.ts'
import { hasRole, type Lexicon, type RoleWord, readWordRoles } from './read-word-roles.ts'
import { findSourceFile, type SplitGoal, splitGoalMaterial } from './split-goal-material.ts'

const type = 'query.json'
const actions = ['format', 'minify', 'validate', 'repair', 'to_yaml', 'from_yaml', 'validate_yaml', 'repair_to_yaml'] as const
type Action = (typeof actions)[number]

const skill: ToolSkill = {
  id: 'format.json',
  name: 'Format, check or convert JSON',
  description:
    'Formats, minifies, validates and repairs JSON: it says the line, the column and the kind of the first fault. Converts JSON to YAML and YAML to JSON, and validates YAML.',
  inputs: formatToolPorts(type, 'The JSON or YAML and what is done with it.', {
    action: { enum: actions, default: 'format' },
    indent: { type: 'integer', minimum: 0, maximum: 8, default: 2, description: 'Blanks per level; 0 means a tab.' },
    sort_keys: { type: 'boolean', default: false },
  }),
  outputs: [{ name: 'result', type: formatResultType, description: 'The formatted or converted text, or the verdict.', optional: false }],
  price: '100000',
  tags: ['json', 'yaml', 'pretty print', 'beautify', 'minify', 'validate', 'lint', 'repair', 'convert'],
  samples: [{ title: 'A check', input: { text: '{"a":1,}', action: 'validate' }, output: 'Not valid JSON. Line 1, column 7' }],
}

type Role = 'json' | 'yaml' | 'format' | 'minify' | 'validate' | 'repair' | 'sort' | 'key' | 'indent' | 'count' | 'to' | 'from' | 'convert'
const lexicon: Lexicon<Role> = {
  json: 'json jsons',
  yaml: 'yaml yml',
  format:
    'format formatted formatting formated prettify prettified pretty prettyprint pretty-print pretty-printed prettier beautify beautified nice nicely nicer neat neatly readable human-readable human legible tidy reformat print printed indented properly better look looks clean multiline lines line-breaks style styled formatter beautifier easier read easy',
  minify:
    'minify minified compact compress compressed minimise minimize one-line oneline single-line one single line smallest whitespace spaces remove strip without unformat uglify',
  validate:
    'valid invalid validate validity check verify lint error errors wrong correct well-formed wellformed syntax syntactically problem problems mistake mistakes broken fail fails failing parse parses fault parser why isnt doesnt wont working work ok legal find where test validator whether if load loads loading says said throws unexpected token message refuses rejects start starts starting run runs complains complaining happens when reads',
  repair: 'fix repair correctly mend fixed repaired fixing repairing corrected',
  sort: 'sort sorted order ordered alphabetically alphabetical',
  key: 'key keys names properties property object objects array value values data payload response api config configuration settings code body blob string app program server script tool',
  indent: 'indent indentation indenting space tab tabs spaced wide',
  count: '1 2 3 4 5 6 7 8 two four eight three',
  to: 'to into as in',
  from: 'from',
  convert: 'convert conversion translate transform change turn equivalent version same represent converter',
}

const numberWords: { readonly [word: string]: number } = { two: 2, three: 3, four: 4, eight: 8 }

/** JSON begins at its first bracket; what follows its last one are words again. */
function splitJson(text: string): SplitGoal {
  const split = splitGoalMaterial(text)
  if (split.language !== undefined || /```/.test(text)) return split
  const start = text.search(/[{[]/)
  if (start < 0) return split
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
  const rest = text.slice(end)
  const mark = /["'`“]\s*$/.exec(text.slice(0, start))?.[0]
  const before = text.slice(0, start - (mark?.length ?? 0))
  if (mark && /^\s*["'`”]/.test(rest)) return { words: `${before} ${rest.replace(/^\s*["'`”]/, '')}`, items: [text.slice(start, end)] }
  // An object that is not closed continues to the end.
  const isOpen = end <= start || /^\s*[,:"'\d}\]]/.test(rest)
  return isOpen ? { words: before, items: [text.slice(start)] } : { words: `${before} ${rest}`, items: [text.slice(start, end)] }
}

/** `json to yaml`, `yaml from json`, `as yaml`. Undefined: the words name no direction. */
function conversionOf(roles: readonly RoleWord<Role>[]): Action | undefined {
  const isTarget = (name: 'json' | 'yaml') => roles.some(({ role }, index) => role === name && roles[index - 1]?.role === 'to')
  const isSource = (name: 'json' | 'yaml') => roles.some(({ role }, index) => role === name && roles[index - 1]?.role === 'from')
  const toYaml = isTarget('yaml') || isSource('json')
  const toJson = isTarget('json') || isSource('yaml')
  if (toYaml === toJson) {
    const order = roles.filter(({ role }) => role === 'json' || role === 'yaml' || role === 'to').map(({ role }) => role)
    return order.join(' ') === 'yaml to json' ? 'from_yaml' : order.join(' ') === 'json to yaml' ? 'to_yaml' : undefined
  }
  return toYaml ? 'to_yaml' : 'from_yaml'
}

function actionOf(roles: readonly RoleWord<Role>[]): Action | undefined {
  const has = (role: Role) => hasRole(roles, role)
  if (has('yaml') && has('json')) return has('minify') || has('repair') ? undefined : conversionOf(roles)
  if (has('yaml')) {
    if (has('validate')) return 'validate_yaml'
    return roles.some(({ role }, index) => role === 'yaml' && roles[index - 1]?.role === 'to') ? 'to_yaml' : undefined
  }
  if (has('repair')) return 'repair'
  const phrase = roles.map(({ word }) => word).join(' ')
  if (isShort.test(phrase)) return /\b(?:pretty|prettify|beautify|indent)/.test(phrase) ? undefined : 'minify'
  if (has('minify') && !has('indent') && !has('count')) return undefined
  if (has('convert')) return undefined
  if (has('format') || has('indent') || has('sort')) return 'format'
  return has('validate') ? 'validate' : undefined
}

/** A JSON file is no YAML: who asks what is wrong with it and for YAML wants it repaired and converted. */
const ofJsonFile = (action: Action | undefined, isJsonFile: boolean): Action | undefined =>
  isJsonFile && (action === 'validate_yaml' || action === 'to_yaml') ? 'repair_to_yaml' : action

const isShort =
  /\b(?:minif|minimi|compact|compress|one-?line|single-line|uglify|unformat)|\b(?:one|single) line\b|\b(?:remove|strip|without) (?:whitespace|spaces|line-breaks|format)/

const cleanWords = (words: string): string =>
  words
    .replace(/\bnot (?=(?:valid|working|parsing|correct|ok)\b)|\b(?:and )?if not\b/gi, ' ')
    .replace(/\b(?:and |but )?(?:i )?(?:can['’]?t|cannot) read it\b/gi, ' ')
    .replace(/\ba (?:valid|working|correct|proper) (?:version|copy|one)\b/gi, ' fixed ')
    .replace(/->|=>|→/g, ' to ')

const errorMessage = /(?:"[^"\n]{0,200}"|“[^”\n]{0,200}”|(?<=^|\s)'[^'\n]{0,200}'(?=$|[\s.,;?!])|`[^`\n]{0,200}`)/g

function readGoal(goal: ToolGoal): ToolReading {
  const file = findSourceFile(goal)
  const isJsonFile = file !== undefined && (file.type === 'table.json' || /\.json$/i.test(file.name))
  // A quoted message of a program is no material beside a file.
  const phrase = isJsonFile ? goal.text.replaceAll(file.name, 'file').replace(errorMessage, ' ') : goal.text
  const json = splitJson(phrase)
  // A list in YAML begins with a bracket too.
  const isJson = /^\s*[{[]/.test(json.items[0] ?? '') && !/\bya?ml\b.{0,20}\bto\b.{0,20}\bjson\b/i.test(json.words)
  const split = isJson ? json : isJsonFile ? { words: phrase, items: [] } : splitGoalMaterial(phrase)
  // "Not valid" asks for a check; any other negation is no request.
  const roles = readWordRoles(cleanWords(split.words), lexicon)
  if (!roles || split.items.length > 1 || goal.files.length > 1) return undefined
  const isNamed = hasRole(roles, 'json') || hasRole(roles, 'yaml')
  const isFile = split.items.length === 0 && file !== undefined && (isJsonFile || /\.ya?ml$/i.test(file.name))
  const isParsed = isJson && 'tree' in parseJsonSource(split.items[0] ?? '')
  if (!isNamed && !isFile && !isParsed && !('language' in split && split.language === 'json')) return undefined
  const action = ofJsonFile(actionOf(roles), isJsonFile)
  // Repeated sorting of values is other work than sorting names.
  if (!action || (hasRole(roles, 'sort') && !roles.some(({ word }) => /^(?:keys?|names|propert)/.test(word)))) return undefined
  if (split.items.length > 0 && goal.files.length > 0) return undefined
  // A YAML file needs a direction or a check.
  if (isFile && !isJsonFile && action !== 'from_yaml' && action !== 'validate_yaml') return undefined
  const counted = roles.find(({ role }) => role === 'count')?.word
  if (counted !== undefined && !hasRole(roles, 'indent') && !roles.some(({ word }) => word === 'spaces')) return undefined
  const indent = roles.some(({ word }) => /^tabs?$/.test(word))
    ? 0
    : counted === undefined
      ? undefined
      : (numberWords[counted] ?? Number(counted))
  const options = { action, ...(indent !== undefined && { indent }), ...(hasRole(roles, 'sort') && { sort_keys: true }) }
  return readSourceGoal(goal, split.items[0], options, summaries[action])
}

const summaries: { readonly [action in Action]: string } = {
  format: 'I format the JSON.',
  minify: 'I write the JSON without blanks and line breaks.',
  validate: 'I check whether the JSON is valid.',
  repair: 'I repair common faults of the JSON and format it.',
  to_yaml: 'I convert the JSON to YAML.',
  from_yaml: 'I convert the YAML to JSON.',
  validate_yaml: 'I check whether the YAML is valid.',
  repair_to_yaml: 'I name the faults of the JSON, repair common ones, and convert it to YAML.',
}

const describeFault = ({ line, column, message }: JsonFault): string => `Line ${line}, column ${column}: ${message}.`

const jsonFile = (text: string) => ({ name: 'result.json', media_type: 'application/json', text: `${text}\n` })
const verdictFile = (text: string) => ({ name: 'verdict.txt', media_type: 'text/plain', text: `${text}\n` })

/** Counts for the verdict, so that a reader sees what was read. */
const shapeOf = (tree: JsonTree): string =>
  tree.kind === 'object'
    ? `an object with ${tree.entries.length} ${tree.entries.length === 1 ? 'member' : 'members'}`
    : tree.kind === 'array'
      ? `a list with ${tree.items.length} ${tree.items.length === 1 ? 'item' : 'items'}`
      : 'a single value'

function validate(text: string): SkillResponse {
  const parsed = parseJsonSource(text)
  const repeated = 'tree' in parsed ? repeatedName(parsed.tree) : undefined
  const note =
    repeated === undefined ? '' : ` The name ${JSON.stringify(repeated)} comes twice in one object; most programs keep only the last.`
  if (!('fault' in parsed)) {
    const verdict = `Valid JSON: ${shapeOf(parsed.tree)}.${note}`
    return formatResponse(verdict, verdictFile(verdict), '')
  }
  const verdict = `Not valid JSON. ${describeFault(parsed.fault)}`
  const repaired = parseJsonSource(text, true)
  if ('fault' in repaired) return formatResponse(verdict, verdictFile(verdict), '')
  const offer = `A repaired form (${repaired.repairs.join('; ')}):`
  const form = writeJson(repaired.tree, { indent: '  ' })
  return formatResponse(`${verdict} ${offer}`, verdictFile(`${verdict}\n\n${offer}\n${form}`), form)
}

function convert(text: string, action: Action, indent: string, isSorted: boolean): SkillResponse {
  if (action === 'from_yaml') return formatResponse('As JSON:', jsonFile(writeJson(readYaml(text), { indent, isSorted })))
  const parsed = parseJsonSource(text, action === 'repair' || action === 'repair_to_yaml')
  if ('fault' in parsed) {
    const hint =
      action === 'repair' || action === 'repair_to_yaml' ? 'Correct this place and ask again.' : 'Correct it, or ask me to repair it.'
    return refuse(`The JSON is not valid. ${describeFault(parsed.fault)} ${hint}`)
  }
  const yaml = { name: 'result.yaml', media_type: 'application/yaml', text: '' }
  if (action === 'to_yaml') return formatResponse('As YAML:', { ...yaml, text: `${writeYaml(parsed.tree)}\n` })
  const written = jsonFile(writeJson(parsed.tree, { indent: action === 'minify' ? '' : indent, isSorted }))
  if (action !== 'repair' && action !== 'repair_to_yaml')
    return formatResponse(action === 'minify' ? 'Minified JSON:' : 'Formatted JSON:', written)
  const repairs = parsed.repairs.length === 0 ? 'The JSON was valid.' : `Repaired JSON: ${parsed.repairs.join('; ')}.`
  return action === 'repair_to_yaml'
    ? formatResponse(`${repairs} As YAML:`, { ...yaml, text: `${writeYaml(parsed.tree)}\n` })
    : formatResponse(repairs, written)
}

function run(work: SkillRequest): SkillResponse {
  const data = requireData(work, type)
  const action = actions.find((one) => one === data.action) ?? 'format'
  const text = requireSource(work, type)
  if (action === 'validate') return validate(text)
  if (action === 'validate_yaml') {
    const fault = findYamlFault(text)
    const verdict = fault ? `Not valid YAML. ${describeFault(fault)}` : 'Valid YAML.'
    return formatResponse(verdict, verdictFile(verdict), '')
  }
  const indent = typeof data.indent === 'number' && Number.isInteger(data.indent) ? data.indent : 2
  if (indent < 0 || indent > 8) return refuse('I indent by 0 to 8 blanks, where 0 means a tab.')
  return convert(text, action, indent === 0 ? '\t' : ' '.repeat(indent), data.sort_keys === true)
}

export const jsonTool: Tool = { skill, readGoal, run }
