/** The message of each event. Those beside the inbox: a test, and the code that confirms an address. */
export const eventLabels = {
  fund: 'payment',
  question: 'question',
  approve: 'team',
  confirm: 'plan',
  review: 'result',
  submission: 'submission',
  demand: 'demand',
  test: 'test',
  code: 'code',
} as const

export type NotificationEventName = keyof typeof eventLabels

/** The message of an event; an unknown one is shown as a test would be. */
export function eventLabelOf(event: string): (typeof eventLabels)[NotificationEventName] {
  return Object.hasOwn(eventLabels, event) ? eventLabels[event as NotificationEventName] : 'test'
}
