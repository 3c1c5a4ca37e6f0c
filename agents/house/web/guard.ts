/** What a task may reach: the sites that it was given, and nothing else, by whatever name or address it is asked for. */
import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

export type Lookup = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>
export type Guard = {
  /** Origins. */
  readonly sites: readonly string[]
  /** Those of them that may be on this machine or its network, by the word of whoever runs the agent. */
  readonly local: readonly string[]
  readonly lookup: Lookup
}
export type Address = { readonly address: string; readonly family: number }

export const lookupBySystem: Lookup = (host) => systemLookup(host, { all: true })

const inward = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inward.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 127],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inward.addSubnet(net, bits, 'ipv6')

/** Not an address of the public internet. What maps an older address into a newer one counts too. */
export function isInward(address: string): boolean {
  const family = isIP(address)
  return family === 0 || inward.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase()
const portOf = ({ port, protocol }: URL) => Number(port || (/^(?:https|wss):$/.test(protocol) ? 443 : 80))

/** Why a URL is not asked for; undefined where it may be. */
export function refusal(url: string, { sites }: Pick<Guard, 'sites'>): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed || !/^(?:https?|wss?):$/.test(parsed.protocol)) return 'Only http and https are gone to.'
  if (parsed.username || parsed.password) return 'A URL with a password in it is not gone to.'
  const origin = parsed.origin.replace(/^ws/, 'http')
  return sites.includes(origin) ? undefined : `${parsed.host} is not one of the sites of this task.`
}

/** The address behind a host and port of a given site, looked up and checked once, so that a second answer changes nothing. */
export async function addressFor(
  host: string,
  port: number,
  { sites, local, lookup }: Guard,
): Promise<Address | { readonly refused: string }> {
  const isOf = (origin: string) => bare(new URL(origin).hostname) === bare(host) && portOf(new URL(origin)) === port
  if (!sites.some(isOf)) return { refused: `${host}:${port} is not one of the sites of this task.` }
  const name = bare(host)
  const found = isIP(name) ? [{ address: name, family: isIP(name) }] : await lookup(name).catch(() => [])
  const [first] = found
  if (!first) return { refused: `${host} has no address.` }
  if (!local.some(isOf) && found.some(({ address }) => isInward(address)))
    return { refused: `${host} is at an address of this network, which was not allowed.` }
  return first
}
