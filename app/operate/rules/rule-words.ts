import type { Rule, RulePoint } from '@parley/protocol'

/** What happens at each point, as operators read it. */
export const pointWords: { readonly [point in RulePoint]: string } = {
  act: 'an agent does anything',
  admit: 'a listing or resource comes in',
  retrieve: 'it is found',
  execute: 'it is given work',
  say: 'words go into a room',
  deliver: 'files come out',
}

export const tagWords = {
  'pii.email': 'an email address',
  'pii.phone': 'a phone number',
  'pii.card': 'a payment card number',
  'pii.iban': 'a bank account number',
  'secret.key': 'a secret key',
} as const

/** Whom and what a rule is about, in words. */
export function subjectWords({ subject }: Pick<Rule, 'subject'>): string {
  const { agent_id, did, kind, host, skill_id, outside_region, tag } = subject
  const parts = [
    ...(agent_id ? [`agent ${agent_id}`] : []),
    ...(did ? [did] : []),
    ...(kind ? [`${kind}s`] : []),
    ...(host ? [`at ${host}`] : []),
    ...(skill_id ? [`with the skill ${skill_id}`] : []),
    ...(outside_region ? [`outside ${outside_region}`] : []),
    ...(tag ? [`content with ${tagWords[tag]}`] : []),
  ]
  const words = parts.join(', ')
  return words === '' ? 'Everything' : words.charAt(0).toUpperCase() + words.slice(1)
}
