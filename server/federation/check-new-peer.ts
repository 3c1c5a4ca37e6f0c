import type { Market } from '../context.ts'

/** Why an operator may not add this peer, in one sentence; null if valid. The server requests only these addresses. */
export function checkNewPeer(peer: { origin: string; hubUrl: string; serverDid: string }, market: Market): string | null {
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
