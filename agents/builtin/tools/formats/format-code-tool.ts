/** `format.code`: formats source code in JavaScript, TypeScript, CSS, HTML, SQL and others. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { formatSource, languageNames, type SourceLanguage, type SqlDialect, sourceLanguages, sqlDialects } from './format-source.ts'
import { formatResponse, formatResultType, formatToolPorts, readSourceGoal, requireSource } from './format-tool-ports.ts'
import { hasRole, isFiller, type Lexicon, type RoleWord, readWordRoles, requestWords } from './read-word-roles.ts'
import { findSourceFile, type SplitGoal, splitGoalMaterial } from './split-goal-material.ts'

const type = 'query.source_code'

const skill: ToolSkill = {
  id: 'format.code',
  name: 'Format source code',
  description:
    'Formats JavaScript, TypeScript, JSX, CSS, SCSS, Less, HTML, Vue, GraphQL and SQL of many dialects: indentation, line breaks and quotation marks. It changes no meaning, and names the place of a syntax error.',
  inputs: formatToolPorts(type, 'The code and its style.', {
    language: { enum: [...sourceLanguages] },
    dialect: { enum: [...sqlDialects], description: 'For SQL.' },
    indent: { type: 'integer', minimum: 0, maximum: 8, default: 2, description: 'Blanks per level; 0 means a tab.' },
    keywords: { enum: ['upper', 'lower', 'preserve'], description: 'The case of the keywords of SQL.' },
    single_quotes: { type: 'boolean', default: false },
    no_semicolons: { type: 'boolean', default: false },
  }),
  outputs: [{ name: 'result', type: formatResultType, description: 'The formatted code.', optional: false }],
  price: '100000',
  tags: ['format code', 'prettier', 'beautify', 'javascript', 'typescript', 'css', 'html', 'sql', 'indent'],
  samples: [
    {
      title: 'SQL',
      input: { text: 'select a from t where b=1', language: 'sql', keywords: 'upper' },
      output: 'SELECT\n  a\nFROM\n  t\nWHERE\n  b = 1',
    },
  ],
}

type Role = 'language' | 'dialect' | 'format' | 'code' | 'case' | 'keywords' | 'indent' | 'count' | 'quotes' | 'semicolons' | 'without'
const lexicon: Lexicon<Role> = {
  language: 'javascript js typescript ts jsx tsx css scss sass less html vue graphql gql sql',
  dialect: 'mysql mariadb postgres postgresql sqlite t-sql tsql transactsql pl/sql plsql oracle bigquery snowflake redshift',
  format:
    'format formatted formatting prettify prettified pretty prettyprint pretty-print prettier beautify beautified nice nicely nicer neat neatly readable tidy reformat print properly better look looks clean style formatter beautifier easier read cleanup',
  code: 'code source query queries statement statements function stylesheet component markup page style sheet class ugly minified unminify unminified one-liner rules rule selector schema',
  case: 'uppercase lowercase upper lower upper-case lower-case capital case',
  keywords: 'keywords keyword',
  indent: 'indent indented indentation indenting space spaces tab tabs width',
  count: '1 2 3 4 8 two four eight three',
  quotes: 'quotes quote',
  semicolons: 'semicolons semicolon semis',
  without: 'without no',
}

const languageOf: { readonly [word: string]: SourceLanguage } = {
  javascript: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  typescript: 'typescript',
  ts: 'typescript',
  tsx: 'typescript',
  css: 'css',
  scss: 'scss',
  less: 'less',
  html: 'html',
  vue: 'vue',
  graphql: 'graphql',
  gql: 'graphql',
  sql: 'sql',
}
const dialectOf: { readonly [word: string]: SqlDialect } = {
  mysql: 'mysql',
  mariadb: 'mariadb',
  postgres: 'postgresql',
  postgresql: 'postgresql',
  sqlite: 'sqlite',
  't-sql': 'transactsql',
  tsql: 'transactsql',
  transactsql: 'transactsql',
  plsql: 'plsql',
  oracle: 'plsql',
  bigquery: 'bigquery',
  snowflake: 'snowflake',
  redshift: 'redshift',
}
const counts: { readonly [word: string]: number } = { two: 2, three: 3, four: 4, eight: 8 }

const beginsCode =
  /^(?:select|insert|update|delete|with|create|alter|drop|const|let|var|function|class|interface|type|enum|import|export|if|for|while|async|return|query|mutation|body|html)\b|^[^\p{L}\s]|^[\w.$#-]+(?:\(|\s*[={;:])/iu

/** Code that follows the words without a mark: it begins at the first word that is none of a request. */
function splitCode(text: string): SplitGoal {
  const split = splitGoalMaterial(text)
  if (/```/.test(text) || (split.items.length === 1 && readWordRoles(split.words.replace(/\b(?:single|double)\b/gi, ' '), lexicon)))
    return split
  const words = [...text.matchAll(/\S+/g)]
  let hasLanguage = false
  for (const word of words) {
    const [plain = ''] = requestWords(word[0])
    const role = readWordRoles([plain], lexicon)
    const isRequest =
      role !== undefined &&
      /^[\p{L}\d,.:?!'’-]+$/u.test(word[0]) &&
      !(hasLanguage && /^(?:select|insert|update|delete|with|create|alter)$/.test(plain))
    if (!isRequest) {
      const code = text.slice(word.index).trim()
      return hasLanguage && beginsCode.test(code) ? { words: text.slice(0, word.index), items: [code] } : split
    }
    // "With" and "as" after the language still belong to the request.
    if (role.some((one) => one.role === 'language' || one.role === 'dialect') || (hasLanguage && isFiller(plain))) hasLanguage = true
  }
  return split
}

function languageFrom(roles: readonly RoleWord<Role>[], split: SplitGoal, fileName: string): SourceLanguage | undefined {
  const named = [...new Set(roles.flatMap(({ role, word }) => (role === 'language' ? [languageOf[word]] : [])))]
  if (named.length > 1) return undefined
  if (named[0]) return named[0]
  if (hasRole(roles, 'dialect')) return 'sql'
  const ending = /\.([a-z]{2,10})$/i.exec(fileName)?.[1]?.toLowerCase() ?? split.language ?? ''
  return Object.hasOwn(languageOf, ending) ? languageOf[ending] : undefined
}

function readGoal(goal: ToolGoal): ToolReading {
  if (goal.files.length > 1) return undefined
  const split = splitCode(goal.text)
  const file = findSourceFile(goal)
  if (split.items.length > 1 || (split.items.length > 0 && goal.files.length > 0)) return undefined
  const quotes = /\b(single|double)(?=[- ]quotes?\b)/i.exec(split.words)?.[1]?.toLowerCase()
  const roles = readWordRoles(split.words.replace(/\b(?:single|double)(?=[- ]quotes?\b)/gi, ' '), lexicon)
  if (!roles || !(hasRole(roles, 'format') || hasRole(roles, 'indent'))) return undefined
  const has = (role: Role) => hasRole(roles, role)
  const [text] = split.items
  const language = languageFrom(roles, split, file?.name ?? '')
  if (!language) {
    const isCode = has('code') && roles.some(({ word }) => word === 'code') && text !== undefined && /[{}();<>=]/.test(text)
    return isCode
      ? { confidence: 0.75, question: 'Which language is the code in? I format JavaScript, TypeScript, CSS, HTML, SQL and some others.' }
      : undefined
  }
  const cases = roles.filter(({ role }) => role === 'case').map(({ word }) => (word.startsWith('lower') ? 'lower' : 'upper'))
  const isOdd = (has('case') || has('keywords')) && (language !== 'sql' || cases.length === 0)
  if (isOdd || (has('quotes') && !quotes) || has('semicolons') !== has('without') || (has('count') && !has('indent'))) return undefined
  const counted = roles.find(({ role }) => role === 'count')?.word
  const indent = roles.some(({ word }) => /^tabs?$/.test(word))
    ? 0
    : counted === undefined
      ? undefined
      : (counts[counted] ?? Number(counted))
  const dialect = dialectOf[roles.find(({ role }) => role === 'dialect')?.word ?? '']
  const options = {
    language,
    ...(dialect && { dialect }),
    ...(indent !== undefined && { indent }),
    ...(cases[0] && { keywords: cases[0] }),
    ...(quotes === 'single' && { single_quotes: true }),
    ...(has('semicolons') && { no_semicolons: true }),
  }
  return readSourceGoal(goal, text, options, `I format the ${languageNames[language]}.`)
}

const endings: { readonly [language in SourceLanguage]: readonly [string, string] } = {
  javascript: ['js', 'text/javascript'],
  typescript: ['ts', 'text/plain'],
  css: ['css', 'text/css'],
  scss: ['scss', 'text/plain'],
  less: ['less', 'text/plain'],
  // As plain text, so that no viewer runs the page.
  html: ['html', 'text/plain'],
  vue: ['vue', 'text/plain'],
  graphql: ['graphql', 'text/plain'],
  sql: ['sql', 'text/plain'],
}

async function run(work: SkillRequest): Promise<SkillResponse> {
  const data = requireData(work, type)
  const language =
    sourceLanguages.find((one) => one === data.language) ?? refuse(`The query needs \`language\`: one of ${sourceLanguages.join(', ')}.`)
  const dialect = sqlDialects.find((one) => one === data.dialect)
  const keywords = (['upper', 'lower', 'preserve'] as const).find((one) => one === data.keywords)
  const indent = typeof data.indent === 'number' && Number.isInteger(data.indent) && data.indent >= 0 && data.indent <= 8 ? data.indent : 2
  const text = await formatSource(requireSource(work, type), {
    language,
    indent,
    ...(dialect && { dialect }),
    ...(keywords && { keywords }),
    hasSingleQuotes: data.single_quotes === true,
    hasNoSemicolons: data.no_semicolons === true,
  })
  const [ending, mediaType] = endings[language]
  return formatResponse(`Formatted ${languageNames[language]}:`, { name: `result.${ending}`, media_type: mediaType, text })
}

export const formatCodeTool: Tool = { skill, readGoal, run }
