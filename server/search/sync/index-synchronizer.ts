/**
 * Keeps an index in step with PostgreSQL: a first load, the changes since (read-your-writes), heartbeats, and a slow comparison of
 * everything. Between processes this is eventual consistency.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { openSearchConnection, type SearchConnection } from '../../db/search-connection.ts'
import { type ChangedIds, type ChangeFeed, changesKeptMs, createChangeFeed, deleteOldChanges } from './change-feed.ts'
import { createIndexEngine, type Engine } from './index-engine.ts'
import { createListingRecordSource, type ListingRecordSource } from './listing-record-source.ts'
import { type MarketFacts, readHeartbeats, readListingsForIndex, readPresences, readStandings } from './read-listings-for-index.ts'

/** Without queries, changes are read at this interval: a listing is searchable on every process within it. */
const pollMs = 400
const heartbeatsEveryMs = 10_000
/** Heartbeats this much older than the newest one may have been written after it, by a hub whose clock is behind. */
const clockToleranceMs = 30_000
const retryMs = 500
/** Listings per step of the comparison, and the pause between two steps. */
const comparedPerStep = 500
const compareEveryMs = 2_000
const idsPerRead = 500
/** Records of a load between which queries are answered. */
const recordsPerTurn = 50
/** Read-your-writes: how long a query waits for the newest changes. After it, the index answers as it is. */
const maxWaitMs = 250

const noIds: ChangedIds = { listing: [], standing: [], presence: [] }

export type SyncEvent =
  | { readonly event: 'loaded'; readonly listings: number; readonly ms: number; readonly reason: LoadReason }
  | { readonly event: 'connection_lost'; readonly message: string }
  | { readonly event: 'damaged'; readonly message: string }
  | { readonly event: 'repaired'; readonly listings: number }
export type LoadReason = 'start' | 'damaged' | 'behind'
export type SyncOptions = {
  readonly url: string
  readonly market: MarketFacts
  /** A new one if omitted. */
  readonly engine?: Engine
  /** Where a load reads all listings. If omitted, the calling thread reads and prepares them. */
  readonly source?: ListingRecordSource
  report(event: SyncEvent): void
}

export type IndexSynchronizer = {
  readonly engine: Engine
  /** Resolves when all changes that were committed before the call are in the index, or after a time limit. */
  catchUp(): Promise<void>
  /** Milliseconds since the index was last known to have all changes; null before the first load. */
  ageMs(): number | null
  /** Builds the index again. The old one answers meanwhile. */
  rebuild(message: string): void
  close(): Promise<void>
}

/** The connections of one index synchronizer. `changes` is for short reads, so that no query waits for a long one. */
type Sync = SyncOptions & {
  readonly engine: Engine
  readonly source: ListingRecordSource
  changes: SearchConnection | null
  feed: ChangeFeed | null
  /** When the feed last gave all changes, in milliseconds of `performance.now()`. */
  currentAt: number
  reading: Promise<void> | null
  /** A read that starts when the current one ends, for callers that came after its start. */
  following: Promise<void> | null
  reload: LoadReason | null
  newestHeartbeat: number
  /** Where the comparison stands, and what it found to be read again. */
  place: string
  compared: ChangedIds
  isClosed: boolean
  readonly stopped: PromiseWithResolvers<void>
}

export function startIndexSynchronizer(options: SyncOptions): IndexSynchronizer {
  const engine = options.engine ?? createIndexEngine()
  const sync: Sync = {
    ...options,
    engine,
    source: options.source ?? createListingRecordSource(options.url, options.market, engine.toRecord),
    ...{ changes: null, feed: null, currentAt: 0, reading: null, following: null },
    ...{ reload: 'start', newestHeartbeat: 0, place: '', compared: noIds, isClosed: false },
    stopped: Promise.withResolvers<void>(),
  }
  const running = run(sync)
  return {
    engine: sync.engine,
    async catchUp() {
      const limit = pause(maxWaitMs, undefined, { ref: false })
      await Promise.race([readChanges(sync).catch(() => undefined), limit])
    },
    ageMs: () => (sync.engine.isReady() ? Math.max(0, performance.now() - sync.currentAt) : null),
    rebuild: (message) => markDamaged(sync, message),
    async close() {
      sync.isClosed = true
      sync.stopped.resolve()
      await running
    },
  }
}

