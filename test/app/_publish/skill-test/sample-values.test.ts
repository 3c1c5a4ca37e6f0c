import { Skill } from '@parley/protocol'
import { expect, it } from 'vitest'
import { inputFieldsOf } from '../../../../app/_calls/call-inputs.ts'
import { sampleValues } from '../../../../app/_publish/skill-test/sample-values.ts'

const skillOf = (input: unknown, ports: object[]) =>
  Skill.parse({
    ...{ id: 'a.b', name: 'A', description: '', price: '0', inputs: ports, outputs: [{ name: 'o', type: 'a.b' }] },
    samples: input === undefined ? [] : [{ title: 'One', input, output: '' }],
  })
const text = { name: 'text', type: 'document.text' }
const query = { name: 'query', type: 'query.words', schema: { properties: { words: { type: 'array' }, limit: { type: 'integer' } } } }

it.each([
  ['no sample', undefined, [text], {}],
  ['a text', 'hello', [text], { text: 'hello' }],
  ['an object for a file', { a: 1 }, [text], { text: '{"a":1}' }],
  ['the values of a schema', { words: ['a', 'b'], limit: 5, other: 1 }, [query], { 'query.words': 'a\nb', 'query.limit': '5' }],
  ['several inputs', { text: 'hello', query: { limit: 2 } }, [text, query], { text: 'hello', 'query.limit': '2' }],
  ['a sample of another form', [1, 2], [query], {}],
])('%s', (_, input, ports, values) => {
  const skill = skillOf(input, ports)
  expect(sampleValues(skill, inputFieldsOf(skill))).toEqual(values)
})
