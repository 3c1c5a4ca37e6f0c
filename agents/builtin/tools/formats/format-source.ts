/** Formats source code with Prettier, and SQL with sql-formatter. Neither runs the code. */
import { refuse } from '../../skill.ts'

export const sourceLanguages = ['javascript', 'typescript', 'css', 'scss', 'less', 'html', 'vue', 'graphql', 'sql'] as const
export type SourceLanguage = (typeof sourceLanguages)[number]
export const sqlDialects = [
  'sql',
  'mysql',
  'mariadb',
  'postgresql',
  'sqlite',
  'transactsql',
  'plsql',
  'bigquery',
  'snowflake',
  'redshift',
] as const
export type SqlDialect = (typeof sqlDialects)[number]

export type SourceStyle = {
  readonly language: SourceLanguage
  readonly dialect?: SqlDialect
  /** Blanks per level; 0 means a tab. */
  readonly indent?: number
  readonly keywords?: 'upper' | 'lower' | 'preserve'
  readonly hasSingleQuotes?: boolean
  readonly hasNoSemicolons?: boolean
}

const parsers: { readonly [language in Exclude<SourceLanguage, 'sql'>]: string } = {
  javascript: 'babel',
  typescript: 'typescript',
  css: 'css',
  scss: 'scss',
  less: 'less',
  html: 'html',
  vue: 'vue',
  graphql: 'graphql',
}

export const languageNames: { readonly [language in SourceLanguage]: string } = {
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  css: 'CSS',
  scss: 'SCSS',
  less: 'Less',
  html: 'HTML',
  vue: 'Vue',
  graphql: 'GraphQL',
  sql: 'SQL',
}

/** The most characters that are formatted at once. */
export const maxSourceCode = 100_000

/** @throws {SkillRefused} if the code has a syntax error */
export async function formatSource(text: string, style: SourceStyle): Promise<string> {
  if (text.length > maxSourceCode)
    return refuse(`I format at most ${maxSourceCode.toLocaleString('en-US')} characters at once. Send a shorter part.`)
  return style.language === 'sql' ? formatSql(text, style) : formatCode(text, style, parsers[style.language])
}

async function formatSql(text: string, { dialect = 'sql', indent = 2, keywords = 'preserve' }: SourceStyle): Promise<string> {
  const { format } = await import('sql-formatter')
  try {
    return `${format(text, { language: dialect, tabWidth: indent || 2, useTabs: indent === 0, keywordCase: keywords, linesBetweenQueries: 1 })}\n`
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : '').split('\n')
    return refuse(
      `The SQL cannot be read: ${reason.slice(0, 200).replace(/\.$/, '')}. Correct it, or name its dialect, such as PostgreSQL.`,
    )
  }
}

async function formatCode(
  text: string,
  { language, indent = 2, hasSingleQuotes, hasNoSemicolons }: SourceStyle,
  parser: string,
): Promise<string> {
  const [{ format }, ...plugins] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/babel'),
    import('prettier/plugins/estree'),
    import('prettier/plugins/typescript'),
    import('prettier/plugins/postcss'),
    import('prettier/plugins/html'),
    import('prettier/plugins/graphql'),
  ])
  try {
    return await format(text, {
      parser,
      plugins: plugins as never,
      tabWidth: indent || 2,
      useTabs: indent === 0,
      singleQuote: hasSingleQuotes === true,
      semi: hasNoSemicolons !== true,
    })
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : '').split('\n')
    const place = /\((\d+):(\d+)\)\s*$/.exec(reason)
    const where = place ? ` at line ${place[1]}, column ${place[2]}` : ''
    const what = reason
      .replace(/(?<!\s)\s*\(\d+:\d+\)\s*$/, '')
      .replace(/^\w*Error: /, '')
      .replace(/\.$/, '')
    return refuse(`The ${languageNames[language]} has a syntax error${where}: ${what.slice(0, 200)}. Correct it and ask again.`)
  }
}
