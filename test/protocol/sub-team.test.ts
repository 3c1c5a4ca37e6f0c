import {
  Charter,
  type CharterStep,
  cancelSteps,
  charterFaults,
  circleFault,
  type HiredStep,
  hireInto,
  hiringFaults,
  keepsOwnSteps,
  leadOfRoom,
  maxRoomDepth,
  roomOfStep,
  stepsAbove,
  stepsOfRoom,
} from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vector from '../../protocol/vectors/signatures/charter.json' with { type: 'json' }

const didOf = (name: string) => `did:web:example.org:agents:${name}` as const
const parsed = Charter.parse(vector.charter)
const charter: Charter = { ...parsed, steps: parsed.steps.map((step) => ({ ...step, sender_id: didOf(`s${step.step}`) })) }
const [first, second] = charter.steps as [CharterStep, CharterStep]
const roomOf = (depth: number) => `rom_0192f0c1a2b37c4d8e5f6071829300${depth.toString().padStart(2, '0')}` as const
const room = roomOf(1)

function hired(name: string, amount: string, after: number[] = []): HiredStep {
  const { title, skill_id, agent_id, payee, mode, outputs } = second
  return { title, skill_id, agent_id, sender_id: didOf(name), payee, amount, mode, inputs: [], outputs, after }
}
const hire = (before: Charter, ...steps: HiredStep[]) => hireInto(before, { step: 1, room_id: room, steps })
const sumNumbers = (of: Charter) => of.steps.reduce((sum, step) => sum + BigInt(step.amount), 0n)
const faultsOf = (before: Charter, after: Charter) => hiringFaults(before, after, { step: 1, room_id: room })

describe('hireInto', () => {
  it('pays a team out of its step, and leaves a charter that holds together', () => {
    const after = hire(charter, hired('b', '10'), hired('c', '20', [0]))
    expect(after.steps.slice(2).map((step) => [step.step, step.parent, step.depends_on])).toEqual([
      [3, 1, []],
      [4, 1, [3]],
    ])
    expect([faultsOf(charter, after), charterFaults(after)]).toEqual([[], []])
    expect(sumNumbers(after)).toBe(sumNumbers(charter))
    expect([leadOfRoom(after, room), leadOfRoom(after, charter.room_id)]).toEqual([first.sender_id, charter.principal_id])
    expect(stepsOfRoom(after, room).map((step) => step.step)).toEqual([3, 4])
    expect(stepsOfRoom(after, charter.room_id).map((step) => step.step)).toEqual([1, 2])
    expect(after.steps.map((step) => roomOfStep(after, step))).toEqual([charter.room_id, charter.room_id, room, room])
    expect(keepsOwnSteps(charter, after, second.sender_id)).toBe(true)
    expect(keepsOwnSteps(charter, after, first.sender_id)).toBe(false)
  })

  it('never has more to give than the step has', () => {
    expect(() => hire(charter, hired('b', (BigInt(first.amount) + 1n).toString()))).toThrow(RangeError)
  })

  it('conserves money for all hires and cancellations', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50_000), { minLength: 1, maxLength: 6 }), fc.array(fc.nat(8), { maxLength: 4 }), (amounts, dropped) => {
        const after = hire(charter, ...amounts.map((amount, index) => hired(`m${index}`, String(amount))))
        const fewer = cancelSteps(after, dropped, first)
        expect([sumNumbers(after), sumNumbers(fewer)]).toEqual([sumNumbers(charter), sumNumbers(charter)])
        expect(charterFaults(fewer)).toEqual([])
        expect(faultsOf(after, fewer)).toEqual([])
      }),
    )
  })
})

describe('hiringFaults', () => {
  const after = hire(charter, hired('b', '10'))
  const changed = (number: number, change: Partial<CharterStep>): Charter => ({
    ...after,
    steps: after.steps.map((step) => (step.step === number ? { ...step, ...change } : step)),
  })
  it.each<[string, Charter, string]>([
    ['another’s step', changed(2, { amount: '1' }), 'This team cannot make this change to step 2.'],
    ['its own step beyond its amount', changed(1, { title: 'Something else' }), 'This team cannot make this change to step 1.'],
    [
      'money from nowhere',
      changed(3, { amount: '11' }),
      `Step 1 and its team have ${BigInt(first.amount) + 1n} in total. The sum must stay ${first.amount}.`,
    ],
    ['a step of another room', changed(3, { room_id: roomOf(2) }), 'Step 3 must be part of step 1, in its team’s room.'],
    ['the frame', { ...after, total: '99' }, 'The charter differs from the charter in force in more than its steps.'],
    ['the version', { ...after, version: 9 }, `The version is 9. It must be ${charter.version + 1}.`],
  ])('refuses a change of %s', (_what, put, fault) => {
    expect(faultsOf(charter, put)).toContain(fault)
  })

  it('refuses to share out a step that owes royalties', () => {
    const owing = { ...charter, steps: [{ ...first, royalties: [{ agent_id: second.agent_id, to: second.payee, bps: 100 }] }, second] }
    expect(faultsOf(owing, hire(owing, hired('b', '10')))).toEqual(['Step 1 owes royalties, so it cannot pay a sub-team.'])
  })
})

describe('charterFaults of nested steps', () => {
  const after = hire(charter, hired('b', '10'))
  const third = after.steps[2] as CharterStep
  const faults = (change: Partial<CharterStep>) =>
    charterFaults({ ...after, steps: [first, second, { ...third, ...change } as CharterStep] })
  it('states what is wrong', () => {
    expect(faults({ parent: 3 })).toContain('Step 3 is part of step 3, which is not before it.')
    expect(faults({ room_id: undefined })).toContain('Step 3 must have both parent and room_id, or neither.')
    expect(faults({ depends_on: [2] })).toContain('Step 3 depends on step 2, which is in another room.')
    expect(faults({ canceled: true })).toContain('Step 3 is canceled and still pays 10.')
  })

  it('lets teams lie so deep and no deeper', () => {
    let deep = charter
    for (let depth = 1; depth <= maxRoomDepth + 1; depth++) {
      expect(charterFaults(deep)).toEqual([])
      deep = hireInto(deep, { step: depth === 1 ? 1 : deep.steps.length, room_id: roomOf(depth), steps: [hired(`d${depth}`, '1')] })
    }
    expect(charterFaults(deep)).toContain(`Step ${deep.steps.length} is nested more than ${maxRoomDepth} teams deep.`)
    expect(stepsAbove(deep, deep.steps.at(-1) as CharterStep).map((step) => step.step)).toEqual([6, 5, 4, 3, 1])
  })

  it('knows who would go round in a circle', () => {
    const below = hireInto(after, { step: 3, room_id: roomOf(2), steps: [hired('c', '1')] })
    const step = below.steps[2] as CharterStep
    expect(circleFault(below, step, didOf('d'))).toBeNull()
    for (const who of [charter.principal_id, first.sender_id, didOf('b')]) expect(circleFault(below, step, who)).not.toBeNull()
  })
})
