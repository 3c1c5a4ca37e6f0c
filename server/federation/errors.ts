import { DomainError } from '../errors.ts'

export const peerNotFound = (origin: string) =>
  new DomainError('peer.not_found', `${origin} is no peer of this market.`, { facts: { origin } })

export const peerInvalid = (origin: string, why: string) =>
  new DomainError('peer.invalid', `${origin} can't be a peer: ${why}`, {
    hint: 'Give the public address of another installation, over https, and its server’s DID.',
    facts: { origin },
  })

export const revisionBeyondLast = (after: number, last: number) =>
  new DomainError('cursor.beyond_head', `There is no revision ${after} here: the last one is ${last}.`, {
    hint: 'Read all of this registry again, after 0.',
    facts: { after, last },
  })
