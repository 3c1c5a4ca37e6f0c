import { createHash } from 'node:crypto'
import type { Skill } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { inputFaultsOf, inputFieldsOf, readInputs } from '../../../app/_calls/call-inputs.ts'
import { translate } from '../translate.ts'

const t = translate('calls.callForm')

const schema = {
  type: 'object',
  required: ['company'],
  properties: {
    company: { type: 'string', description: 'Name or ticker.' },
    companies: { type: 'array', items: { type: 'string' } },
    metric: { enum: ['revenue', 'net_income'], default: 'revenue' },
    from: { type: 'integer' },
  },
}
const skill: Skill = {
  id: 'figures.lookup',
  name: 'Look up',
  description: '',
  price: '1',
  tags: [],
  samples: [],
  inputs: [
    { name: 'query', type: 'query.figures', description: '', optional: false, schema: schema as never },
    { name: 'table', type: 'table.csv', description: 'A table.', optional: true },
  ],
  outputs: [{ name: 'series', type: 'table.series', description: '', optional: false }],
}
const digest = async (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('fieldsOf', () => {
  it('asks a port with a schema property by property, and any other for its text', () => {
    expect(inputFieldsOf(skill).map(({ key, node }) => [key, node.label, node.kind, node.isRequired, node.fallback])).toEqual([
      ['query.company', 'Company', 'text', true, ''],
      ['query.companies', 'Companies', 'lines', false, ''],
      ['query.metric', 'Metric', 'choice', false, 'revenue'],
      ['query.from', 'From', 'number', false, ''],
      ['table', 'Table', 'text', false, ''],
    ])
  })
})

describe('inputFaultsOf', () => {
  it('names what is missing and what is no number', () => {
    expect(Object.keys(inputFaultsOf(inputFieldsOf(skill), {}, t))).toEqual(['query.company'])
    expect(Object.keys(inputFaultsOf(inputFieldsOf(skill), { 'query.company': 'x', 'query.from': 'many' }, t))).toEqual(['query.from'])
    expect(inputFaultsOf(inputFieldsOf(skill), { 'query.company': 'x', 'query.from': '2014' }, t)).toEqual({})
    expect(inputFaultsOf(inputFieldsOf(skill), { 'query.company': 'x', 'query.from': '2014.5' }, t)).toEqual({
      'query.from': 'A whole number.',
    })
  })

  it('needs the fields of an optional input only once one of them is written', () => {
    const optional = inputFieldsOf({ inputs: [{ ...skill.inputs[0], optional: true } as never] })
    expect(inputFaultsOf(optional, {}, t)).toEqual({})
    expect(Object.keys(inputFaultsOf(optional, { 'query.from': '2014' }, t))).toEqual(['query.company'])
  })
})

describe('readInputs', () => {
  it('makes a value of the properties, a file of a text, and nothing of what was left out', async () => {
    const given = { 'query.company': ' Contoso ', 'query.companies': ' a, b \n\nc', 'query.from': '2014', table: 'year,x\n2014,1\n' }
    const { inputs, attachments } = await readInputs(inputFieldsOf(skill), given, digest)
    expect(inputs[0]).toEqual({
      port: 'query',
      type: 'query.figures',
      data: { company: 'Contoso', companies: ['a, b', 'c'], from: 2014 },
    })
    const bytes = Buffer.from('year,x\n2014,1\n')
    expect(inputs[1]).toMatchObject({
      port: 'table',
      artifact: { sha256: await digest(bytes), size: bytes.length, media_type: 'text/csv' },
    })
    expect(attachments).toMatchObject([{ name: 'table-csv.csv', artifact_type: 'table.csv', content: bytes.toString('base64') }])
    expect((await readInputs(inputFieldsOf(skill), { 'query.company': 'x' }, digest)).inputs).toHaveLength(1)
  })

  it('says of a text that is JSON that it is', async () => {
    const { attachments } = await readInputs(
      inputFieldsOf({ ...skill, inputs: [{ name: 'series', type: 'table.series', description: '', optional: false }] }),
      { series: '{"rows":[]}' },
      digest,
    )
    expect(attachments[0]).toMatchObject({ media_type: 'application/json', name: 'table-series.json' })
  })
})