function markDamaged(sync: Sync, message: string): void {
  if (sync.reload !== null) return
  sync.reload = 'damaged'
  sync.report({ event: 'damaged', message })
}

/** Opens connections until the end. A lost connection ends all work on it. */
async function run(sync: Sync): Promise<void> {
  while (!sync.isClosed) {
    const lost = Promise.withResolvers<never>()
    lost.promise.catch(() => undefined)
    const connections: SearchConnection[] = []
    const ended = new AbortController()
    try {
      for (let i = 0; i < 2; i++) connections.push(await openSearchConnection(sync.url, lost.reject))
      const [changes, bulk] = connections as [SearchConnection, SearchConnection]
      sync.changes = changes
      if (performance.now() - sync.currentAt > changesKeptMs / 2 && sync.reload === null) sync.reload = 'behind'
      await Promise.race([work(sync, bulk, ended.signal), lost.promise, sync.stopped.promise])
    } catch (error) {
      sync.report({ event: 'connection_lost', message: String(error) })
    }
    sync.changes = null
    ended.abort()
    await Promise.all(connections.map((one) => one.close()))
    if (!sync.isClosed) await Promise.race([pause(retryMs), sync.stopped.promise])
  }
}

/** Runs the timed work of one connection. */
async function work(sync: Sync, bulk: SearchConnection, signal: AbortSignal): Promise<void> {
  const due = { heartbeats: 0, comparison: performance.now() + compareEveryMs, cleaning: 0 }
  while (!sync.isClosed) {
    if (sync.reload !== null) await load(sync, sync.reload, signal)
    await readChanges(sync)
    const now = performance.now()
    if (now >= due.heartbeats) {
      due.heartbeats = now + heartbeatsEveryMs
      await applyHeartbeats(sync, bulk)
    }
    if (now >= due.comparison) {
      due.comparison = now + compareEveryMs
      await compareSome(sync, bulk)
    }
    if (now >= due.cleaning) {
      due.cleaning = now + changesKeptMs / 10
      await deleteOldChanges(bulk)
    }
    while (!sync.isClosed && sync.engine.compact()) await turn()
    await Promise.race([pause(pollMs, undefined, { ref: false }), sync.stopped.promise])
  }
}

async function load(sync: Sync, reason: LoadReason, signal: AbortSignal): Promise<void> {
  const begun = performance.now()
  const { xmin, chunks, standings } = await sync.source(signal)
  const loader = sync.engine.load()
  for await (const records of chunks)
    for (const [position, record] of records.entries()) {
      loader.put(record)
      if (record.presence.seenAt) sync.newestHeartbeat = Math.max(sync.newestHeartbeat, record.presence.seenAt)
      if (position % recordsPerTurn === 0) await turn()
    }
  for (const [agentId, standing] of await standings()) loader.setStanding(agentId, standing)
  signal.throwIfAborted()
  for (const _ of loader.finish()) await turn()
  sync.feed = createChangeFeed(xmin)
  ;[sync.reload, sync.currentAt, sync.place] = [null, begun, '']
  sync.report({ event: 'loaded', listings: sync.engine.size(), ms: Math.round(performance.now() - begun), reason })
}

/** Applies the changes that were committed before the call. Callers at the same time share one read. */
function readChanges(sync: Sync): Promise<void> {
  if (sync.reading === null) {
    sync.reading = applyChanges(sync).finally(() => {
      sync.reading = null
    })
    return sync.reading
  }
  sync.following ??= sync.reading
    .catch(() => undefined)
    .then(() => {
      sync.following = null
      return readChanges(sync)
    })
  return sync.following
}

