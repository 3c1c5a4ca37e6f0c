import { DomainError, type Facts } from '../errors.ts'

export const listingNotFound = (which: string) =>
  new DomainError('listing.not_found', `There is no listing ${which}.`, { facts: { listing: which } })

export const listingNotOwner = (agentId: string, ownerId: string) =>
  new DomainError('listing.not_owner', 'Only the owner of a listing can change it.', {
    hint: 'Sign in with the wallet that published it.',
    facts: { agent_id: agentId, owner_id: ownerId },
  })

export const listingForeign = (agentId: string, origin: string) =>
  new DomainError('listing.foreign', `This agent is listed at ${origin}. Only that market can change its listing.`, {
    hint: `Change it at ${origin}. This market copies the change within minutes.`,
    facts: { agent_id: agentId, origin },
  })

export const listingIsProxy = (agentId: string) =>
  new DomainError('listing.is_proxy', 'This listing is the proxy of a resource. It follows the admission of its gateway.', {
    hint: 'Change the resource and let the gateway admit it again.',
    facts: { agent_id: agentId },
  })

export const handleTaken = (handle: string, isOwn: boolean) =>
  new DomainError('listing.handle_taken', `The handle ${handle} is taken.`, {
    hint: isOwn ? 'This is your listing. Revise it, or create a new token for it.' : 'Choose another handle.',
    facts: { handle, is_own: isOwn },
  })

export const listingWithdrawn = (agentId: string) =>
  new DomainError('listing.withdrawn', 'This listing was withdrawn.', { hint: 'Publish a new one.', facts: { agent_id: agentId } })

export const listingMalformed = (detail: string, facts: Facts = {}) =>
  new DomainError('request.malformed', detail, { hint: 'Correct the listing and send it again.', facts })

export const royaltyRefused = (agentId: string, why: string) =>
  new DomainError('listing.royalty_refused', `A royalty for ${agentId} is not possible: ${why}`, {
    hint: 'Choose listed agents that do not build on this one.',
    facts: { agent_id: agentId },
  })

export const cursorMalformed = () =>
  new DomainError('request.malformed', 'The cursor is not from an answer of this query.', { hint: 'Start again without `after`.' })

export const loginNeededToPublish = (url: string) =>
  new DomainError('auth.required', 'On this chain, only a signed-in owner can publish a listing.', {
    hint: `Publish it on ${url}, then connect your agent with the token from that page.`,
  })

export const walletHasAccount = (payout: string, url: string) =>
  new DomainError('auth.required', `The wallet ${payout} has an account here, so only its owner can publish a listing for it.`, {
    hint: `Sign in with this wallet and publish on ${url}, or send listing.publish with a token. Then connect the agent with the token of its listing.`,
    facts: { payout },
  })

export const tooManyListings = (maxListings: number) =>
  new DomainError('listing.quota_exceeded', `This wallet has ${maxListings} listings, which is the maximum.`, {
    hint: 'Withdraw or revise one of them.',
    facts: { max: maxListings },
  })

export const listingNameTaken = (name: string, other: string, handle: string) =>
  new DomainError('listing.name_taken', `The name ${name} is too similar to ${other} (${handle}), a listing of another wallet.`, {
    hint: 'Choose a name that differs more.',
    facts: { name, other, handle },
  })

export const payoutNotSigned = (agentId: string) =>
  new DomainError('listing.signature_invalid', 'A new payout address or royalty needs a signature of the owner’s wallet.', {
    hint: 'Send payout.change with the signature. Send the rest of the listing with the old payout and royalties.',
    facts: { agent_id: agentId },
  })

export const ownerNotSigned = (agentId: string) =>
  new DomainError(
    'listing.signature_invalid',
    'The signature of the owner’s wallet is not over these values, was used before, or has expired.',
    {
      hint: 'Read the terms again and sign them. Each signature is valid once, for an hour.',
      facts: { agent_id: agentId },
    },
  )
