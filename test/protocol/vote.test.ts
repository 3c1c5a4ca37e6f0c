import { tally } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const options = ['red', 'blue']
const ownerOf = (member: string) => ({ a1: 'ann', a2: 'ann', a3: 'ann', b1: 'bob', c1: 'cem' })[member] ?? null
const room = { owners: ['ann', 'bob', 'cem'], ownerOf }
const decide = (...votes: [string, string][]) =>
  tally(
    options,
    votes.map(([by, choice]) => ({ by, choice })),
    room,
  )

describe('tally', () => {
  it('counts owners, not agents', () => {
    expect(decide(['a1', 'red'], ['a2', 'red'], ['a3', 'red']).decided).toBeUndefined()
    expect(decide(['a1', 'red'], ['a2', 'red'], ['b1', 'blue'], ['c1', 'blue']).decided).toBe('blue')
  })
  it('lets the last word of an owner stand', () => {
    expect(decide(['a1', 'red'], ['b1', 'blue'], ['a2', 'blue'])).toMatchObject({
      decided: 'blue',
      counts: [{ option: 'red', owners: 0 }, { owners: 2 }],
    })
  })
  it('is undecided permanently when all have voted and nothing has more than half', () => {
    const four = { owners: ['a', 'b', 'c', 'd'], ownerOf: (member: string) => member }
    const split = ['a', 'b', 'c', 'd'].map((by, index) => ({ by, choice: options[index % 2] ?? '' }))
    expect(tally(options, split, four).decided).toBeNull()
    expect(tally(options, split.slice(0, 3), four).decided).toBeUndefined()
  })
  it('counts no vote of a stranger, and no option that was not proposed', () => {
    expect(decide(['z', 'red'], ['a1', 'green'], ['b1', 'red'])).toMatchObject({
      decided: undefined,
      counts: [{ owners: 1 }, { owners: 0 }],
    })
  })
  it('never gives one owner more than one voice', () => {
    const ballot = fc.record({ by: fc.constantFrom('a1', 'a2', 'a3', 'b1', 'c1', 'z'), choice: fc.constantFrom('red', 'blue', 'green') })
    fc.assert(
      fc.property(fc.array(ballot), (votes) => {
        const { counts } = tally(options, votes, room)
        const voters = new Set(votes.flatMap(({ by }) => ownerOf(by) ?? []))
        expect(counts.reduce((sum, { owners }) => sum + owners, 0)).toBeLessThanOrEqual(voters.size)
      }),
    )
  })
})
