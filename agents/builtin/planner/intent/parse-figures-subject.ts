/** Parses what a goal says about company figures: companies, metric and years. */
import type { Json } from '@parley/protocol'

export type Subject = { readonly companies: readonly string[]; readonly metric: string | undefined; readonly years: Years | undefined }
export type Years = { readonly from?: number; readonly to?: number; readonly last?: number }

const metrics: readonly { readonly words: RegExp; readonly metric: string }[] = [
  { words: /\b(?:net (?:income|profits?|earnings|loss)|profits?|earnings)\b/i, metric: 'net_income' },
  { words: /\b(?:revenues?|sales|turnover)\b/i, metric: 'revenue' },
]

const suffix = String.raw`(?:,? (?:Inc|Corp|Corporation|Ltd|plc|LLC|Holdings|Platforms)\.?)?`
const name = String.raw`([A-Z][\w&.]*(?: [A-Z][\w&]*){0,2})${suffix}`
/** Capitalised words that are not company names. */
const common =
  /^(I|The|A|An|It|Please|Give|Show|Make|Draw|Write|Compare|What|How|Which|From|Between|Since|In|And|Or|For|My|Our|We|You|Also|Annual|Total|Revenue|Net|Income|Profit|Sales|CAGR|CSV|JSON|SVG|USD|FY|Form|Report|Figure|Chart|Table|Trend|Analysis|January|February|March|April|May|June|July|August|September|October|November|December)$/

/** @param known company names from the tags of listings */
export function parseFiguresSubject(text: string, known: readonly string[]): Subject {
  return { companies: readCompanies(text, known), metric: metrics.find(({ words }) => words.test(text))?.metric, years: parseYears(text) }
}

function readCompanies(text: string, known: readonly string[]): string[] {
  const at = known
    .map((word) => ({
      word,
      at: text.search(new RegExp(`(?<![\\w-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, /^[A-Z]+$/.test(word) ? '' : 'i')),
    }))
    .filter((one) => one.at >= 0)
    .sort((a, b) => a.at - b.at)
  if (at.length > 0) return at.map((one) => one.word)
  const measure = '(?:revenues?|sales|turnover|income|profits?|earnings|figures|results)'
  const patterns = [
    new RegExp(`\\b${measure}\\b[^.;?!]{0,30}?\\b(?:of|for|at|from)\\s+(?:the )?(?:company )?${name}`, 'g'),
    new RegExp(`\\b${name}(?:['’]s|(?<=s)['’])\\s+(?:\\w+\\s+){0,2}${measure}\\b`, 'g'),
    new RegExp(`\\b${name}\\s+(?:annual\\s+|yearly\\s+|net\\s+)*${measure}\\b`, 'g'),
  ]
  for (const pattern of patterns) {
    const found = [...text.matchAll(pattern)].map((match) => match[1] ?? '').filter((word) => !common.test(word.split(' ')[0] ?? ''))
    if (found.length > 0) return [...new Set(found)].slice(0, 6)
  }
  return []
}

const year = String.raw`((?:19|20)\d\d)`

export function parseYears(text: string): Years | undefined {
  // Ranges and lists, such as “2021, 2022 and 2023”. Several of them are read as the years from the first to the last.
  const joined = String.raw`\s*(?:to|until|till|through|thru|and|&|,(?:\s*and)?|[-–—])\s*(?:FY\s*)?`
  const spans = [...text.matchAll(new RegExp(`\\b${year}(?:${joined}${year}\\b)+`, 'gi'))].flatMap(
    ([span]) => span.match(/(?:19|20)\d\d/g) ?? [],
  )
  if (spans.length > 0) return { from: Math.min(...spans.map(Number)), to: Math.max(...spans.map(Number)) }
  const last =
    /\b(?:last|past|latest|most recent)\s+(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:fiscal |financial )?years\b/i.exec(
      text,
    )
  if (last) {
    const words = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
    const spelled = words.indexOf((last[1] ?? '').toLowerCase())
    return { last: spelled >= 0 ? spelled + 2 : Number(last[1]) }
  }
  const since = new RegExp(`\\b(?:since|from|starting(?: in)?|after)\\s+(?:FY\\s*)?${year}\\b`, 'i').exec(text)
  if (since) return { from: Number(since[1]) }
  const until = new RegExp(`\\b(?:until|till|up to|through|before)\\s+(?:FY\\s*)?${year}\\b`, 'i').exec(text)
  if (until) return { to: Number(until[1]) }
  const single = new RegExp(`\\b(?:in|for|of|FY|fiscal year|year)\\s*${year}\\b`, 'i').exec(text)
  if (single) return { from: Number(single[1]), to: Number(single[1]) }
  return undefined
}

/** The value of a `query.figures` input. */
export function figuresQuery(subject: Subject): { readonly [key: string]: Json } {
  const [first] = subject.companies
  return {
    company: first ?? '',
    ...(subject.companies.length > 1 ? { companies: [...subject.companies] } : {}),
    metric: subject.metric ?? 'revenue',
    ...subject.years,
  }
}
