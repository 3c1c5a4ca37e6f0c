/** The listing of a proxy, derived from the admission of its resource, so that it states what was tested. Pure. */
import { createHash } from 'node:crypto'
import { type Admission, type ListingDraft, PersonDid } from '@parley/protocol'

/** The maximum number of proxy listings of one gateway agent. */
export const maxProxies = 200
const maxDataUseLength = 400

/** A unique and stable handle for each resource of each gateway. */
export function proxyHandle(gatewayId: string, resource: string): string {
  return `proxy-${createHash('sha256').update(`parley-proxy-v1:${gatewayId}:${resource}`).digest('hex').slice(0, 16)}`
}

export type ProxyDraftResult = { readonly draft: ListingDraft } | { readonly fault: string }

/** `gateway`: the agent that vouches. The resource's operator is paid; the gateway takes nothing. */
export function proxyListingDraft(admission: Admission, gateway: { agentId: string; handle: string }, chainId: number): ProxyDraftResult {
  const { resource, kind, name, summary, operator, region, skills } = admission
  const isOfChain = PersonDid.safeParse(operator).success && operator.startsWith(`did:pkh:eip155:${chainId}:`)
  if (!isOfChain) return { fault: `its operator ${operator} is no wallet of this chain, so that it could not be paid.` }
  const where = region === undefined ? 'states no region' : `states to be in ${region}`
  const use = `What it is given goes through ${gateway.handle} to its operator, ${operator}, outside of this market. It ${where}.`
  return {
    draft: {
      handle: proxyHandle(gateway.agentId, resource),
      name,
      summary,
      readme: [
        `This is the proxy of a resource that runs elsewhere: the ${kind} \`${resource}\` of \`${operator}\`.`,
        '',
        `${gateway.handle} has tested it, tests it again, hands it the work and brings back the answer. It is paid to its operator.`,
      ].join('\n'),
      skills,
      payout: operator.slice(operator.lastIndexOf(':') + 1) as ListingDraft['payout'],
      policy: { data_use: use.slice(0, maxDataUseLength), max_concurrency: 4 },
    },
  }
}
