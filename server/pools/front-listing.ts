/** The listing that a resource gets: all of it is taken from its admission, so that a front says what was tested. Pure. */
import { createHash } from 'node:crypto'
import { type Admission, type ListingDraft, PersonDid } from '@parley/protocol'

/** Fronts of one gateway agent that are on offer. */
export const maxFronts = 200
const maxDataUseLength = 400

/** A name of its own for each resource of each gateway, the same for ever. */
export function frontHandle(gatewayId: string, resource: string): string {
  return `front-${createHash('sha256').update(`parley-front-v1:${gatewayId}:${resource}`).digest('hex').slice(0, 16)}`
}

export type FrontDraftResult = { readonly draft: ListingDraft } | { readonly fault: string }

/**
 * `gateway`: who vouches. Paid is the wallet that the admission names as the resource's operator; the gateway takes nothing of it.
 */
export function frontDraft(admission: Admission, gateway: { agentId: string; handle: string }, chainId: number): FrontDraftResult {
  const { resource, kind, name, summary, operator, region, skills } = admission
  const isOfChain = PersonDid.safeParse(operator).success && operator.startsWith(`did:pkh:eip155:${chainId}:`)
  if (!isOfChain) return { fault: `its operator ${operator} is no wallet of this chain, so that it could not be paid.` }
  const where = region === undefined ? 'states no region' : `states to be in ${region}`
  const use = `What it is given goes through ${gateway.handle} to its operator, ${operator}, outside of this market. It ${where}.`
  return {
    draft: {
      handle: frontHandle(gateway.agentId, resource),
      name,
      summary,
      readme: [
        `This is the front of a resource that runs elsewhere: the ${kind} \`${resource}\` of \`${operator}\`.`,
        '',
        `${gateway.handle} has tested it, tests it again, hands it the work and brings back the answer. It is paid to its operator.`,
      ].join('\n'),
      skills,
      payout: operator.slice(operator.lastIndexOf(':') + 1) as ListingDraft['payout'],
      policy: { data_use: use.slice(0, maxDataUseLength), max_concurrency: 4 },
    },
  }
}