async function applyChanges(sync: Sync): Promise<void> {
  const { changes, feed } = sync
  if (changes === null || feed === null) return
  const begun = performance.now()
  const ids = await feed.read(changes)
  const also = sync.compared
  sync.compared = noIds
  await applyIds(sync, changes, {
    listing: [...new Set([...ids.listing, ...also.listing])],
    standing: [...new Set([...ids.standing, ...also.standing])],
    presence: [...new Set([...ids.presence, ...also.presence])],
  })
  // A reload in the meantime has its own feed.
  if (sync.feed === feed) sync.currentAt = begun
}

async function applyIds({ engine, market }: Sync, connection: SearchConnection, ids: ChangedIds): Promise<void> {
  for (const some of chunksOf(ids.listing)) {
    const found = await readListingsForIndex(connection, market, some)
    const known = new Map(found.map(({ agentId, listing }) => [agentId, listing]))
    for (const [position, agentId] of some.entries()) {
      const listing = known.get(agentId)
      if (listing) engine.put(listing)
      else engine.remove(agentId)
      if (position % 20 === 19) await turn()
    }
  }
  for (const some of chunksOf(ids.standing))
    for (const [agentId, standing] of await readStandings(connection, some)) engine.setStanding(agentId, standing)
  for (const some of chunksOf(ids.presence))
    for (const { agentId, ...presence } of await readPresences(connection, some)) engine.setPresence(agentId, presence)
}

function chunksOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / idsPerRead) }, (_, index) => ids.slice(index * idsPerRead, (index + 1) * idsPerRead))
}

async function applyHeartbeats(sync: Sync, bulk: SearchConnection): Promise<void> {
  const since = sync.newestHeartbeat - clockToleranceMs
  for await (const rows of readHeartbeats(bulk, since)) {
    for (const { agentId, seenAt } of rows) {
      sync.engine.markSeen(agentId, seenAt)
      sync.newestHeartbeat = Math.max(sync.newestHeartbeat, seenAt)
    }
    await turn()
  }
}

type Stamp = { readonly agentId: string; readonly stamp: string }
const stampsSql = `select "agentId", xmin::text as "stamp" from "listing" where "withdrawnAt" is null`

/** Anti-entropy: compares some listings with the database, in the order of their ids, and starts again after the last. */
async function compareSome(sync: Sync, bulk: SearchConnection): Promise<void> {
  const { engine } = sync
  const [after, limit] = [sync.place, comparedPerStep]
  const rows = await bulk.query<Stamp>(`${stampsSql} and "agentId" > $1 order by "agentId" limit $2`, [after, limit])
  if (rows.some((row) => !engine.isIntact(row.agentId))) return markDamaged(sync, 'The terms of a listing are not those that were written.')
  const last = rows.length < limit ? null : (rows.at(-1)?.agentId ?? null)
  sync.place = last ?? ''
  const stored = rows.map((row) => row.agentId)
  const isStored = new Set(stored)
  const extra = engine.ids().filter((id) => id > after && (last === null || id <= last) && !isStored.has(id))
  const missed = [...(await findMissed(sync, bulk, rows)), ...extra]
  // The feed's connection reads them, so that no older version of a row replaces a newer one.
  sync.compared = { listing: missed, standing: stored, presence: stored }
  await readChanges(sync)
  if (missed.length > 0) sync.report({ event: 'repaired', listings: missed.length })
}

/** The listings that differ, although the index has all changes and the database has not changed them meanwhile. */
async function findMissed(sync: Sync, bulk: SearchConnection, rows: readonly Stamp[]): Promise<string[]> {
  const isDifferent = (row: Stamp) => sync.engine.stampOf(row.agentId) !== row.stamp
  if (!rows.some(isDifferent)) return []
  await readChanges(sync)
  const differing = rows.filter(isDifferent)
  const again = await bulk.query<Stamp>(`${stampsSql} and "agentId" = any($1::text[])`, [differing.map((row) => row.agentId)])
  const stampOf = new Map(differing.map((row) => [row.agentId, row.stamp]))
  return again.filter((row) => stampOf.get(row.agentId) === row.stamp).map((row) => row.agentId)
}
