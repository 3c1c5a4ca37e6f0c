import { randomBytes } from 'node:crypto'
import type { StripeFakeState } from './state.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** The context of every part of the fake. */
export type FakeContext = {
  readonly state: StripeFakeState
  readonly notify: WebhookSender['notify']
  readonly notifyThin: WebhookSender['notifyThin']
  /** The fake's own URL, for the pages that it shows. */
  readonly baseUrl: () => string
  /** Unix seconds. */
  now(): number
  /** A new id: `tr_…`. */
  next(prefix: string): string
}

export function createIdGenerator(): (prefix: string) => string {
  return (prefix) => `${prefix}_${prefix === 'acct' ? '' : 'test_'}${randomBytes(12).toString('hex')}`
}
