import { maxStatementLifeMs } from '@parley/protocol'
import type { Market } from '../context.ts'

/** How long our statements are valid. A peer that cannot reach us for this long hides our agents. */
export const statementLifetimeMs = 86_400_000
/** A quarter of that: three full synchronizations may fail before a statement expires. */
export const fullSyncEveryMs = statementLifetimeMs / 4
export const syncEveryMs = 60_000
const maxRetryDelayMs = 3_600_000
/** The lease of one synchronization. After it another process may start one. */
export const syncLeaseMs = 180_000
/** The maximum number of statements on a page, and the size in bytes at which a page ends. */
export const pageStatements = 50
export const pageBytes = 1_048_576
/** The maximum number of pages per synchronization. */
export const pagesPerSync = 20

if (statementLifetimeMs > maxStatementLifeMs) throw new Error('our own statements would be refused')

/** The delay until the next synchronization, with exponential back-off after failures. Milliseconds. */
export function retryDelay(failures: number): number {
  return Math.min(syncEveryMs * 2 ** Math.min(failures, 10), maxRetryDelayMs)
}

/** Why an operator may not add this peer, in one sentence; null if valid. The server requests only these addresses. */
export function peerFault(peer: { origin: string; hubUrl: string; serverDid: string }, market: Market): string | null {
  if (peer.serverDid === market.serverDid || peer.origin === new URL(market.publicUrl).origin) return 'It is this market.'
  for (const address of [peer.origin, peer.hubUrl]) {
    if (!URL.canParse(address) || new URL(address).origin !== address) return `${address} is not an origin as a browser writes it.`
    const { protocol, hostname } = new URL(address)
    if (protocol !== 'https:' && !(market.isLocalChain && isLoopback(hostname))) return `${address} is not read over https.`
  }
  return null
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}
