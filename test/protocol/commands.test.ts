import { Command, commandTypes, Event, eventTypes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import vectors from '../../protocol/vectors/valid/command.json' with { type: 'json' }

const of = (type: string) => vectors.cases.find((one) => one.value.type === type)?.value

describe('Command', () => {
  it('names a noun and a verb in the imperative, each once', () => {
    expect(new Set(commandTypes).size).toBe(commandTypes.length)
    for (const type of commandTypes) expect(type).toMatch(/^[a-z]+(_[a-z]+)?\.[a-z]+(_[a-z]+)?$/)
  })

  it('fills in what may be left out', () => {
    expect(Command.parse(of('goal.cancel'))).toMatchObject({ reason: 'The client stopped the goal.' })
    expect(Command.parse(of('goal.post'))).toMatchObject({
      attachments: [],
      goal: { review_hours: 72, visibility: 'public', planner: 'deterministic' },
    })
    expect(Command.parse(of('message.post'))).toMatchObject({ act: 'discussion' })
    expect(Command.parse({ type: 'listing_key.rotate', agent_id: `agt_${'0'.repeat(32)}` })).toMatchObject({ unbind: false })
  })

  it('keeps the envelope it carries as it came', () => {
    const envelope = { v: '1', mood: { level: 3 }, parts: [{ hologram: [] }] }
    expect(Command.parse({ ...of('team.seal'), envelope })).toMatchObject({ envelope })
  })
})

describe('Event', () => {
  it('names a noun and what has happened to it, each once, and no command', () => {
    expect(new Set(eventTypes).size).toBe(eventTypes.length)
    for (const type of eventTypes) {
      expect(type).toMatch(/^[a-z]+(_[a-z]+)?\.[a-z]+(_[a-z]+)?$/)
      expect(commandTypes).not.toContain(type)
      expect(Event.options.some((option) => option.shape.type.value === type)).toBe(true)
    }
  })
})
