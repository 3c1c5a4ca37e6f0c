/**
 * Gives the listings of an index the vectors of an embedder outside of it. All processes share the vectors through the database, so that
 * each text is embedded once. Meanwhile the listings are found by their words.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { openSearchConnection, type SearchConnection } from '../../db/search-connection.ts'
import type { SourceListing } from '../index/index-record.ts'
import type { TextEmbedder } from '../meaning/embedder.ts'
import type { Engine } from './index-engine.ts'
import { type MarketFacts, readListingsForIndex } from './read-listings-for-index.ts'

export type ListingEmbedderOptions = {
  readonly url: string
  readonly market: MarketFacts
  readonly engine: Engine
  readonly embedder: TextEmbedder
  /** Called with the reason when the endpoint or the database fails. */
  report(message: string): void
}
export type ListingEmbedder = { close(): Promise<void> }

const listingsPerStep = 64
const pollMs = 400
const minRetryMs = 2_000
const maxRetryMs = 300_000
/** One process at a time asks the endpoint. The others read what it stores. */
const lockKey = 7_316_204

export function startListingEmbedder(options: ListingEmbedderOptions): ListingEmbedder {
  const stopped = new AbortController()
  const running = run(options, stopped.signal)
  return {
    async close() {
      stopped.abort()
      await running
    },
  }
}

async function run(options: ListingEmbedderOptions, stop: AbortSignal): Promise<void> {
  let retryMs = minRetryMs
  while (!stop.aborted) {
    let connection: SearchConnection | null = null
    try {
      connection = await openSearchConnection(options.url, () => undefined)
      while (!stop.aborted) {
        const isDone = await embedSome(options, connection)
        retryMs = minRetryMs
        if (isDone) await pause(pollMs, undefined, { signal: stop, ref: false })
      }
    } catch (error) {
      if (!stop.aborted) {
        options.report(String(error))
        await pause(retryMs, undefined, { signal: stop, ref: false }).catch(() => undefined)
        retryMs = Math.min(maxRetryMs, 2 * retryMs)
      }
    }
    await connection?.close()
  }
}

type StoredVector = { readonly agentId: string; readonly hash: string; readonly scale: number; readonly values: Buffer }

/** Embeds some listings without a vector. True if there are none, or another process embeds them. */
async function embedSome({ engine, embedder, market }: ListingEmbedderOptions, connection: SearchConnection): Promise<boolean> {
  const ids = engine.withoutVector(listingsPerStep)
  if (ids.length === 0) return true
  const listings = (await readListingsForIndex(connection, market, ids)).flatMap(({ listing }) =>
    listing ? [{ listing, ...textOf(listing) }] : [],
  )
  const missing = async () => {
    const stored = await connection.query<StoredVector>(
      `select "agentId", "hash", "scale", "values" from "listing_vector" where "model" = $1 and "agentId" = any($2::text[])`,
      [embedder.model, ids],
    )
    const vectors = new Map(stored.map((one) => [`${one.agentId} ${one.hash}`, toVector(one)]))
    return listings.filter(({ listing, hash }) => {
      const vector = vectors.get(`${listing.agentId} ${hash}`)
      if (vector) engine.setVector(listing, vector)
      return vector === undefined
    })
  }
  if ((await missing()).length === 0) return false
  const [lock] = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
  if (!lock?.taken) return true
  try {
    const left = await missing()
    const vectors = await embedder.embedTexts(left.map(({ text }) => text))
    for (const [at, { listing, hash }] of left.entries()) {
      const vector = vectors[at] as Float32Array
      await storeVector(connection, { agentId: listing.agentId, hash, ...toBytes(vector) }, embedder.model)
      engine.setVector(listing, vector)
    }
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [lockKey])
  }
  return false
}

function textOf({ name, summary, skills }: SourceListing): { text: string; hash: string } {
  const text = [name, summary, ...skills.map((skill) => `${skill.name}: ${skill.description} ${skill.tags.join(', ')}`)].join('\n')
  return { text, hash: createHash('sha256').update(text).digest('hex') }
}

async function storeVector(connection: SearchConnection, { agentId, hash, scale, values }: StoredVector, model: string): Promise<void> {
  await connection.query(
    `insert into "listing_vector" ("agentId", "model", "hash", "scale", "values") values ($1, $2, $3, $4, $5)
     on conflict ("agentId", "model") do update set "hash" = excluded."hash", "scale" = excluded."scale", "values" = excluded."values"`,
    [agentId, model, hash, scale, values],
  )
}

function toBytes(vector: Float32Array): { readonly scale: number; readonly values: Buffer } {
  const max = vector.reduce((sofar, value) => Math.max(sofar, Math.abs(value)), 1e-9)
  return { scale: max / 127, values: Buffer.from(Int8Array.from(vector, (value) => Math.round((value * 127) / max)).buffer) }
}

function toVector({ scale, values }: StoredVector): Float32Array {
  return Float32Array.from(new Int8Array(values), (value) => value * scale)
}
