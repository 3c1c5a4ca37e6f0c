import { holdStates } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type HoldFacts,
  isDisputeTime,
  isVetoTime,
  nextHoldAction,
  nextHoldActionSql,
} from '../../../../server/settlement/worker/next-hold-action.ts'
import { createMoneyWorld, type MoneyWorld } from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const now = 100_000
const both = [false, true]
const all: HoldFacts[] = holdStates.flatMap((state) =>
  [now - 3_601, now - 3_600, now - 61, now - 60, now + 1].flatMap((expiry) =>
    both.flatMap((isSigned) =>
      both.flatMap((isClosing) =>
        both.flatMap((isDispute) =>
          both.flatMap((isSealDue) =>
            both.map((isVeto) => ({ state, expiry, isSigned, isClosing, isDisputeTime: isDispute, isSealDue, isVetoTime: isVeto })),
          ),
        ),
      ),
    ),
  ),
)

describe('wantOfHold', () => {
  it('gives the same result in SQL', async () => {
    const rows = await world.system.db.$queryRaw<{ n: bigint; wants: string | null }[]>`
      select f."n", ${nextHoldActionSql(now)} as "wants"
      from jsonb_to_recordset(${JSON.stringify(all.map((facts, n) => ({ n, ...facts })))}::jsonb)
        as f("n" bigint, "state" text, "expiry" int, "isSigned" boolean, "isClosing" boolean, "isDisputeTime" boolean, "isSealDue" boolean, "isVetoTime" boolean)
      order by f."n"`
    expect(rows.map((row) => row.wants)).toEqual(all.map((facts) => nextHoldAction(facts, now)))
    expect(new Set(rows.map((row) => row.wants))).toEqual(new Set([null, 'fund', 'seal', 'settle', 'reclaim']))
  })
  it('reclaims what is left once it has expired, and settles what was asked for before', () => {
    const facts: HoldFacts = {
      state: 'authorized',
      isSigned: true,
      expiry: now - 61,
      isClosing: false,
      isDisputeTime: false,
      isSealDue: false,
      isVetoTime: false,
    }
    expect(nextHoldAction(facts, now)).toBe('reclaim')
    expect(nextHoldAction({ ...facts, state: 'capturing' }, now)).toBe('settle')
    expect(nextHoldAction({ ...facts, state: 'capturing', isClosing: true }, now)).toBe('reclaim')
    expect(nextHoldAction({ ...facts, state: 'capturing', expiry: now - 3_601 }, now)).toBe('reclaim')
    expect(nextHoldAction({ ...facts, state: 'capturing', isSealDue: true }, now)).toBe('seal')
    expect(nextHoldAction({ ...facts, state: 'voiding', expiry: now + 1, isVetoTime: true }, now)).toBeNull()
  })
})

describe('isDisputeTime', () => {
  it('lasts while a step that is not to be paid can be disputed and nothing waits to be paid', () => {
    expect(isDisputeTime(now + 1, ['paid', 'sealed'], now)).toBe(true)
    expect(isDisputeTime(now, ['sealed'], now)).toBe(false)
    expect(isDisputeTime(now + 1, ['paying', 'sealed'], now)).toBe(false)
    expect(isDisputeTime(null, ['sealed'], now)).toBe(false)
  })
})

describe('isVetoTime', () => {
  it('lasts while the proposal in force can be vetoed and is not approved', () => {
    const [sealed, charter] = [
      { version: 2, payableFrom: now + 1 },
      { version: 2, isApproved: false },
    ]
    expect(isVetoTime(sealed, charter, now)).toBe(true)
    expect(isVetoTime({ ...sealed, payableFrom: now }, charter, now)).toBe(false)
    expect(isVetoTime(sealed, { ...charter, isApproved: true }, now)).toBe(false)
    expect(isVetoTime(sealed, { ...charter, version: 3 }, now)).toBe(false)
    expect(isVetoTime(null, charter, now)).toBe(false)
    expect(isVetoTime(sealed, null, now)).toBe(false)
  })
})
