import { maxStatementLifeMs } from '@parley/protocol'
import type { Context, Market } from '../context.ts'
import { peersForOperators } from './errors.ts'

/** How long a statement of ours holds. A peer that can't reach us for so long shows none of our agents. */
export const statementLifetimeMs = 86_400_000
/** A quarter of that: all of a registry is read anew so often, and three times in vain before anything expires. */
export const fullSyncEveryMs = statementLifetimeMs / 4
export const syncEveryMs = 60_000
const maxRetryDelayMs = 3_600_000
/** How long one reading may take before another process may begin one. */
export const syncLeaseMs = 180_000
/** Statements on a page, and bytes of them after which a page ends. */
export const pageStatements = 50
export const pageBytes = 1_048_576
/** Pages of one reading; the rest comes with the next. */
export const pagesPerSync = 20

if (statementLifetimeMs > maxStatementLifeMs) throw new Error('our own statements would be refused')

/** When a peer is read next: every minute, and less and less often where it fails. Milliseconds from now. */
export function retryDelay(failures: number): number {
  return Math.min(syncEveryMs * 2 ** Math.min(failures, 10), maxRetryDelayMs)
}

/** What is wrong with a peer as an operator names it; null where nothing is. Only these addresses are ever read. */
export function peerFault(peer: { origin: string; hubUrl: string; serverDid: string }, market: Market): string | null {
  if (peer.serverDid === market.serverDid || peer.origin === new URL(market.publicUrl).origin) return 'It is this installation itself.'
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

/** Operators, and the server's own jobs. @throws permission.denied */
export function requirePeerOperator({ actor }: Context, action: string): void {
  if (actor.kind !== 'system' && !(actor.kind === 'person' && actor.isOperator)) throw peersForOperators(action)
}
