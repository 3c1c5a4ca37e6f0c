import { type Fault, lookAt } from '../edge/oracles.ts'
import { ask, type Request } from '../ground/http.ts'
import { hubRequest, type Place, webRequest } from '../operations/operations.ts'
import { sourceHeaders } from './header-names-in-source.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

/** Within the limit of a request's head. */
const length = 12_000
/** Processor time of the main thread that a long header may cost more than a short one. */
const maxExcessMs = 60
/** Servers and frameworks read them, whether or not the source names them. */
const standard = [
  'user-agent',
  'accept',
  'accept-language',
  'accept-encoding',
  'cookie',
  'referer',
  'if-none-match',
  'range',
  'cache-control',
]
const pieces = [
  'a',
  'a-',
  '-',
  '0',
  ' ',
  '\t',
  ',',
  ', ',
  ';',
  'a;',
  'a=',
  'a=a; ',
  '"',
  '(',
  '/',
  'a/',
  'bytes=0-,',
  'en;q=0.1,',
  'W/"",',
  '%',
]

type Entry = { readonly process: 'web' | 'hub'; readonly name: string; make(): Request }

/** A long header costs about as much as a short one, in all processes. */
async function weighHeaders(place: Place): Promise<Fault[]> {
  const entries: Entry[] = [
    { process: 'web', name: 'page', make: () => webRequest(place, 'anonymous', 'GET', '/api/health') },
    { process: 'hub', name: 'route', make: () => hubRequest(place, 'anonymous', 'GET', '/v1/unknown') },
  ]
  const faults: Fault[] = []
  for (const entry of entries)
    for (const header of new Set([...standard, ...sourceHeaders()])) {
      const plain = await costOf(
        place,
        entry,
        pieces.map(() => ({ [header]: 'a' })),
      )
      const cost = await costOf(
        place,
        entry,
        pieces.map((piece) => ({ [header]: long(piece) })),
      )
      if (cost > plain + maxExcessMs) faults.push(...(await weighSingly(place, entry, header)))
    }
  return faults.slice(0, 10)
}

const long = (piece: string) => `x${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}x`

/** The lowest cost of three: other work may fall into one. */
async function weighSingly(place: Place, entry: Entry, header: string): Promise<Fault[]> {
  for (const piece of pieces) {
    let lowest = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 3 && lowest > maxExcessMs; tries++) {
      const plain = await costOf(place, entry, [{ [header]: 'a' }])
      lowest = Math.min(lowest, (await costOf(place, entry, [{ [header]: long(piece) }])) - plain)
    }
    if (lowest > maxExcessMs) {
      const detail = `${length} characters of ${JSON.stringify(piece)} took ${Math.round(lowest)} ms more`
      return [fault('a header costs as much as its length', `${entry.process}: ${header}`, detail)]
    }
  }
  return []
}

/** Processor time of the main thread for these requests, one after the other. */
async function costOf(place: Place, { process, make }: Entry, headers: readonly Readonly<Record<string, string>>[]): Promise<number> {
  const before = await lookAt(place.installation)
  for (const own of headers) {
    const request = make()
    await ask({ ...request, headers: { ...request.headers, ...own } })
  }
  const after = await lookAt(place.installation)
  return after[process].workedMs - before[process].workedMs
}

export const costlyHeaders: Attack = { name: 'costly headers', run: weighHeaders }
