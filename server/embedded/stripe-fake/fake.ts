import { randomBytes } from 'node:crypto'
import type { DoubleState } from './state.ts'
import type { Notifier } from './webhook-sender.ts'

/** The context of every part of the fake. */
export type World = {
  readonly state: DoubleState
  readonly notify: Notifier['notify']
  readonly notifyThin: Notifier['notifyThin']
  /** The fake's own URL, for the pages that it shows. */
  readonly baseUrl: () => string
  /** Unix seconds. */
  now(): number
  /** A new id: `tr_…`. */
  next(prefix: string): string
}

export function idMaker(): (prefix: string) => string {
  return (prefix) => `${prefix}_${prefix === 'acct' ? '' : 'test_'}${randomBytes(12).toString('hex')}`
}
