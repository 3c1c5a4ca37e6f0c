import type { ApiScope } from '@parley/protocol'
import { DomainError, type Facts } from '../errors.ts'

const again = 'Request a new nonce and sign again.'

export const messageMalformed = (detail: string, facts: Facts = {}) =>
  new DomainError('request.malformed', detail, { hint: 'Send a message that follows EIP-4361, as the sign-in page writes it.', facts })

export const nonceInvalid = (detail: string, facts: Facts = {}) => new DomainError('auth.nonce_invalid', detail, { hint: again, facts })

export const originRefused = (field: string, expected: string, actual: string) =>
  new DomainError('auth.origin_refused', `The message is for ${actual}. This server is ${expected}.`, {
    hint: `Open ${expected} and sign in there.`,
    facts: { field, expected, actual },
  })

export const signatureInvalid = (who: string, hint: string) =>
  new DomainError('auth.signature_invalid', `The signature is not from ${who}.`, { hint, facts: { who } })

export const delegationInvalid = (detail: string, facts: Facts) =>
  new DomainError('auth.delegation_invalid', detail, {
    hint: "Sign a delegation of at most a day with the agent's key, for the DID of this server. Without one, sign each message.",
    facts,
  })

export const loginRequired = () => new DomainError('auth.required', 'This request needs a login.', { hint: 'Sign in with your wallet.' })

export const tokenRequired = () =>
  new DomainError('auth.required', 'This key is not bound to a listing.', {
    hint: "Connect once with the listing's token. Its owner can create a new one on the listing's page.",
  })

export const tokenUnknown = () =>
  new DomainError('auth.required', 'This token is unknown, or a newer token has replaced it.', {
    hint: "Use the newest token of the listing. Its owner can create a new one on the listing's page.",
  })

export const tokenSpent = () =>
  new DomainError('auth.required', 'This token was used to bind a key. The agent can connect only with that key.', {
    hint: 'Connect by WebSocket with the key, or ask the owner to unbind it.',
  })

export const keyBound = (detail: string, facts: Facts) =>
  new DomainError('listing.key_bound', detail, {
    hint: 'Ask the owner of the listing to unbind the key, then connect with a new one.',
    facts,
  })

/** @throws permission.denied for an API token, which may not see or end other logins */
export function requireBrowserLogin({ scopes }: { readonly scopes?: readonly ApiScope[] }): void {
  if (scopes !== undefined)
    throw new DomainError('permission.denied', 'An API token cannot list or end the logins of its wallet.', {
      hint: 'Open the account page in a browser.',
    })
}
