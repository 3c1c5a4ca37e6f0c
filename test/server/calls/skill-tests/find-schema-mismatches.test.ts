import { expect, it } from 'vitest'
import { findSchemaMismatches } from '../../../../server/calls/skill-tests/find-schema-mismatches.ts'
import { textUpload } from '../../../support/goal-fixture.ts'

const port = (schema: object | undefined, name = 'out', type = 'text.plain') =>
  ({ name, type, description: '', optional: false, ...(schema && { schema }) }) as never
const faultsOf = (schema: object | undefined, content: string) => findSchemaMismatches([port(schema)], [textUpload(content)])

it.each([
  ['no schema', undefined, 'anything', []],
  ['a value that fits', { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }, '{"a": 1}', []],
  ['a text that fits', { type: 'string', maxLength: 5 }, 'hello', []],
  ['no JSON', { type: 'object' }, 'hello', ['out: The file is not JSON.']],
  ['a schema that cannot be read', { type: 'strange' }, '1', ['out: The schema cannot be read.']],
])('%s', async (_, schema, content, faults) => {
  expect(await faultsOf(schema, content)).toEqual(faults)
})

it('names each value that does not fit', async () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'array', items: { type: 'string' } } } }
  const faults = await faultsOf(schema, '{"a": "one", "b": ["x", 2]}')
  expect(faults).toEqual([expect.stringMatching(/^out: a: /), expect.stringMatching(/^out: b\.1: /)])
})

it('gives outputs of one type their files in order', async () => {
  const outputs = [port({ type: 'integer' }, 'first'), port({ type: 'string' }, 'second')]
  expect(await findSchemaMismatches(outputs, [textUpload('1'), textUpload('two')])).toEqual([])
  expect(await findSchemaMismatches(outputs, [textUpload('one'), textUpload('two')])).toEqual([expect.stringContaining('first')])
})

it('ends a check that a schema makes long, and checks the next, whose time starts then', async () => {
  const levels = Array.from({ length: 40 }, (_, level) => [
    `l${level}`,
    { anyOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
  ])
  const schema = { $defs: { ...Object.fromEntries(levels), l40: { type: 'string' } }, $ref: '#/$defs/l0' }
  const late = 'out: The check against the schema did not end in time.'
  const asked = [schema, schema, { type: 'integer' }].map((one) => faultsOf(one, '1'))
  expect(await Promise.all(asked)).toEqual([[late], [late], []])
})
