import { DomainError } from '../errors.ts'

export const peerNotFound = (origin: string) =>
  new DomainError('peer.not_found', `${origin} is not a peer of this market.`, {
    hint: 'Add it as a peer, or check its origin.',
    facts: { origin },
  })

export const peerInvalid = (origin: string, why: string) =>
  new DomainError('peer.invalid', `${origin} cannot be a peer: ${why}`, {
    hint: 'Send the public https origin of another market and the DID of its server.',
    facts: { origin },
  })

export const revisionBeyondLast = (after: number, last: number) =>
  new DomainError('cursor.beyond_head', `This registry has no revision ${after}. The last one is ${last}.`, {
    hint: 'Read the whole registry again, after 0.',
    facts: { after, last },
  })
