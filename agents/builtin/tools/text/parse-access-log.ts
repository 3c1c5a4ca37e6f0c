/** Parses the access logs of web servers: the common and the combined format of Apache and nginx. */

export type AccessEntry = {
  readonly ip: string
  /** As written: `11/Jun/2025:22:01:13 +0000`. */
  readonly time: string
  readonly method: string
  /** Without the part after a question mark. */
  readonly path: string
  readonly status: string
  readonly bytes: number
  readonly referrer: string
  readonly agent: string
}

export type AccessLog = {
  readonly entries: readonly AccessEntry[]
  /** Lines of another form. */
  readonly otherLines: number
}

const inMarks = '"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"'
/** A virtual host may stand before the address. */
const line = new RegExp(
  `^(?:[\\w.-]+:\\d{1,5} )?(\\S+) \\S+ \\S+ \\[(\\d{2}/[A-Z][a-z]{2}/\\d{4}:\\d{2}:\\d{2}:\\d{2} [-+]\\d{4})\\] ${inMarks} (\\d{3}) (\\d+|-)(?: ${inMarks} ${inMarks})?`,
)

function parseEntry(text: string): AccessEntry | undefined {
  const match = line.exec(text)
  if (!match) return undefined
  const [, ip = '', time = '', request = '', status = '', bytes = '', referrer = '', agent = ''] = match
  const [method = '', target = ''] = request.split(' ')
  return { ip, time, method, path: target.replace(/[?#].*$/s, '') || '-', status, bytes: Number(bytes) || 0, referrer, agent }
}

export function parseAccessLog(text: string): AccessLog {
  const lines = text.split(/\r\n?|\n/).filter((one) => one.trim() !== '')
  const entries = lines.flatMap((one) => parseEntry(one) ?? [])
  return { entries, otherLines: lines.length - entries.length }
}

/** True if most lines of the beginning are of such a log. The last line may be cut off. */
export function isAccessLog(head: string): boolean {
  const { entries, otherLines } = parseAccessLog(head.slice(0, 16_384))
  return entries.length > 0 && entries.length * 2 >= otherLines
}

/** The dates that the entries are of, in order. */
export const datesOf = (entries: readonly AccessEntry[]): string[] => [...new Set(entries.map(({ time }) => time.slice(0, 11)))]
