/** `text.transform`: sorts, cleans, changes case, encodes and hashes texts. */
import type { Json } from '@parley/protocol'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { textChecksumTool } from './checksum-tool.ts'
import { readLineGoal } from './read-line-goal.ts'
import { type Replacement, readReplacementRequest } from './read-replacement-request.ts'
import { readTextGoal, readTextRequest, requireMaterial, type TextRequest, textPorts } from './text-request.ts'
import { type Operation, operations, transformText } from './transform-text.ts'

const type = 'query.text_transform'
const maxOperations = 4
const maxReplacements = 20
const [minWidth, maxWidth] = [10, 1_000]
const skill: ToolSkill = {
  id: 'text.transform',
  name: 'Sort, clean, encode or hash a text',
  description:
    'Sorts lines or a list, removes duplicates and blank lines, changes upper and lower case, reverses, numbers lines, replaces or counts a word, makes slugs, breaks lines at a width, encodes and decodes Base64 and URLs, and computes SHA-256 and other hashes.',
  inputs: textPorts(type, 'The text and what is done with it.', {
    operations: { type: 'array', items: { enum: operations }, minItems: 1, maxItems: maxOperations, description: 'In this order.' },
    find: { type: 'string', maxLength: 1_000, description: 'For `replace` and `count`.' },
    replacement: { type: 'string', maxLength: 1_000, description: 'For `replace`.' },
    replacements: {
      type: 'array',
      items: { type: 'object', properties: { find: { type: 'string' }, replacement: { type: 'string' } } },
      maxItems: maxReplacements,
      description: 'For `replace`: several at once.',
    },
    width: { type: 'integer', minimum: 10, maximum: 1_000, description: 'For `wrap`: the characters in a line.' },
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
    'url friendly',
    'wrap',
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
  '(?:(?:convert|change|turn|make|put|transform|write|rewrite|set|format|get|give me) )?(?:everything |it )?(?:(?:all|the|this|text|words|letters|title|heading|headline|sentence|phrase)\\s+)*(?:to |into |in |as |all )?(?:an? )?(?:all )?'
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
  [
    'slug',
    new RegExp(
      `^(?:(?:make|turn|convert|change|get)?(?: (?:the|this|it|these|text|title|name|into|to|a))* ?(?:url|seo|web|link)[- ]?(?:friendly|safe)(?: (?:slug|name|text|string|version|url))?(?: (?:of|for|from))?|${make}(?:url[- ])?slug(?: for| of| from)?|slugify|${into}(?:url )?slug)$`,
    ),
  ],
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

/** `replace Anna with [NAME] everywhere`: without quotation marks, or several pairs. */
function readUnquotedReplacement(request: TextRequest, goal: ToolGoal): ToolReading {
  const inSentence = (request.raw.join(' ').match(/⟦\d+⟧/g) ?? []).length
  const material = request.quotations.slice(inSentence)
  const replacements = readReplacementRequest(request, material[0] ?? goal.files.find((file) => file.type === 'document.text')?.head)
  if (!replacements || replacements.length > maxReplacements || material.length > 1) return undefined
  const named = replacements.map(({ find, replacement }) => `“${find.slice(0, 60)}” with “${replacement.slice(0, 60)}”`)
  const pairs = replacements.map(({ find, replacement }) => ({ find, replacement }))
  return readTextGoal(
    { ...request, text: material[0], quotations: material },
    { operations: ['replace'], replacements: pairs },
    `I replace ${named.join(', ')}.`,
  )
}

const wrapPattern =
  /^(?:(?:word[- ]?)?wrap|re-?wrap|break|reflow|limit|fold)(?: (?:the|all|it|lines?|words?|text))*(?: (?:lines?|length|width))?(?: (?:at|to|after|every|with|in|into|lines of))* (?:a )?(?:max(?:imum)?(?: of)? |at most |width of |line length of )?(\d{1,4})(?: ?(?:characters?|chars?|columns?|letters))?(?: (?:per line|wide|long|a line|each|width))?$/

function readWrap(request: TextRequest): ToolReading {
  const width = request.asked.length === 1 ? Number(wrapPattern.exec(request.asked[0] ?? '')?.[1]) : Number.NaN
  if (Number.isNaN(width) || request.quotations.length > 1) return undefined
  if (width < minWidth || width > maxWidth)
    return { confidence: 0.9, question: `How long may a line be? From ${minWidth} to ${maxWidth} characters.` }
  return readTextGoal(request, { operations: ['wrap'], width }, `I break the lines at ${width} characters, between words.`)
}

/** “sha256 of the text correct horse”: the rest of the line is the text, and the summary shows it. */
const unquotedDigest =
  /^(?:(?:please )?(?:compute|calculate|what(?:'s| is)|give me|get|make|generate|create|find) )?(?:the |an? )?(sha-?2?-?256|sha-?512|sha-?1|md5)(?: hash| checksum| digest| sum)? (?:of|for) (?:the )?(?:text|string|words?|phrase|pass ?phrase|password|sentence) (\S[^\n"“”`]{0,300})$/i

function readUnquotedDigest({ text, quotations, files }: ToolGoal): ToolReading {
  const [, name = '', words = ''] = unquotedDigest.exec(text.trim()) ?? []
  if (words === '' || quotations.length > 0 || files.length > 0 || /[:?]/.test(words)) return undefined
  const operation = name.toLowerCase().replaceAll('-', '').replace('sha2256', 'sha256')
  return {
    confidence: 0.9,
    query: { operations: [operation], text: words },
    summary: `I apply to the text “${words.slice(0, 120)}”: ${operation}.`,
  }
}

function readGoal(goal: ToolGoal): ToolReading {
  // The checksum of a file is of its bytes, which a change of its line ends would change.
  if (textChecksumTool.readGoal(goal)) return undefined
  const request = readTextRequest(goal)
  const digest = readUnquotedDigest(goal)
  if (digest) return digest
  // Work on lists and lines is read there with more of its options.
  if (!request || readLineGoal(goal)) return undefined
  const found = readFinding(request) ?? readUnquotedReplacement(request, goal) ?? readWrap(request)
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
  const { operations: asked, find, replacement, replacements, width } = requireData(work, type)
  const chosen =
    operations.length > 0 && Array.isArray(asked) ? asked.filter((one): one is Operation => operations.includes(one as Operation)) : []
  if (chosen.length === 0 || chosen.length > maxOperations)
    return refuse(`The query needs \`operations\`: 1 to ${maxOperations} of ${operations.join(', ')}.`)
  const text = requireMaterial(work, type)
  const pairs = pairsOf(replacements)
  const options = {
    ...(typeof find === 'string' && { find }),
    ...(typeof replacement === 'string' && { replacement }),
    ...(typeof width === 'number' && { width: Math.min(maxWidth, Math.max(minWidth, width)) }),
    replacements: pairs,
  }
  const missing = pairs.filter((one) => transformText(text, 'count', { find: one.find }) === '0').map((one) => `“${one.find}”`)
  const others = pairs.filter((one) => countAnyCase(text, one.find) > Number(transformText(text, 'count', { find: one.find })))
  const cases = others.length === 0 ? '' : `${others.map((one) => `“${one.find}”`).join(', ')} in other small or capital letters stays.\n`
  const notice = missing.length === 0 ? '' : `${missing.join(', ')} ${missing.length === 1 ? 'does' : 'do'} not occur in the text.\n`
  const result = chosen.reduce((before, operation) => transformText(before, operation, options), text)
  const short =
    result.length <= 400 ? result.trimEnd() : `The result has ${result.length.toLocaleString('en-US')} characters. The file has it.`
  const isCount = chosen.at(-1) === 'count'
  return {
    outputs: [{ name: 'result.txt', media_type: 'text/plain', artifact_type: 'text.transformed', text: result }],
    text: isCount ? `“${String(find)}” occurs ${result === '1' ? 'once' : `${result} times`}.` : `${notice}${cases}${short}`,
  }
}

const countAnyCase = (text: string, find: string): number =>
  Number(transformText(text.toLowerCase(), 'count', { find: find.toLowerCase() }))

const pairsOf = (value: Json | undefined): Replacement[] =>
  (Array.isArray(value) ? value : []).slice(0, maxReplacements).flatMap((one) => {
    const { find, replacement } = typeof one === 'object' && one !== null && !Array.isArray(one) ? one : {}
    return typeof find === 'string' && find !== '' && typeof replacement === 'string' ? [{ find, replacement }] : []
  })

export const textTransformTool: Tool = { skill, readGoal, run }
