import type { Json } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { fillArguments } from '../../../../../agents/builtin/planner/intent/fill-arguments.ts'
import { findQuotations, withoutQuotations } from '../../../../../agents/builtin/planner/intent/find-quotations.ts'

const fill = (schema: { readonly [key: string]: Json } | undefined, text: string) =>
  fillArguments(schema, { words: withoutQuotations(text), quotations: findQuotations(text) })
const object = (properties: { readonly [key: string]: Json }, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const text = { type: 'string' }

const translate = object({ text, target_language: text })

describe('fillArguments', () => {
  it.each([
    ["Translate 'good morning' to German", { text: 'good morning', target_language: 'German' }],
    ['translate “see you” into french please', { text: 'see you', target_language: 'French' }],
    ['Translate to Spanish: I am late, sorry', { text: 'I am late, sorry', target_language: 'Spanish' }],
    ["What's “the boss's dog” in Dutch?", { text: "the boss's dog", target_language: 'Dutch' }],
  ])('reads text and language in %s', (goal, data) => {
    expect(fill(translate, goal)).toEqual({ data, missing: [] })
  })

  it('writes a code where the schema asks for one', () => {
    const schema = object({ text, to: { type: 'string', description: 'ISO 639-1 code' } })
    expect(fill(schema, 'Translate "yes" to German').data).toEqual({ text: 'yes', to: 'de' })
    expect(fill(object({ text, lang: { enum: ['de', 'fr'] } }), 'Translate "yes" to French').data).toEqual({ text: 'yes', lang: 'fr' })
  })

  it('names what the words do not give, with the words of the schema', () => {
    const schema = object({ text, target_language: { type: 'string', description: 'The language to write in.' } })
    expect(fill(schema, 'Translate "yes"')).toEqual({
      data: { text: 'yes' },
      missing: ['target_language (The language to write in)'],
    })
    expect(fill(object({ width: { type: 'integer' } }), 'Make it wide').missing).toEqual(['width'])
  })

  it('reads the choice, the number, the address and the named value', () => {
    const schema = object({
      style: { enum: ['formal', 'casual'] },
      max_sentences: { type: 'integer', minimum: 1, maximum: 9 },
      url: { type: 'string', format: 'uri' },
      tone: text,
    })
    expect(fill(schema, 'Summarise https://example.com/a?b=1. in 3 sentences, casual; tone: friendly')).toEqual({
      data: { style: 'casual', max_sentences: 3, url: 'https://example.com/a?b=1', tone: 'friendly' },
      missing: [],
    })
    expect(fill(schema, 'Summarise it in 12 sentences, casual or formal').missing).toEqual(['style', 'max_sentences', 'url', 'tone'])
  })

  it('gives the whole request to a prompt, and quotations in order to several texts', () => {
    expect(fill(object({ prompt: text }), 'Write a haiku on rain').data).toEqual({ prompt: 'Write a haiku on rain' })
    expect(fill(object({ text, other_text: text }), 'Compare "a" and "b"').data).toEqual({ text: 'a', other_text: 'b' })
  })

  it('takes one text where there is no schema, and fills optional properties only from words', () => {
    expect(fill(undefined, 'Shout "hello"')).toEqual({ data: { text: 'hello' }, missing: [] })
    expect(fill(object({ text, limit: { type: 'integer' } }, ['text']), 'Cut "hello"')).toEqual({ data: { text: 'hello' }, missing: [] })
  })

  it('survives the schemas of hostile publishers', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}(`, text]))
    expect(fill(object(many), '"x"').missing.length).toBeLessThanOrEqual(32)
    const proto = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"text":{"type":"string"}},"required":["text"]}')
    const { data } = fill(proto, '__proto__: evil, "hello"')
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
    expect(data.text).toBe('hello')
    expect(fill({ properties: 'none' }, 'x "y"').data).toEqual({ text: 'y' })
    expect(fill(object({ text: null as unknown as Json }), '"y"')).toEqual({ data: {}, missing: [] })
  })

  it('takes time that is linear in the goal', () => {
    const before = performance.now()
    fill(object({ text, max_items: { type: 'integer' }, url: text }), `${'to 5 "a '.repeat(1_000)}https://${'a'.repeat(5_000)}`)
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})
