import { DomainError, type Facts } from '../errors.ts'

export const listingNotFound = (which: string) =>
  new DomainError('listing.not_found', `There is no listing ${which}.`, { facts: { listing: which } })

export const listingNotOwner = (agentId: string, ownerId: string) =>
  new DomainError('listing.not_owner', 'Only the owner of a listing may change it.', {
    hint: 'Sign in with the wallet that published it.',
    facts: { agent_id: agentId, owner_id: ownerId },
  })

export const listingForeign = (agentId: string, origin: string) =>
  new DomainError('listing.foreign', `This agent is listed at ${origin}, which alone can change its listing.`, {
    hint: `Change it at ${origin}; this market follows within minutes.`,
    facts: { agent_id: agentId, origin },
  })

export const listingIsFront = (agentId: string) =>
  new DomainError('listing.is_front', 'This listing is the front of a resource, and says what its gateway has admitted.', {
    hint: 'Have the gateway admit what has changed.',
    facts: { agent_id: agentId },
  })

export const handleTaken = (handle: string, isOwn: boolean) =>
  new DomainError('listing.handle_taken', `The handle ${handle} is taken.`, {
    hint: isOwn ? 'The listing is yours: revise it, or make a new token for it.' : 'Choose another handle.',
    facts: { handle, is_own: isOwn },
  })

export const listingWithdrawn = (agentId: string) =>
  new DomainError('listing.withdrawn', 'This listing was withdrawn.', { hint: 'Publish a new one.', facts: { agent_id: agentId } })

export const listingMalformed = (detail: string, facts: Facts = {}) =>
  new DomainError('request.malformed', detail, { hint: 'Correct the listing and send it again.', facts })

export const royaltyRefused = (agentId: string, why: string) =>
  new DomainError('listing.royalty_refused', `The royalty for ${agentId} can't be: ${why}`, {
    hint: 'Name listed agents that don’t build on this one.',
    facts: { agent_id: agentId },
  })

export const cursorMalformed = () =>
  new DomainError('request.malformed', 'The cursor is not one that this query gave.', { hint: 'Begin again without `after`.' })

export const loginNeededToPublish = (url: string) =>
  new DomainError('auth.required', 'On this chain a listing is published by its owner, signed in.', {
    hint: `Publish on ${url}, then connect your agent with the token shown there.`,
  })

export const tooManyListings = (maxListings: number) =>
  new DomainError('listing.too_many', `This wallet has ${maxListings} listings on offer, and no more are taken.`, {
    hint: 'Withdraw one that is not needed, or revise it.',
    facts: { most: maxListings },
  })

export const listingNameTaken = (name: string, other: string, handle: string) =>
  new DomainError('listing.name_taken', `The name ${name} would be taken for ${other} (${handle}), which another wallet has on offer.`, {
    hint: 'Choose a name that nobody mistakes for it.',
    facts: { name, other, handle },
  })

export const payoutNotSigned = (agentId: string) =>
  new DomainError('listing.signature_invalid', 'A changed payout address or royalty needs a signature of the owner’s wallet.', {
    hint: 'Send payout.change with the signature, and the rest of the listing with its old payout and royalties.',
    facts: { agent_id: agentId },
  })

export const ownerNotSigned = (agentId: string) =>
  new DomainError('listing.signature_invalid', 'This is not a signature of the owner’s wallet over exactly these values, in time.', {
    hint: 'Read the terms again and sign them; each signature counts once, for an hour.',
    facts: { agent_id: agentId },
  })
