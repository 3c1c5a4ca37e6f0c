/** Which addresses a task may reach: its sites, under any name or address. */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { findIpError } from '../../resource-gateway/net/address-policy.ts'

export type Lookup = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>
export type EgressPolicy = {
  /** Origins of the task's sites. */
  readonly sites: readonly string[]
  /** Those inside this machine's network that the operator has allowed. */
  readonly local: readonly string[]
  readonly lookup: Lookup
}
export type ResolvedAddress = { readonly address: string; readonly family: number }

export const systemLookupAll: Lookup = (host) => systemLookup(host, { all: true })

const bare = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase()
const portOf = ({ port, protocol }: URL) => Number(port || (/^(?:https|wss):$/.test(protocol) ? 443 : 80))

/** Why a URL is refused; undefined if it is not. */
export function findUrlViolation(url: string, { sites }: Pick<EgressPolicy, 'sites'>): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed || !/^(?:https?|wss?):$/.test(parsed.protocol)) return 'Only http and https are gone to.'
  if (parsed.username || parsed.password) return 'A URL with a password in it is not gone to.'
  const origin = parsed.origin.replace(/^ws/, 'http')
  return sites.includes(origin) ? undefined : `${parsed.host} is not one of the sites of this task.`
}

/** Resolves a host of a site once and checks the address, so that a second DNS answer has no effect. */
export async function resolveAddress(
  host: string,
  port: number,
  { sites, local, lookup }: EgressPolicy,
): Promise<ResolvedAddress | { readonly refused: string }> {
  const isOf = (origin: string) => bare(new URL(origin).hostname) === bare(host) && portOf(new URL(origin)) === port
  if (!sites.some(isOf)) return { refused: `${host}:${port} is not one of the sites of this task.` }
  const name = bare(host)
  const found = isIP(name) ? [{ address: name, family: isIP(name) }] : await lookup(name).catch(() => [])
  // A local service with both kinds of address often listens on IPv4 only.
  const [first] = [...found].sort((a, b) => a.family - b.family)
  if (!first) return { refused: `${host} has no address.` }
  if (!local.some(isOf) && found.some(({ address }) => findIpError(address) !== null))
    return { refused: `${host} is at an address of this network, which was not allowed.` }
  return first
}
