import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CardObject } from '../../../../server/ports.ts'
import {
  advancePayment,
  type CardPayment,
  type CardPaymentEvent,
  type CardPaymentState,
  cardPaymentStates,
  cardPaymentTransitions,
  findMismatch,
  idempotencyKeyOf,
  isIdempotencyKeyExpired,
} from '../../../../server/settlement/stripe/card-payment.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const call = { kind: 'transfer', goalId: 'gol_1', paymentId: 'p', cents: 100n, destination: 'acct_1', charge: 'ch_1' } as const
const object: CardObject = {
  kind: 'transfer',
  id: 'tr_1',
  goalId: 'gol_1',
  paymentId: 'p',
  cents: 100n,
  currency: 'usd',
  state: 'done',
  failure: null,
  at: 1,
  url: null,
  payment: null,
  reversedCents: 0n,
}
const payment = (state: CardPaymentState): CardPayment => ({
  id: 'p',
  key: 'transfer:gol_1:o',
  kind: 'transfer',
  goalId: 'gol_1',
  cents: 100n,
  ownerId: 'o',
  subject: null,
  state,
  attempt: state === 'intent' ? 0 : 1,
  idempotencyKey: state === 'intent' ? null : 'p',
  call: state === 'intent' ? null : call,
  preparedAt: state === 'intent' ? null : at,
  retryAt: null,
  objectId: ['seen', 'final', 'posted'].includes(state) ? 'tr_1' : null,
  url: null,
  failure: null,
  paidIntent: null,
  paidCharge: null,
  paidFeeCents: null,
  claimBy: null,
  createdAt: at,
})
const events: { readonly [name: string]: CardPaymentEvent } = {
  prepare: { type: 'prepare', call, at },
  submit: { type: 'submit' },
  done: { type: 'object', object, at },
  pending: { type: 'object', object: { ...object, state: 'pending' }, at },
  failed: { type: 'object', object: { ...object, state: 'failed' }, at },
  wait: { type: 'wait', sentence: 'no answer', at },
  refuse: { type: 'refuse', sentence: 'not now', remedy: 'time', at },
  refuse_for_good: { type: 'refuse', sentence: 'no', remedy: 'none', at },
  put_back: { type: 'put_back', sentence: 'no account', claimBy: at },
  end: { type: 'end', failure: 'over' },
  reopen: { type: 'reopen' },
  post: { type: 'post' },
}

describe('advancePayment', () => {
  for (const from of cardPaymentStates)
    for (const [name, event] of Object.entries(events))
      it(`${name} on ${from} follows the table, changes nothing, or is a bug`, () => {
        let next: CardPayment | null
        try {
          next = advancePayment(payment(from), event)
        } catch (error) {
          expect(String(error)).toMatch(/can't go from/)
          return
        }
        if (next) expect(cardPaymentTransitions[from]).toContain(next.state)
      })

  it('never leaves posted, and a refusal is the only way to a further key', () => {
    for (const event of Object.values(events)) {
      let next: CardPayment | null = null
      try {
        next = advancePayment(payment('posted'), event)
      } catch {
        continue
      }
      expect(next).toBeNull()
    }
    const refused = advancePayment(payment('submitted'), { type: 'refuse', sentence: 'x', remedy: 'time', at }) as CardPayment
    expect(refused).toMatchObject({ state: 'failed_retryable', attempt: 1, idempotencyKey: 'p' })
    expect(advancePayment(refused, { type: 'prepare', call, at })).toMatchObject({ attempt: 2, idempotencyKey: 'p#2' })
    expect(advancePayment(payment('submitted'), { type: 'wait', sentence: 'x', at })).toMatchObject({ attempt: 1, idempotencyKey: 'p' })
    expect(idempotencyKeyOf('p', 1)).toBe('p')
  })

  it('never gives up what only needs time, and waits longer each time, up to six hours', () => {
    let current = payment('submitted')
    const waits: number[] = []
    for (let attempt = 0; attempt < 30; attempt++) {
      const refused = advancePayment(current, { type: 'refuse', sentence: 'x', remedy: 'time', at }) as CardPayment
      expect(refused.state).toBe('failed_retryable')
      waits.push((refused.retryAt?.getTime() ?? 0) - at.getTime())
      const prepared = advancePayment(refused, { type: 'prepare', call, at }) as CardPayment
      current = advancePayment(prepared, { type: 'submit' }) as CardPayment
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits.at(-1)).toBe(6 * 3_600_000)
  })
})

it('a key counts as forgotten an hour before Stripe forgets it', () => {
  expect(isIdempotencyKeyExpired(payment('submitted'), new Date(at.getTime() + 23 * 3_600_000 - 1))).toBe(false)
  expect(isIdempotencyKeyExpired(payment('submitted'), new Date(at.getTime() + 23 * 3_600_000))).toBe(true)
})

it('an object counts only where it is exactly what was asked for', () => {
  expect(findMismatch(payment('submitted'), object)).toBeNull()
  const others: Partial<CardObject>[] = [{ kind: 'refund' }, { goalId: 'gol_2' }, { paymentId: 'q' }, { currency: 'eur' }, { cents: 101n }]
  for (const other of others) expect(findMismatch(payment('submitted'), { ...object, ...other })).toMatch(/tr_1/)
})

it('the database has the same states in the same order', () => {
  const schema = readFileSync(new URL('../../../../prisma/models/card.prisma', import.meta.url), 'utf8')
  const states = /enum CardPaymentState \{([^}]*)\}/.exec(schema)?.[1]?.trim().split(/\s+/)
  expect(states).toEqual([...cardPaymentStates])
})
