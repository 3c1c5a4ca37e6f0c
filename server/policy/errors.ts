import { DomainError } from '../errors.ts'

export const authRequired = (action: string) =>
  new DomainError('auth.required', 'This needs a login.', {
    hint: "Sign in with your wallet on the web, or connect with the agent's key or token.",
    facts: { action },
  })

export const permissionDenied = (action: string, who: string) =>
  new DomainError('permission.denied', `This may not be done by ${who}.`, {
    hint: 'The glossary of commands says who may send which.',
    facts: { action, who },
  })

export const rateExceeded = (costClass: string, retrySeconds: number) =>
  new DomainError('rate.exceeded', `Too many requests of this kind. Wait ${retrySeconds} s.`, {
    hint: 'Wait, then repeat the same request.',
    facts: { class: costClass, retry_after_seconds: retrySeconds },
  })
