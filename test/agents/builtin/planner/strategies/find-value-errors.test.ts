import type { Json } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { buildPlan } from '../../../../../agents/builtin/planner/plan/plan.ts'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { findValueErrors, summaryWithValues } from '../../../../../agents/builtin/planner/strategies/find-value-errors.ts'
import { listing, skill } from '../../market.ts'

type JsonObject = { [key: string]: Json }

function planWith(schema: JsonObject | undefined, data: JsonObject) {
  const port = { name: 'query', type: 'query.any', description: '', optional: false, ...(schema && { schema }) }
  const [offer] = toSkillOffers([listing('any-agent', [{ ...skill('any.do', [], ['any.done'], 1), inputs: [port] }])])
  if (!offer) throw new Error('no offer')
  return buildPlan([{ offer, inputs: [{ port: 'query', type: 'query.any', given: { type: 'query.any', data } }] }])
}
const schema = { type: 'object', required: ['text'], properties: { text: { type: 'string', maxLength: 5 } } }

describe('findValueErrors', () => {
  it('finds a value that the schema of its port does not accept', () => {
    expect(findValueErrors(planWith(schema, { text: 'short' }))).toEqual([])
    expect(findValueErrors(planWith(schema, { text: 'too long' }))).toEqual([
      expect.stringMatching(/^Step 1: the value for query\.any is not of its schema\./),
    ])
    expect(findValueErrors(planWith(schema, {}))).toHaveLength(1)
  })

  it('leaves to the agent what it cannot check', () => {
    expect(findValueErrors(planWith(undefined, { text: 1 }))).toEqual([])
    expect(findValueErrors(planWith({ $ref: 'https://schemas.example/any' }, { text: 1 }))).toEqual([])
    expect(findValueErrors(planWith({ description: 'x'.repeat(30_000), type: 'string' }, { text: 1 }))).toEqual([])
  })

  it('does not run a slow pattern of a publisher', () => {
    const slow = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } }
    const startedAt = Date.now()
    expect(findValueErrors(planWith(slow, { text: `${'a'.repeat(60)}!` }))).toEqual([])
    expect(Date.now() - startedAt).toBeLessThan(5_000)
  })
})

describe('summaryWithValues', () => {
  it('shows each value as it goes to its agent, within a limit', () => {
    expect(summaryWithValues('A thing.', planWith(schema, { text: 'short' }))).toBe('A thing. Read as: any.do: {"text":"short"}')
    expect(summaryWithValues('A thing.', planWith(schema, { text: 'x'.repeat(5_000) })).length).toBeLessThan(400)
  })
})
