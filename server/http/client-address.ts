/**
 * Who has sent a request, for web and hub alike. Only a proxy that the operator has named by its address is believed about whom
 * it speaks for; every other header is the client's own claim.
 */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]
/** The addresses of which `X-Forwarded-For` is believed. */
export type TrustedProxies = readonly Range[]

const namedRanges: { readonly [name: string]: readonly string[] } = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** A provider gives one customer a whole /64: its addresses are one client. */
const clientPrefixBits = 64
/** The most that a provider gives one customer: 65,536 prefixes of the above. */
const networkPrefixBits = 48
/** More entries than any chain of proxies has are somebody's padding. */
const maxForwardedEntries = 32

/**
 * Reads a comma-separated list of addresses, CIDR ranges and the names `loopback`, `linklocal` and `uniquelocal`.
 * @throws {TypeError} that names the entry which is none of these
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

/** The address of the client: the socket's peer, or whom the trusted proxies in front of us have seen, read from the right. */
export function clientAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>, trusted: TrustedProxies): string {
  let client = parseAddress(request.socket.remoteAddress ?? '')
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',')
  const entries = forwarded === '' ? [] : forwarded.split(',').slice(-maxForwardedEntries)
  for (let place = entries.length - 1; client !== null && isTrusted(client, trusted) && place >= 0; place--) {
    const named = parseAddress(entries[place] ?? '')
    // A proxy that names nobody is itself the last whom we know.
    if (named === null) break
    client = named
  }
  return client?.toString() ?? ''
}

/** Under which name a client's requests are counted: its IPv4 address, or the /64 of its IPv6 address. */
export function rateSource(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === null) return ''
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, clientPrefixBits / 16)
  return `${prefix.map((part) => part.toString(16)).join(':')}::/${clientPrefixBits}`
}

/** The /48 around a source that is an IPv6 prefix; null of any other. */
export function rateNetwork(source: string): string | null {
  if (!source.endsWith(`::/${clientPrefixBits}`)) return null
  return `${source
    .split(':')
    .slice(0, networkPrefixBits / 16)
    .join(':')}::/${networkPrefixBits}`
}

/** Both at once, for a door that only counts. */
export function requestRateSource(request: Pick<IncomingMessage, 'headers' | 'socket'>, trusted: TrustedProxies): string {
  return rateSource(clientAddress(request, trusted))
}

/**
 * In which header the web's own server tells its pages the client's address. It is written over whatever came under this name, and
 * what an untrusted peer says of the outside is dropped.
 */
export const clientAddressHeader = 'x-parley-peer'

/** Makes the headers say what we know of the client instead of what it claims. */
export function setClientAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>, trusted: TrustedProxies): void {
  const address = clientAddress(request, trusted)
  if (!isFromTrustedProxy(request, trusted))
    for (const name of Object.keys(request.headers))
      if (name.startsWith('x-forwarded-') || name === 'forwarded') delete request.headers[name]
  request.headers[clientAddressHeader] = address
}

/** Whether the peer that holds the socket is a trusted proxy, so that what it says about the outside holds. */
function isFromTrustedProxy(request: Pick<IncomingMessage, 'socket'>, trusted: TrustedProxies): boolean {
  const peer = parseAddress(request.socket.remoteAddress ?? '')
  return peer !== null && isTrusted(peer, trusted)
}

function isTrusted(address: Address, trusted: TrustedProxies): boolean {
  return trusted.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))
}

/** An IPv4 address inside an IPv6 one is the IPv4 address. Some proxies add the port. */
function parseAddress(text: string): Address | null {
  const plain = text.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(plain)?.[1] ?? /^([\d.]+):\d+$/.exec(plain)?.[1] ?? plain
  // The library reads `127.1` and `0x7f.1` too: an address of a network has four decimal parts.
  if (!bare.includes(':') && !/^\d{1,3}(\.\d{1,3}){3}$/.test(bare)) return null
  try {
    return ipaddr.process(bare.replace(/%.*$/, ''))
  } catch {
    return null
  }
}
