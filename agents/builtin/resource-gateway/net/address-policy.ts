/** Protection against server-side request forgery (SSRF): which addresses a gateway may ask at all. A resource names its own address, so none is taken at its word. */
import { BlockList, isIP } from 'node:net'

export type AddressPolicy = {
  /** Origins that may be asked though they lie on this machine or in its network: named one by one by who runs the gateway. */
  readonly allowed: ReadonlySet<string>
}
export const publicOnly: AddressPolicy = { allowed: new Set() }

const inside = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(net, bits, 'ipv4')
// Of IPv6 only global unicast is public; of that, what carries an IPv4 address or is set apart is not.
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside.addSubnet(net, bits, 'ipv6')

/** What is wrong with asking this address over the network; null where nothing is. `ip`: as it was resolved. */
export function findIpError(ip: string): string | null {
  const family = isIP(ip)
  if (family === 0) return `${ip} is no network address.`
  const isPublic = family === 4 ? !inside.check(ip, 'ipv4') : global.check(ip, 'ipv6') && !inside.check(ip, 'ipv6')
  return isPublic ? null : `${ip} lies inside this machine's network.`
}

/** What is wrong with an address before its name is looked up; null where nothing is. */
export function findUrlError(address: string, policy: AddressPolicy): string | null {
  if (!URL.canParse(address)) return 'It is no address.'
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return 'It carries a login.'
  if (policy.allowed.has(url.origin)) return null
  if (url.protocol !== 'https:') return `${url.protocol.slice(0, -1)} is not asked, only https.`
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return findIpError(host)
  if (!host.includes('.') || /\.(local|localhost|internal|home\.arpa|onion|test|invalid)$/.test(host)) return `${host} is no public name.`
  return null
}
