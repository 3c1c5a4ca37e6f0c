import type { Json } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import type { Subject } from './parse-figures-subject.ts'

const maxNamed = 12

/**
 * Why no agent online has the figures, by what the listings promise: their tags name companies, and their schemas the years. Undefined
 * if one may have them. An agent whose listing promises nothing may have everything.
 */
export function explainNoAgentHasFigures({ companies, years }: Subject, offers: readonly SkillOffer[]): string | undefined {
  const promises = offers.flatMap(({ skill }) =>
    skill.inputs
      .filter((port) => port.type === 'query.figures')
      .map((port) => ({ names: skill.tags.filter((tag) => /^[A-Z]/.test(tag)), ...yearsOf(port.schema) })),
  )
  if (promises.length === 0 || promises.some(({ names }) => names.length === 0)) return undefined
  const known = [...new Set(promises.flatMap(({ names }) => names))]
  const unknown = companies.filter((company) => !known.some((name) => isSameName(name, company)))
  if (unknown.length > 0)
    return `No agent online has figures of ${formatList(unknown)}. There are figures of ${formatList(known.slice(0, maxNamed))}.`
  if (promises.some(({ first, last }) => first === undefined || last === undefined)) return undefined
  const first = Math.min(...promises.map((one) => one.first ?? 0))
  const last = Math.max(...promises.map((one) => one.last ?? 0))
  const isBeyond = (year: number | undefined) => year !== undefined && (year < first || year > last)
  return isBeyond(years?.from) || isBeyond(years?.to) ? `The agents online have figures of ${first} to ${last} only.` : undefined
}

const isSameName = (a: string, b: string): boolean => bare(a) === bare(b)
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[.,]/g, '')
    .replace(/ (?:inc|corp|corporation|ltd|plc|llc|holdings|platforms|company|co)$/, '')
    .trim()

function yearsOf(schema: { readonly [key: string]: Json } | undefined): { readonly first?: number; readonly last?: number } {
  const properties = schema?.properties as { from?: { minimum?: Json }; to?: { maximum?: Json } } | undefined
  const [first, last] = [properties?.from?.minimum, properties?.to?.maximum]
  return { ...(typeof first === 'number' && { first }), ...(typeof last === 'number' && { last }) }
}
