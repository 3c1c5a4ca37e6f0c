/** Pagination cursors of searches. They contain what the ranking depended on, so that later pages rank unchanged listings as the first page did. */
import { hashText } from '../text/minhash-signature.ts'
import { weightSteps } from './score-text.ts'
import { CursorProblem, type SearchQuery, type Sort, searchSorts } from './search-query.ts'

/** `rescored`: listings with at least this key by estimates were compared exactly; null if there were no estimates. `after`: the place behind which the page starts. `shown`: the first results, by `shortIdOf`. */
export type Place = {
  readonly now: number
  readonly prior: number
  readonly weights: readonly number[]
  readonly shown: readonly number[]
  readonly rescored: number | null
  readonly after: { readonly key: number | bigint; readonly agentId: string } | null
}

const version = 2
export const maxShown = 10
const maxWords = 24
/** Everything before the weights of the words. */
const headBytes = 26

export function writeSearchCursor(query: SearchQuery, { now, prior, weights, shown, rescored, after }: Place): string {
  const bytes = Buffer.alloc(headBytes + 2 * weights.length + 5 * shown.length + (after ? 24 : 0))
  bytes.writeUInt8(version, 0)
  bytes.writeUInt8(searchSorts.indexOf(query.sort) | (after ? 128 : 0), 1)
  bytes.writeUInt32BE(digestOf(query), 2)
  bytes.writeUIntBE(now, 6, 6)
  bytes.writeFloatBE(prior, 12)
  bytes.writeUInt8(weights.length, 16)
  bytes.writeUInt8(shown.length, 17)
  let at = bytes.writeDoubleBE(rescored ?? Number.NaN, 18)
  for (const weight of weights) at = bytes.writeUInt16BE(Math.round(weight * weightSteps), at)
  for (const id of shown) at = bytes.writeUIntBE(id, at, 5)
  if (after) {
    at = typeof after.key === 'bigint' ? bytes.writeBigInt64BE(after.key, at) : bytes.writeDoubleBE(after.key, at)
    bytes.write(after.agentId.slice(4), at, 'hex')
  }
  return bytes.toString('base64url')
}

/** @throws {CursorProblem} if it was not made for this query */
export function readSearchCursor(query: SearchQuery, text: string): Place {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < headBytes || bytes.readUInt8(0) !== version || bytes.toString('base64url') !== text) throw new CursorProblem()
  const flags = bytes.readUInt8(1)
  const sort: Sort | undefined = searchSorts[flags & 127]
  const [words, shown, hasPlace] = [bytes.readUInt8(16), bytes.readUInt8(17), (flags & 128) !== 0]
  const prior = bytes.readFloatBE(12)
  if (sort !== query.sort || bytes.readUInt32BE(2) !== digestOf(query)) throw new CursorProblem()
  if (words > maxWords || shown > maxShown || bytes.length !== headBytes + 2 * words + 5 * shown + (hasPlace ? 24 : 0))
    throw new CursorProblem()
  const place = bytes.length - 24
  const rescored = bytes.readDoubleBE(18)
  const key = !hasPlace ? 0 : sort === 'price' ? bytes.readBigInt64BE(place) : bytes.readDoubleBE(place)
  if (!Number.isFinite(prior) || (typeof key === 'number' && !Number.isFinite(key))) throw new CursorProblem()
  return {
    now: bytes.readUIntBE(6, 6),
    prior,
    weights: Array.from({ length: words }, (_, index) => bytes.readUInt16BE(headBytes + 2 * index) / weightSteps),
    shown: Array.from({ length: shown }, (_, index) => bytes.readUIntBE(headBytes + 2 * words + 5 * index, 5)),
    rescored: Number.isNaN(rescored) ? null : rescored,
    after: hasPlace ? { key, agentId: `agt_${bytes.toString('hex', place + 8)}` } : null,
  }
}

/** All that the results depend on, but page and time. */
function digestOf({ text, sort, limit: _limit, after: _after, terms: _terms, vector: _vector, ...filters }: SearchQuery): number {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  given.sort(([a], [b]) => (a < b ? -1 : 1))
  return hashText(JSON.stringify([text?.trim() ?? '', sort, given], (_, value) => (typeof value === 'bigint' ? value.toString() : value)))
}
