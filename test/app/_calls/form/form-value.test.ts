import type { Json } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { readFormValue, toFormValue } from '../../../../app/_calls/form/form-value.ts'
import { schemaToFormNode } from '../../../../app/_calls/form/schema-to-form-node.ts'
import { validateFormValue } from '../../../../app/_calls/form/validate-form-value.ts'
import { translate } from '../../translate.ts'

const t = translate('calls.callForm')
const nodeOf = (schema: object, isRequired = true) =>
  schemaToFormNode(schema as Json, { root: schema as never, name: 'order', isRequired, depth: 0 })

/** An order as a publisher may describe it: groups, lists of groups, bounds, dates, choices, references. */
const order = {
  type: 'object',
  title: 'Order',
  required: ['customer', 'items', 'priority'],
  $defs: { money: { type: 'number', minimum: 0, exclusiveMaximum: 10_000 } },
  properties: {
    customer: {
      type: 'object',
      description: 'Who pays.',
      required: ['name'],
      properties: { name: { type: 'string', minLength: 2 }, mail: { type: 'string', format: 'email' }, vip: { type: 'boolean' } },
    },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: {
        type: 'object',
        required: ['sku', 'count'],
        properties: { sku: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 9 }, price: { $ref: '#/$defs/money' } },
      },
    },
    priority: { enum: ['low', 'high', 3] },
    due: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' } },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    extra: { oneOf: [{ type: 'object' }, { type: 'array' }] },
  },
}
const node = nodeOf(order)
const written = {
  customer: { name: 'Ana', mail: 'ana@example.com', vip: 'false' },
  items: [
    { sku: 'A1', count: '2', price: '9.50' },
    { sku: 'B2', count: '1' },
  ],
  priority: '3',
  due: '2026-12-01',
  tags: 'red, dark\nblue\n',
  extra: '{"a":1}',
}
const value = {
  customer: { name: 'Ana', mail: 'ana@example.com', vip: false },
  items: [
    { sku: 'A1', count: 2, price: 9.5 },
    { sku: 'B2', count: 1 },
  ],
  priority: 3,
  due: '2026-12-01',
  tags: ['red, dark', 'blue'],
  extra: { a: 1 },
}

describe('schemaToFormNode', () => {
  it('reads each kind of field, with labels, hints and required marks', () => {
    if (node.kind !== 'group') throw new Error('not a group')
    expect(node.fields.map(([name, { kind, isRequired }]) => [name, kind, isRequired])).toEqual([
      ['customer', 'group', true],
      ['items', 'list', true],
      ['priority', 'choice', true],
      ['due', 'text', false],
      ['tags', 'lines', false],
      ['note', 'text', false],
      ['extra', 'json', false],
    ])
    expect([node.label, node.fields[0]?.[1].hint]).toEqual(['Order', 'Who pays.'])
    expect(nodeOf({ type: ['integer', 'null'], minimum: 3 })).toMatchObject({ kind: 'number', isInteger: true, min: 3, isRequired: false })
    expect(nodeOf({ anyOf: [{ const: 'a' }, { const: 'b' }] })).toMatchObject({ kind: 'choice', choices: ['a', 'b'] })
  })

  it('ends at a schema that contains itself, and at one that is nested too deep', () => {
    const tree = { $defs: { tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } } }, $ref: '#/$defs/tree' }
    expect(JSON.stringify(nodeOf(tree))).toContain('"json"')
    const loop = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }
    expect(nodeOf(loop).kind).toBe('json')
  })
})

describe('a form value', () => {
  it('becomes the JSON value, and back', () => {
    expect(validateFormValue(node, written, 'order', t)).toEqual({})
    expect(readFormValue(node, written)).toEqual(value)
    expect(readFormValue(node, toFormValue(node, value))).toEqual(value)
    const at = nodeOf({ type: 'string', format: 'date-time' })
    expect(readFormValue(at, toFormValue(at, '2026-12-01T10:30:00.000Z'))).toBe('2026-12-01T10:30:00.000Z')
  })

  it('leaves out what is not written', () => {
    expect(readFormValue(nodeOf(order, false), {})).toBeUndefined()
    expect(readFormValue(node, { ...written, customer: { name: 'Ana' }, due: ' ', tags: '', extra: '' })).toEqual({
      ...{ customer: { name: 'Ana' }, items: value.items, priority: 3 },
    })
  })

  it.each([
    [{}, { 'order.customer.name': 'The agent needs this.', 'order.items': 'At least 1 value.', 'order.priority': 'The agent needs this.' }],
    [
      { ...written, customer: { name: 'A', mail: 'ana' } },
      { 'order.customer.name': 'At least 2 characters.', 'order.customer.mail': 'A mail address.' },
    ],
    [
      { ...written, items: [{ sku: 'A1', count: '10' }, {}] },
      { 'order.items.0.count': '9 or less.', 'order.items.1.sku': 'The agent needs this.', 'order.items.1.count': 'The agent needs this.' },
    ],
    [{ ...written, items: [1, 2, 3].map((count) => ({ sku: 'x', count: String(count) })) }, { 'order.items': 'At most 2 values.' }],
    [
      { ...written, items: [{ sku: 'A1', count: '0.5', price: '10000' }] },
      { 'order.items.0.count': 'A whole number.', 'order.items.0.price': 'Less than 10000.' },
    ],
    [{ ...written, priority: 'medium' }, { 'order.priority': 'Choose one of the values.' }],
    [{ ...written, due: 'soon' }, { 'order.due': 'A date.' }],
    [{ ...written, extra: '{' }, { 'order.extra': 'This is not valid JSON.' }],
  ])('names what is wrong at its field: %#', (given, faults) => {
    expect(validateFormValue(node, given as never, 'order', t)).toEqual(faults)
  })
})
