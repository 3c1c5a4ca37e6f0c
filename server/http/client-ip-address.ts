/**
 * The address of the client, for web and hub. Only proxies that the operator has named are trusted about it; every other forwarding
 * header is the client's own claim.
 */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]
/** The proxies whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = readonly Range[]

const namedRanges: { readonly [name: string]: readonly string[] } = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** A provider gives one customer a /64, so its addresses count as one client. */
const clientPrefixBits = 64
/** The largest prefix that a provider gives one customer: 65,536 of the above. */
const networkPrefixBits = 48
/** A longer chain of proxies is an attack. */
const maxForwardedEntries = 32

/**
 * Parses a comma-separated list of addresses, CIDR ranges and the names `loopback`, `linklocal` and `uniquelocal`.
 * @throws {TypeError} that names the invalid entry
 */
export function parseTrustedProxies(text: string): TrustedProxies {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  return entries.flatMap((entry) => (namedRanges[entry] ?? [entry]).map(parseRange))
}

function parseRange(entry: string): Range {
  try {
    if (parseAddress(entry.replace(/\/\d+$/, '')) === null) throw new TypeError(entry)
    if (entry.includes('/')) return ipaddr.parseCIDR(entry)
    const address = ipaddr.parse(entry)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    throw new TypeError(`${JSON.stringify(entry)} is not an address, a CIDR range, loopback, linklocal or uniquelocal`)
  }
}

/** The client's address: the peer of the socket, or the address that the trusted proxies forwarded, read from the right. */
export function clientIpAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>, trusted: TrustedProxies): string {
  let client = parseAddress(request.socket.remoteAddress ?? '')
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',')
  const entries = forwarded === '' ? [] : forwarded.split(',').slice(-maxForwardedEntries)
  for (let place = entries.length - 1; client !== null && isTrusted(client, trusted) && place >= 0; place--) {
    const named = parseAddress(entries[place] ?? '')
    // A proxy without a forwarded address is itself the last known client.
    if (named === null) break
    client = named
  }
  return client?.toString() ?? ''
}

/** The rate limit key of a client: its IPv4 address, or the /64 of its IPv6 address. */
export function rateSource(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === null) return ''
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, clientPrefixBits / 16)
  return `${prefix.map((part) => part.toString(16)).join(':')}::/${clientPrefixBits}`
}

/** The /48 around an IPv6 key; null for IPv4. */
export function rateNetwork(source: string): string | null {
  if (!source.endsWith(`::/${clientPrefixBits}`)) return null
  return `${source
    .split(':')
    .slice(0, networkPrefixBits / 16)
    .join(':')}::/${networkPrefixBits}`
}

/** The rate limit key of a request. */
export function requestRateSource(request: Pick<IncomingMessage, 'headers' | 'socket'>, trusted: TrustedProxies): string {
  return rateSource(clientIpAddress(request, trusted))
}

/**
 * The header in which the web's own server passes the client's address to its pages. The server overwrites any value from outside, and
 * drops the forwarding headers of untrusted peers.
 */
export const clientAddressHeader = 'x-parley-peer'

/** Replaces the client's claims in the headers with the verified address. */
export function setClientAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>, trusted: TrustedProxies): void {
  const address = clientIpAddress(request, trusted)
  if (!isFromTrustedProxy(request, trusted))
    for (const name of Object.keys(request.headers))
      if (name.startsWith('x-forwarded-') || name === 'forwarded') delete request.headers[name]
  request.headers[clientAddressHeader] = address
}

/** Whether the peer of the socket is a trusted proxy. */
function isFromTrustedProxy(request: Pick<IncomingMessage, 'socket'>, trusted: TrustedProxies): boolean {
  const peer = parseAddress(request.socket.remoteAddress ?? '')
  return peer !== null && isTrusted(peer, trusted)
}

function isTrusted(address: Address, trusted: TrustedProxies): boolean {
  return trusted.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))
}

/** An IPv4-mapped IPv6 address counts as the IPv4 address. Some proxies add the port. */
function parseAddress(text: string): Address | null {
  const plain = text.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(plain)?.[1] ?? /^([\d.]+):\d+$/.exec(plain)?.[1] ?? plain
  // The library also accepts `127.1` and `0x7f.1`. A valid address has four decimal parts.
  if (!bare.includes(':') && !/^\d{1,3}(\.\d{1,3}){3}$/.test(bare)) return null
  try {
    return ipaddr.process(bare.replace(/%.*$/, ''))
  } catch {
    return null
  }
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address)
}
