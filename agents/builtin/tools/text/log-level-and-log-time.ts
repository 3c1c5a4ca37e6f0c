/** The level and the time stamp of a line of a log. */

export const lineLevels = ['TRACE', 'DEBUG', 'INFO', 'NOTICE', 'WARN', 'ERROR', 'CRITICAL', 'FATAL'] as const
export type LineLevel = (typeof lineLevels)[number]

const spellings = 'trace|debug|information|info|notice|warning|warn|error|err|critical|crit|severe|fatal|emerg|panic'
const named: { readonly [spelling: string]: LineLevel } = {
  information: 'INFO',
  warning: 'WARN',
  err: 'ERROR',
  crit: 'CRITICAL',
  severe: 'ERROR',
  emerg: 'FATAL',
  panic: 'FATAL',
}

/** In order: a field, capital letters, the word after a time stamp, and a word in brackets or before a colon. */
const levelPatterns = [
  new RegExp(`\\b(?:log_?)?(?:level|lvl|severity)["']?\\s?[=:]\\s?["']?(${spellings})\\b`, 'i'),
  new RegExp(`(?<![\\p{L}\\p{N}_])(${spellings.toUpperCase()})(?![\\p{L}\\p{N}_])`, 'u'),
  new RegExp(`^[\\d:.,/+\\-TZ[\\]]{4,40}(?: [\\d:.,/+\\-TZ[\\]]{2,40})? (${spellings})\\b`, 'i'),
  new RegExp(`(?:[[<(](${spellings})[\\])>]|^(${spellings}):)`, 'i'),
]

/** The level of a word such as `warnings`. */
export function levelNamed(word: string): LineLevel | undefined {
  const plain = word.toLowerCase()
  const one = [plain, plain.replace(/s$/, '')].find((form) => spellings.split('|').includes(form))
  return one === undefined ? undefined : (named[one] ?? lineLevels.find((level) => level.toLowerCase() === one))
}

export function logLevelOf(line: string): LineLevel | undefined {
  for (const pattern of levelPatterns) {
    const match = pattern.exec(line)
    if (match) return levelNamed(match[1] ?? match[2] ?? '')
  }
  return undefined
}

export type LineTime = {
  /** The date as the line writes it; undefined for a time alone. */
  readonly day: string | undefined
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const clock = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?!\\d))?(?:[.,]\\d{1,9})?(?: ?([ap]m)\\b)?'
const timePatterns = [
  new RegExp(`(?<!\\d)(\\d{4}[-/.]\\d{2}[-/.]\\d{2})[T ,_]{1,2}${clock}`, 'i'),
  /(?<!\d)(\d{1,2}\/[A-Z][a-z]{2}\/\d{4}):(\d{2}):(\d{2}):(\d{2})()/,
  new RegExp(`(?<!\\d)(\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4})[T ,]{1,2}${clock}`, 'i'),
  new RegExp(`\\b([A-Z][a-z]{2} {1,2}\\d{1,2}(?:,? \\d{4})?),? ${clock}`),
  new RegExp(`(?<![\\d:.])()${clock}(?![\\d:])`, 'i'),
]
const dayPattern = /(?<![\d.])(\d{4}[-/.]\d{2}[-/.]\d{2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}\/[A-Z][a-z]{2}\/\d{4})(?!\d)/

/** The first time stamp of a line. */
export function logTimeOf(line: string): LineTime | undefined {
  for (const pattern of timePatterns) {
    const match = pattern.exec(line)
    if (!match) continue
    const [, day, hours, minutes, seconds, half] = match
    const hourNumber = Number(hours)
    const hour = half ? (hourNumber % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : hourNumber
    if (hour < 24 && Number(minutes) < 60) return { day: day || undefined, hour, minute: Number(minutes), second: Number(seconds ?? 0) }
  }
  return undefined
}

/** The first date of a line, as it is written. */
export const dayOf = (line: string): string | undefined => logTimeOf(line)?.day ?? dayPattern.exec(line)?.[1]
