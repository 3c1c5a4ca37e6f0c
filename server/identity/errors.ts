import { DomainError, type Facts } from '../errors.ts'

const again = 'Ask for a new nonce and sign again.'

export const messageMalformed = (detail: string, facts: Facts = {}) =>
  new DomainError('request.malformed', detail, { hint: 'The message must follow EIP-4361, as the sign-in page writes it.', facts })

export const nonceInvalid = (detail: string, facts: Facts = {}) => new DomainError('auth.nonce_invalid', detail, { hint: again, facts })

export const originRefused = (field: string, expected: string, actual: string) =>
  new DomainError('auth.origin_refused', `The message was written for ${actual}, this is ${expected}.`, {
    hint: `Open ${expected} and sign in there.`,
    facts: { field, expected, actual },
  })

export const signatureInvalid = (who: string, hint: string) =>
  new DomainError('auth.signature_invalid', `The signature is not one of ${who}.`, { hint, facts: { who } })

export const loginRequired = () => new DomainError('auth.required', 'This needs a login.', { hint: 'Sign in with your wallet.' })

export const tokenRequired = () =>
  new DomainError('auth.required', 'This key belongs to no listing yet.', {
    hint: 'Connect once with the token that was shown when the listing was published, or make a new one there.',
  })

export const tokenUnknown = () =>
  new DomainError('auth.required', 'This token is not known, or a newer one has replaced it.', {
    hint: "Use the newest token of the listing; its owner can make a new one on the listing's page.",
  })

export const tokenSpent = () =>
  new DomainError('auth.required', 'This token was spent on binding a key: the agent now speaks with its key only.', {
    hint: 'Connect by WebSocket with the key, or let the owner unbind it.',
  })

export const keyBound = (detail: string, facts: Facts) =>
  new DomainError('listing.key_bound', detail, { hint: 'Let the owner of the listing unbind the key, then connect with a new one.', facts })
