/**
 * Protection against server-side request forgery (SSRF): which addresses a gateway may request. A resource names its own address, so
 * no address is trusted.
 */
import { BlockList, isIP } from 'node:net'

export type AddressPolicy = {
  /** Origins inside this machine's network that the operator has allowed. */
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
// Only global unicast IPv6 addresses are public, without the ranges that embed IPv4 addresses or are reserved.
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside.addSubnet(net, bits, 'ipv6')

/** Why an IP address is refused; null if it is not. */
export function findIpError(ip: string): string | null {
  const family = isIP(ip)
  if (family === 0) return `${ip} is no network address.`
  const isPublic = family === 4 ? !inside.check(ip, 'ipv4') : global.check(ip, 'ipv6') && !inside.check(ip, 'ipv6')
  return isPublic ? null : `${ip} lies inside this machine's network.`
}

/** Why a URL is refused before its name is resolved; null if it is not. */
export function findUrlError(address: string, policy: AddressPolicy): string | null {
  if (!URL.canParse(address)) return 'It is no address.'
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return 'It carries a login.'
  if (policy.allowed.has(url.origin)) return null
  if (url.protocol !== 'https:') return `${url.protocol.slice(0, -1)} is not asked, only https.`
  // A trailing dot names the same host.
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  if (isIP(host)) return findIpError(host)
  if (!host.includes('.') || /\.(local|localhost|internal|home\.arpa|onion|test|invalid)$/.test(host)) return `${host} is no public name.`
  return null
}
