import type { RoomTree } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { explore, firstRoom, type Profile, tasksIn } from './rooms/explore.ts'
import { exploreFactored } from './rooms/explore-factored.ts'
import { faulty } from './rooms/faults.ts'
import { createTerms, type Term } from './rooms/interned-room-states.ts'
import { createPairs } from './rooms/pair-set.ts'
import { properties } from './rooms/properties.ts'

const base: Profile = { agents: 4, tasks: 3, depth: 2, turns: false, crashes: 0, brakes: false, money: true }

/** All that a world is made of but its turns, with everyone's name. */
function asItIs(tree: RoomTree): string {
  const rooms = Object.entries(tree).map(([roomId, { room }]) => [roomId, room.state, room.members, room.triggers, room.tasks])
  return JSON.stringify(rooms)
}

/** The states that the plain walk finds under these names, in the letters of the factored one. */
function plainly(profile: Profile, nameOf?: (tree: RoomTree) => string) {
  const terms = createTerms(profile)
  const found = new Set<string>()
  const report = explore(profile, {
    nameOf: (tree) => {
      const spelled = `${tasksIn(tree)} ${terms.spell(terms.rooms[terms.read(tree, firstRoom)] as Term)}`
      found.add(spelled)
      return nameOf ? nameOf(tree) : spelled
    },
  })
  return { report, found }
}

function factored(profile: Profile) {
  const found = new Set<string>()
  return { report: exploreFactored(profile, { onState: (spelled) => found.add(spelled) }), found }
}

describe('the factored walk', () => {
  it.each<[string, Profile]>([
    ['rooms two deep, with money', base],
    ['without money', { ...base, money: false }],
    ['with brakes', { ...base, tasks: 2, brakes: true }],
    ['in one room', { ...base, depth: 0, tasks: 4, brakes: true }],
    ['rooms one deep, by three', { ...base, agents: 3, depth: 1 }],
  ])('finds the states of the plain one, and no others: %s', (_name, profile) => {
    const [plain, mine] = [plainly(profile), factored(profile)]
    expect([...mine.found].sort()).toEqual([...plain.found].sort())
    expect(mine.report.states).toBe(plain.found.size)
    expect(mine.report.ends).toBe(plain.report.ends)
    expect([mine.report.faults, plain.report.faults]).toEqual([[], []])
  })
  it.each<[string, Profile]>([
    ['three agents, two tasks, rooms one deep', { ...base, agents: 3, tasks: 2, depth: 1 }],
    ['four agents, two tasks, rooms two deep', { ...base, tasks: 2, money: false }],
  ])('loses nothing by leaving out names: %s', (_name, profile) => {
    const [plain, mine] = [plainly(profile, asItIs), factored(profile)]
    expect(plain.report.states).toBeGreaterThan(3 * mine.report.states)
    expect([...mine.found].sort()).toEqual([...plain.found].sort())
  })
  it.each(properties.filter((property) => property !== 'one turn, never lost'))('finds a planted fault: %s', (property) => {
    const { faults } = exploreFactored(base, { advance: faulty[property] })
    expect(faults[0]?.property).toBe(property)
    expect(faults[0]?.path[0]).toBe('0 open()')
  })
  it('walks through four agents and four tasks, rooms two deep, with money', () => {
    const report = exploreFactored({ ...base, tasks: 4 })
    expect(report).toMatchObject({ states: 91_545, faults: [] })
    expect(report.ends).toBeGreaterThan(0)
  })
  it('refuses worlds in which names matter', () => {
    expect(() => exploreFactored({ ...base, turns: true })).toThrow('no names')
    expect(() => exploreFactored({ ...base, crashes: 1 })).toThrow('no names')
    expect(() => exploreFactored({ ...base, agents: 3 })).toThrow('no names')
  })
})

describe('pairs', () => {
  it('are kept once each, however many come, and stay what they are', () => {
    const pairs = createPairs(4)
    const ids = new Map<string, number>()
    for (let turn = 0; turn < 2; turn++)
      for (let one = 0; one < 60; one++)
        for (let other = 0; other < 60; other++) {
          const id = pairs.of(one * 70_001, other)
          expect(ids.get(`${one} ${other}`) ?? id).toBe(id)
          ids.set(`${one} ${other}`, id)
          expect([pairs.left(id), pairs.right(id)]).toEqual([one * 70_001, other])
        }
    expect(pairs.count()).toBe(3_600)
    expect(new Set(ids.values()).size).toBe(3_600)
  })
})
