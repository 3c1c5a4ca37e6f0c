import { DomainError } from '../errors.ts'

export const settingsLoginRequired = () =>
  new DomainError('auth.required', 'This request needs a login.', { hint: 'Sign in with your wallet.' })

export const settingsBrowserOnly = () =>
  new DomainError('permission.denied', 'An API token cannot read or change notification settings.', {
    hint: 'Open the account page in a browser.',
  })

export const emailCodeInvalid = () =>
  new DomainError('request.malformed', 'The code is wrong or no longer valid.', {
    hint: 'Check the newest mail, or request a new code.',
    facts: { field: 'code' },
  })

export const emailCodesExhausted = (retrySeconds: number) =>
  new DomainError('rate.exceeded', 'Too many codes were requested.', {
    hint: 'Wait, then request a new code.',
    facts: { class: 'email_code', retry_after_seconds: retrySeconds },
  })

export const webhookUrlRefused = (fault: string) =>
  new DomainError('request.malformed', `The webhook URL is refused: ${fault}`, {
    hint: 'Use an https URL that is reachable from the internet.',
    facts: { field: 'url' },
  })

export const webhookMissing = () =>
  new DomainError('request.malformed', 'You have no webhook.', { hint: 'Save a webhook URL first.', facts: { field: 'url' } })

export const notificationNotFound = (id: string) =>
  new DomainError('request.not_found', 'You have no such notification that can be sent again.', { facts: { id } })

export const unsubscribeLinkInvalid = () =>
  new DomainError('auth.signature_invalid', 'The unsubscribe link is not valid for a current address.', {
    hint: 'Use the link in the newest mail, or sign in and change your notification settings.',
  })
