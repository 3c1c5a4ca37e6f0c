/** `text.transform`: sorts, cleans, changes case, encodes and hashes texts. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { readLineGoal } from './read-line-goal.ts'
import { readTextGoal, readTextRequest, requireMaterial, type TextRequest, textPorts } from './text-request.ts'
import { type Operation, operations, transformText } from './transform-text.ts'

const type = 'query.text_transform'
const maxOperations = 4
const skill: ToolSkill = {
  id: 'text.transform',
  name: 'Sort, clean, encode or hash a text',
  description:
    'Sorts lines or a list, removes duplicates and blank lines, changes upper and lower case, reverses, numbers lines, replaces or counts a word, makes slugs, encodes and decodes Base64 and URLs, and computes SHA-256 and other hashes.',
  inputs: textPorts(type, 'The text and what is done with it.', {
    operations: { type: 'array', items: { enum: operations }, minItems: 1, maxItems: maxOperations, description: 'In this order.' },
    find: { type: 'string', maxLength: 1_000, description: 'For `replace` and `count`.' },
    replacement: { type: 'string', maxLength: 1_000, description: 'For `replace`.' },
  }),
  outputs: [{ name: 'text', type: 'text.transformed', description: 'The changed text.', optional: false }],
  price: '100000',
  tags: [
    'sort',
    'alphabetical',
    'duplicates',
    'uppercase',
    'lowercase',
    'title case',
    'replace',
    'slug',
    'base64',
    'url encode',
    'sha256',
    'hash',
    'md5',
  ],
  samples: [{ title: 'A list', input: { text: 'pear, apple, fig', operations: ['sort'] }, output: 'apple, fig, pear' }],
}

const things =
  '(?:lines?|items?|words?|names?|entries|rows?|list|values|elements|letters|numbers|cities|countries|fruits?|things|terms|titles)'
const the = '(?:(?:all|the|these|this|those|any|my|its|their|each|every|of) )*'
const into =
  '(?:(?:convert|change|turn|make|put|transform|write|rewrite|set|format|get|give me) )?(?:everything |it )?(?:(?:all|the|text|words|letters|title|heading|headline|sentence|phrase)\\s+)*(?:to |into |in |as |all )?(?:an? )?(?:all )?'
const make =
  "(?:(?:make|create|generate|build|give me|get|turn into|convert to|convert into|write|what is|what's) )?(?:an? |the )?(?:url )?"

/** Each pattern matches a whole clause. */
const patterns: readonly (readonly [Operation, RegExp])[] = [
  [
    'sort_by_length',
    new RegExp(`^(?:sort|order|arrange) ${the}${things}? ?(?:by|from)(?: their)? (?:length|shortest to longest)(?: of \\w+)?$`),
  ],
  [
    'sort_descending',
    new RegExp(
      `^(?:sort|order|arrange) ?${the}${things}? ?(?:alphabetically )?(?:(?:in|by) )?(?:(?:a )?reverse(?:d)?(?: alphabetical)?(?: order)?|descending(?: order)?|from z to a|z[- ]?(?:to|-)[- ]?a|from (?:highest|largest|biggest) to (?:lowest|smallest))$`,
    ),
  ],
  [
    'sort',
    new RegExp(
      `^(?:sort|order|alphabeti[sz]e|arrange|put) ?${the}${things}? ?(?:(?:in|into|by) )?(?:(?:an? )?(?:alphabetical(?:ly)?|abc|ascending|numerical(?:ly)?|numeric)(?: order)?|alphabetically|numerically|from a to z|a[- ]?(?:to|-)[- ]?z|from (?:lowest|smallest) to (?:highest|largest|biggest)|name)?$`,
    ),
  ],
  [
    'unique_lines',
    new RegExp(
      `^(?:(?:remove|delete|drop|eliminate|strip|get rid of|filter out) ${the}(?:duplicates?|duplicated|repeated|repeating|double)(?: ${things})?|(?:deduplicate|dedupe|dedup|uniq)(?: ${the}${things})?|(?:keep|list|give me|show(?: me)?) (?:only )?${the}(?:unique|distinct)(?: ${things})?)$`,
    ),
  ],
  [
    'number_lines',
    new RegExp(
      `^(?:number ${the}(?:lines|items|entries|rows|list)|add (?:line )?numbers(?: to ${the}(?:lines|items|list))?|add line numbers)$`,
    ),
  ],
  ['reverse_lines', new RegExp(`^reverse ${the}(?:order of ${the})?(?:lines|items|list|entries|rows)(?: order)?$`)],
  ['reverse_words', new RegExp(`^reverse ${the}(?:order of ${the}|word order|words)(?:words)?$`)],
  [
    'reverse_characters',
    new RegExp(
      `^(?:reverse|spell|write|say)(?: ${the}(?:string|text|characters|letters|word|phrase|name|sentence))?(?: backwards?| in reverse)?$`,
    ),
  ],
  ['remove_blank_lines', new RegExp(`^(?:remove|delete|strip|drop|get rid of) ${the}(?:blank|empty) lines$`)],
  [
    'collapse_spaces',
    new RegExp(
      `^(?:(?:remove|delete|strip|collapse|fix|clean up|get rid of) ${the}(?:extra|double|multiple|trailing|leading|redundant|unnecessary|additional)(?: and (?:trailing|leading|double))? (?:white ?)?spaces?|normali[sz]e ${the}white ?space|trim(?: ${the}(?:lines|white ?space|spaces))?)$`,
    ),
  ],
  [
    'join_lines',
    new RegExp(
      `^(?:(?:remove|delete|strip) ${the}(?:line ?breaks|newlines|new lines)|(?:join|merge) ${the}lines(?: into one(?: line)?)?|put ${the}(?:lines )?(?:on|into) one line)$`,
    ),
  ],
  [
    'upper_case',
    new RegExp(`^(?:${into}(?:upper[- ]?case|capitals|capital letters|caps|block capitals)(?: letters)?|upper-?case|all caps)$`),
  ],
  ['lower_case', new RegExp(`^(?:${into}(?:lower[- ]?case|small letters)(?: letters)?|lower-?case)$`)],
  [
    'title_case',
    new RegExp(
      `^(?:${into}title[- ]?case|capitali[sz]e ${the}(?:each |every |first letter of (?:each |every |the )?)*(?:words?|title|heading|headline)|title-?case)$`,
    ),
  ],
  ['sentence_case', new RegExp(`^${into}sentence[- ]?case$`)],
  ['snake_case', new RegExp(`^${into}snake[-_ ]?case$`)],
  ['kebab_case', new RegExp(`^${into}kebab[-_ ]?case$`)],
  ['camel_case', new RegExp(`^${into}camel[-_ ]?case$`)],
  ['slug', new RegExp(`^(?:${make}(?:url[- ])?slug(?: for| of| from)?|slugify|${into}(?:url )?slug)$`)],
  [
    'base64_decode',
    /^(?:(?:decode|un-?encode)(?: (?:the|this|from))*(?: base ?-?64)?(?: (?:string|text|code))?(?: from base ?-?64)?|(?:base ?-?64|b64) decode|what does (?:the )?base ?-?64 (?:say|mean|decode to)|convert (?:the )?(?:from )?base ?-?64 to (?:plain )?text)$/,
  ],
  [
    'base64_encode',
    /^(?:(?:(?:encode|convert|turn|transform|put|get)(?: the)?(?: (?:string|text))? ?(?:in|to|into|as|with|using)? ?(?:a )?)?(?:base ?-?64|b64)(?: string| encoding| encode| encoded)?(?: of| for)?|(?:what is|what's|give me|compute) (?:the )?base ?-?64(?: encoding| of| for)*)$/,
  ],
  [
    'url_decode',
    /^(?:(?:url|percent|uri)[- ]?decode|decode (?:the )?(?:url|uri|percent)[- ]?(?:encoded|encoding)?(?: string| text| url)?)$/,
  ],
  [
    'url_encode',
    /^(?:(?:url|percent|uri)[- ]?encode|(?:encode|escape)(?: the)?(?: (?:string|text))? ?(?:for|as|in|to)?(?: a| an)? (?:url|uri|percent[- ]encoding)(?: encoding| component)?)$/,
  ],
  [
    'sha256',
    /^(?:(?:compute|calculate|what(?:'s| is)|give me|get|make|generate|create|find|hash)?(?: (?:with|using|me|a|an|the))* ?sha-?2?-?256(?: hash| checksum| digest| sum)?(?: (?:of|for))?)$/,
  ],
  [
    'sha512',
    /^(?:(?:compute|calculate|what(?:'s| is)|give me|get|make|generate|create|find|hash)?(?: (?:with|using|me|a|an|the))* ?sha-?512(?: hash| checksum| digest| sum)?(?: (?:of|for))?)$/,
  ],
  [
    'sha1',
    /^(?:(?:compute|calculate|what(?:'s| is)|give me|get|make|generate|create|find|hash)?(?: (?:with|using|me|a|an|the))* ?sha-?1(?: hash| checksum| digest| sum)?(?: (?:of|for))?)$/,
  ],
  [
    'md5',
    /^(?:(?:compute|calculate|what(?:'s| is)|give me|get|make|generate|create|find|hash)?(?: (?:with|using|me|a|an|the))* ?md5(?: hash| checksum| digest| sum)?(?: (?:of|for))?)$/,
  ],
  [
    'rot13',
    /^(?:(?:encode|decode|encrypt|decrypt|convert|apply|compute)(?: (?:with|in|to|using|by|from|the))* )?(?:rot ?-?13|caesar cipher (?:with a shift of )?13)(?: of| to)?$/,
  ],
]

function operationOf(clause: string): Operation | undefined {
  return patterns.find(([, pattern]) => pattern.test(clause))?.[0]
}

/** `replace "a" with "b"`, `count the word "a"`: the first quotations are no material. */
function readFinding(request: TextRequest): ToolReading {
  const [sentence = ''] = request.asked
  const [find = '', ...rest] = request.quotations
  const isReplace =
    /^(?:replace|substitute|swap|change)(?: (?:all|every|each|the|word|words|text|phrase|occurrences?|instances?|of|string|letter))*\s+(?:with|by|to|for|into)(?: the)?(?: word)?\s*(?:everywhere|throughout|in)?$/.test(
      sentence,
    )
  const isCount =
    /^(?:count|how (?:often|many times)|how many)(?: (?:the|how|many|often|times|number|of|occurrences?|instances?|word|words|phrase|letter|letters|string|does|do|is|are|there))*(?: (?:occurs?|appears?|used|mentioned|come up|found))*(?: in)?$/.test(
      sentence,
    )
  const needed = isReplace ? 2 : 1
  const hasText = request.quotations.length === needed + 1 || (request.quotations.length === needed && request.hasFile)
  if (!(isReplace || isCount) || request.asked.length !== 1 || !hasText) return undefined
  const text = request.quotations.length === needed + 1 ? request.quotations.at(-1) : undefined
  const options = isReplace ? { operations: ['replace'], find, replacement: rest[0] ?? '' } : { operations: ['count'], find }
  const summary = isReplace
    ? `I replace “${find.slice(0, 60)}” with “${(rest[0] ?? '').slice(0, 60)}”.`
    : `I count how often “${find.slice(0, 60)}” occurs.`
  return readTextGoal({ ...request, text, quotations: [] }, options, summary)
}

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  // Work on lists and lines is read there with more of its options.
  if (!request || readLineGoal(goal)) return undefined
  const found = readFinding(request)
  if (found || request.quotations.length > 1) return found
  const clauses = request.asked
    .flatMap((sentence) => sentence.split(/,? (?:and then|and also|then|and) |, /))
    .map((clause) => clause.trim())
  const chosen = clauses.map(operationOf)
  if (chosen.length > maxOperations || chosen.some((one) => one === undefined)) return undefined
  const named = chosen.filter((one) => one !== undefined)
  // "Reverse" or "decode" alone needs a quotation to be about a text.
  return readTextGoal(request, { operations: named }, `I apply to the text: ${named.map((one) => one.replaceAll('_', ' ')).join(', ')}.`)
}

function run(work: SkillRequest): SkillResponse {
  const { operations: asked, find, replacement } = requireData(work, type)
  const chosen =
    operations.length > 0 && Array.isArray(asked) ? asked.filter((one): one is Operation => operations.includes(one as Operation)) : []
  if (chosen.length === 0 || chosen.length > maxOperations)
    return refuse(`The query needs \`operations\`: 1 to ${maxOperations} of ${operations.join(', ')}.`)
  const text = requireMaterial(work, type)
  const options = { ...(typeof find === 'string' && { find }), ...(typeof replacement === 'string' && { replacement }) }
  const result = chosen.reduce((before, operation) => transformText(before, operation, options), text)
  const short =
    result.length <= 400 ? result.trimEnd() : `The result has ${result.length.toLocaleString('en-US')} characters. The file has it.`
  const isCount = chosen.at(-1) === 'count'
  return {
    outputs: [{ name: 'result.txt', media_type: 'text/plain', artifact_type: 'text.transformed', text: result }],
    text: isCount ? `“${String(find)}” occurs ${result === '1' ? 'once' : `${result} times`}.` : short,
  }
}

export const textTransformTool: Tool = { skill, readGoal, run }
