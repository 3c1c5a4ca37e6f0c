import type { Listing, Skill } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { findExampleGoals } from '../../../../../../agents/builtin/planner/quote/examples/find-example-goals.ts'
import { quoteGoal } from '../../../../../../agents/builtin/planner/quote/quote-goal.ts'
import { builtinMarket, idOf, listing, skill } from '../../../market.ts'

const planner = { agent_id: idOf('agt', 'house-principal'), price: 1_000_000n }
const others = builtinMarket()
type Part = Partial<Skill>

const examplesOf = (own: Listing, more: Partial<Parameters<typeof findExampleGoals>[0]> = {}) =>
  findExampleGoals({ listing: own, skillId: own.skills[0]?.id ?? '', others, planner, decimals: 6, ...more })
const ofSkill = (id: string, types: [string[], string[]], price = 100_000, more: Part = {}): Listing =>
  listing('novel-agent', [skill(id, ...types, price, more as never)])
const withSchema = (type: string, properties: object, required: string[]): Skill['inputs'] => [
  { name: 'query', type, description: '', optional: false, schema: { type: 'object', properties, required } as never },
]

const shout = ofSkill('text.shout', [['query.text'], ['text.shout']], 100_000, { name: 'Shout', description: 'Writes a text in capitals.' })

describe('findExampleGoals', () => {
  it('gives goals that the quote gives to this skill', () => {
    const { goals, obstacle } = examplesOf(shout)
    expect(obstacle).toBeNull()
    expect(goals.map(({ text }) => text)).toContain('Shout: “The delivery came two days late, but the support was friendly.”')
    for (const { text, total } of goals) {
      const goal = { text, criteria: [], attachments: [], answers: [] }
      const quote = quoteGoal({ goal, listings: [shout, ...others], planner, payable: null, decimals: 6 })
      expect(quote).toMatchObject({ outcome: 'planned', total, steps: [{ handle: 'novel-agent', skillId: 'text.shout' }] })
    }
  })

  it('gives at most three, with the values of the samples', () => {
    const samples = ['Good morning', 'Good evening', 'Good night', 'Goodbye'].map((input) => ({
      title: `Shout ${input}`,
      input,
      output: '',
    }))
    const { goals } = examplesOf({ ...shout, skills: shout.skills.map((one) => ({ ...one, samples })) })
    expect(goals.map(({ text }) => text)).toEqual(['Good morning', 'Good evening', 'Good night'].map((one) => `Shout ${one}: “${one}”`))
  })

  it('fills languages, numbers and choices by words', () => {
    const inputs = withSchema(
      'query.translation',
      { text: { type: 'string' }, target_language: { type: 'string' }, tone: { enum: ['formal', 'casual'] }, limit: { type: 'integer' } },
      ['text', 'target_language', 'tone', 'limit'],
    )
    const own = ofSkill('text.translate', [[], ['text.translation']], 1, { name: 'Translate a text', inputs })
    expect(examplesOf(own).goals[0]?.text).toMatch(/^Translate a text into German: “.*”, tone: formal, limit: 5$/)
  })

  it('attaches a file where the skill takes one', () => {
    const own = ofSkill('document.abstract', [['file.any'], ['text.abstract']], 1, { name: 'Write an abstract' })
    expect(examplesOf(own).goals[0]).toMatchObject({ text: 'Write an abstract', files: ['notes.pdf'], steps: 1 })
  })

  it('finds the goals of which the skill does one step', () => {
    const own = ofSkill('chart.draw', [['table.series'], ['chart.svg']], 1, { name: 'Draw' })
    expect(examplesOf(own).goals[0]).toMatchObject({ text: expect.stringContaining('as an SVG chart'), steps: 2 })
  })

  it.each([
    ['the planner’s own skill', ofSkill('goal.plan', [[], ['plan']]), { kind: 'planner' }],
    [
      'an agent that makes the same for less',
      ofSkill('chart.draw', [['table.series'], ['chart.svg']], 90_000_000),
      { kind: 'cheaper_rival', handle: 'house-plotter', type: 'chart.svg', price: 400_000n },
    ],
    [
      'an input that nothing gives',
      ofSkill('score.play', [['music.score'], ['audio.recording']], 1, { name: 'Play a score' }),
      { kind: 'unreachable_input', port: 'p0', type: 'music.score' },
    ],
    [
      'a property that no words fill',
      ofSkill('rows.sum', [[], ['number.sum']], 1, { inputs: withSchema('query.rows', { rows: { type: 'array' } }, ['rows']) }),
      { kind: 'unfilled_properties', port: 'query', properties: ['rows'] },
    ],
    ['words that no goal uses', ofSkill('x.y', [['query.z'], ['a.b']], 1, { name: 'It' }), { kind: 'vague_words' }],
    [
      'a type of the planner’s own readers',
      ofSkill('weights.convert', [['query.unit_conversion'], ['weight.value']], 1, { name: 'Convert weights' }),
      { kind: 'reserved_input', port: 'p0', type: 'query.unit_conversion' },
    ],
    [
      'words that fit another skill',
      ofSkill('web.browse', [['query.browse'], ['web.page']], 1, { name: 'A QR code', description: '' }),
      { kind: 'other_skill', handle: 'house-calculator' },
    ],
  ])('states what stands in the way: %s', (_, own, obstacle) => {
    expect(examplesOf(own)).toMatchObject({ goals: [], obstacle })
  })

  it('reports that no planner is online', () => {
    expect(examplesOf(shout, { planner: null })).toEqual({ goals: [], obstacle: { kind: 'no_planner' } })
  })

  it.each(['"', '“', '`', 'constructor', '__proto__', '(((', '\\'])('survives %s in every text of a skill', (text) => {
    const own = ofSkill('text.any', [['query.text'], ['text.any']], 1, {
      name: `Any ${text}`,
      description: text.repeat(300),
      tags: [text],
      samples: [{ title: `Any ${text}`, input: { [text]: text, text }, output: text }],
      inputs: withSchema('query.any', { [text]: { type: 'string' }, text: { type: 'string' } }, [text, 'text']),
    })
    expect(() => examplesOf(own)).not.toThrow()
  })
})
