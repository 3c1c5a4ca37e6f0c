/** The search itself, on worlds of a few numbers. */
import { describe, expect, it } from 'vitest'
import { explore, type Move, type World } from './explore.ts'

type Moves = { readonly [from: number]: readonly (readonly [by: Move<number>['by'], to: number])[] }
function world(moves: Moves, change: Partial<World<number>> = {}): World<number> {
  return {
    name: 'numbers',
    starts: [0],
    keyOf: String,
    movesOf: (state) => (moves[state] ?? []).map(([by, to]) => ({ name: `to ${to}`, by, to })),
    isFunded: (state) => state < 9,
    faultOf: () => null,
    moveFaultOf: () => null,
    ageOf: (state) => state,
    maxSeconds: 8,
    ...change,
  }
}
const kindsOf = (one: World<number>) => explore(one, { maxFaults: 9 }).faults.map(({ kind }) => kind)

describe('the search', () => {
  it('passes a world whose money ends without any party, and counts the longest way', () => {
    const report = explore(
      world({
        0: [
          ['time', 1],
          ['client', 3],
        ],
        1: [['anybody', 9]],
        3: [['time', 4]],
        4: [['server', 9]],
      }),
    )
    expect(report).toMatchObject({ faults: [], states: 5, transitions: 5, longestPath: 2, isCut: false })
  })

  it('finds a funded state that only a party can leave', () => {
    expect(kindsOf(world({ 0: [['time', 1]], 1: [['client', 9]] }))).toEqual(['dead end'])
  })

  it('finds a way to continue for ever, and does not take a move that changes nothing for one that helps', () => {
    expect(
      kindsOf(
        world({
          0: [['server', 1]],
          1: [
            ['chain', 0],
            ['time', 9],
          ],
        }),
      ),
    ).toEqual(['endless'])
    expect(
      kindsOf(
        world({
          0: [
            ['server', 0],
            ['client', 9],
          ],
        }),
      ),
    ).toEqual(['dead end'])
  })

  it('finds what breaks a rule and what takes too long, with the way to it', () => {
    const slow = world({ 0: [['time', 5]], 5: [['time', 9]] }, { maxSeconds: 4 })
    expect(explore(slow).faults[0]).toMatchObject({ kind: 'too late', path: ['time: to 5'] })
    const rule = (state: number) => (state === 5 ? 'no five' : null)
    expect(kindsOf(world({ 0: [['time', 5]], 5: [['time', 9]] }, { faultOf: rule }))).toEqual(['rule'])
    // Also where the key is known already: a key may leave out what a rule asks about.
    const merged = world(
      {
        0: [
          ['time', 1],
          ['client', 5],
        ],
        1: [['time', 9]],
      },
      { keyOf: (state) => (state === 5 ? '1' : `${state}`), faultOf: rule },
    )
    expect(kindsOf(merged)).toEqual(['rule'])
  })

  it('states when there are more states than it may look at', () => {
    const endless = world({}, { movesOf: (state) => [{ name: 'on', by: 'time', to: state + 1 }], isFunded: () => false })
    expect(explore(endless, { maxStates: 10 }).isCut).toBe(true)
  })
})
