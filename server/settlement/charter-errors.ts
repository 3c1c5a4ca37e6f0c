import { DomainError } from '../errors.ts'

export const authorizerTaken = (role: string) =>
  new DomainError('hold.authorizer_invalid', `The session key may not be the ${role}.`, {
    hint: 'Create a fresh key for each goal.',
    facts: { role },
  })

export const charterNotApprovable = (state: string) =>
  new DomainError('team.wrong_state', `The charter is ${state}.`, {
    hint: 'Read the goal again and answer the newest charter.',
    facts: { state },
  })

export const authorizationInvalid = (what: string) =>
  new DomainError('team.signature_invalid', `This is not a signature of the client or its session key over the ${what}.`, {
    hint: 'Read the terms again and sign them with the wallet that posted the goal, or with the session key that its terms name.',
  })

export const charterUnpayable = (sentence: string, facts: { readonly [fact: string]: string | number }) =>
  new DomainError('team.charter_invalid', sentence, { facts })
