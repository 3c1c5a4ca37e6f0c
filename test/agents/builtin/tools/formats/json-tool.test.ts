import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { jsonTool } from '../../../../../agents/builtin/tools/formats/json-tool.ts'
import { writeJson } from '../../../../../agents/builtin/tools/formats/json-tree.ts'
import { parseJsonSource } from '../../../../../agents/builtin/tools/formats/parse-json-source.ts'
import { readYaml, writeYaml } from '../../../../../agents/builtin/tools/formats/read-and-write-yaml.ts'
import { type AttachedText, askFormat } from './ask-format.ts'

const ask = (text: string, ...files: AttachedText[]) => askFormat(jsonTool, text, ...files)
const treeOf = (text: string) => {
  const parsed = parseJsonSource(text)
  if ('fault' in parsed) throw new Error(parsed.fault.message)
  return parsed.tree
}

describe('format.json', () => {
  it.each([
    ['format this json nicely: {"a":1,"b":[]}', 'Formatted JSON:\n{\n  "a": 1,\n  "b": []\n}'],
    [
      'Can u pretty print {"id":12345678901234567890,"x":1.10} json pls',
      'Formatted JSON:\n{\n  "id": 12345678901234567890,\n  "x": 1.10\n}',
    ],
    ['pretty print with 4 spaces and sort keys\n\n{"b":1,"a":2}', 'Formatted JSON:\n{\n    "a": 2,\n    "b": 1\n}'],
    ['Please minify the following JSON:\n```json\n{ "a": [ 1, 2 ],\n "b": {} }\n```\nThanks!', 'Minified JSON:\n{"a":[1,2],"b":{}}'],
    ['I need this JSON on one line: {\n"a": 1,\n"b": "x y"}', 'Minified JSON:\n{"a":1,"b":"x y"}'],
    ['Is `[1,2,,3]` valid JSON?', 'Not valid JSON. Line 1, column 6: two commas follow one another.'],
    [
      'is this json valid? {"a": 1, "a": 2}',
      'Valid JSON: an object with 2 members. The name "a" comes twice in one object; most programs keep only the last.',
    ],
    ['json to yaml {"a":{"b":[1,{"c":"yes","d":"x: y"},[]]}}', 'As YAML:\na:\n  b:\n    - 1\n    - c: "yes"\n      d: "x: y"\n    - []'],
    [
      'convert this yaml to json:\nname: Bob\nitems:\n  - a: 2.50\n  - no',
      'As JSON:\n{\n  "name": "Bob",\n  "items": [\n    {\n      "a": 2.50\n    },\n    "no"\n  ]\n}',
    ],
    ['yaml to json: a: [1]\nb: yes', 'As JSON:\n{\n  "a": [\n    1\n  ],\n  "b": "yes"\n}'],
    ['I\'ve got this JSON from an API and can\'t read it: {"a":1}. Could you make it readable?', 'Formatted JSON:\n{\n  "a": 1\n}'],
    ['turn this into yaml: {"a": true}', 'As YAML:\na: true'],
    ['Validate this YAML:\na: 1\n b: 2', 'Not valid YAML. Line 1, column 4: Nested mappings are not allowed in compact mappings.'],
  ])('answers %j', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('states the place of a fault and shows a repaired form', async () => {
    const answer = await ask('is this valid json? {"a":1,}')
    expect(answer).toContain('Line 1, column 7: a comma stands before the closing }; remove it.')
    expect(answer).toContain('{\n  "a": 1\n}')
    expect(await ask("fix this json: {name: 'Bob', tags: ['a',], ok: True")).toContain(
      '{\n  "name": "Bob",\n  "tags": [\n    "a"\n  ],\n  "ok": true\n}',
    )
    expect(await ask('format this json: {"a" 1}')).toMatch(
      /^refuses: The JSON is not valid. Line 1, column 6: a colon is missing after the name "a"/,
    )
  })

  it('works on attached files', async () => {
    const broken = { name: 'x.json', text: '{\n "a": 1\n "b": 2}' }
    expect(await ask('validate the attached file please', broken)).toContain('Line 3, column 2: a comma is missing')
    expect(await ask('convert the attached yaml to json', { name: 'c.yaml', text: 'b: [x, y]' })).toContain('"b": [\n    "x",')
    expect(await ask('format the attached file', { name: 'c.yaml', text: 'a: 1' })).toBe('not taken')
  })

  it.each([
    'How do I format JSON in VS Code?',
    'format this json and email it to bob: {"a":1}',
    'convert this json to csv: [{"a":1}]',
    'What is the value of b in {"a":1,"b":2}',
    'Write a JSON schema for {"a":1}',
    'sort this json by price: [{"price":1}]',
    'Do not format this JSON: {"a":1}',
    'format this json in python: {"a":1}',
    'data',
    'Fix my file',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('asks for the text that is missing', async () => {
    expect(await ask('Format this JSON')).toMatch(/^asks: Which text is it\?/)
  })

  it('accepts exactly what JSON.parse accepts, and keeps the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', '  ', '\t'), (value, indent) => {
        const source = JSON.stringify(value, null, 3)
        expect(JSON.parse(writeJson(treeOf(source), { indent }))).toEqual(JSON.parse(source))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"01.e-tnul \\\n'), maxLength: 12 }), (text) => {
        let isValid = true
        try {
          JSON.parse(text)
        } catch {
          isValid = false
        }
        expect('tree' in parseJsonSource(text)).toBe(isValid)
      }),
      { numRuns: 3_000 },
    )
  })

  it('writes YAML that means the same, and reads it back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const source = JSON.stringify(value)
        const yaml = writeYaml(treeOf(source))
        expect(parse(yaml)).toEqual(JSON.parse(source))
        expect(JSON.parse(writeJson(readYaml(yaml), { indent: '' }))).toEqual(JSON.parse(source))
      }),
    )
  })

  const broken = '{\n  "name": "x",\n  "pins": [4 17,],\n  "t": 32.5,\n}\n'
  const file = { name: 'greenhouse.json', type: 'document.text', head: broken, isWhole: true }
  const goal = (text: string) => ({ text, words: text, quotations: [], files: [file] })
  it.each([
    ["config wont load, it just says 'unexpected token'. whats wrong with it and can i have a fixed + nicely indented one", 'repair'],
    ['fix it please', 'repair'],
    ['wont parse. whats wrong with it, and give me the yaml', 'repair_to_yaml'],
    ['Please repair greenhouse.json and tell me what was wrong.', 'repair'],
    ['can i have a valid version of this config', 'repair'],
    ['My app refuses to start, json parse error. Can you find the mistake?', 'validate'],
  ])('reads a broken file for %s', (text, action) => {
    expect(jsonTool.readGoal(goal(text))).toMatchObject({ query: { action } })
  })

  it('names the lines of all faults', async () => {
    const inputs = [
      { port: 'query', type: 'query.json', data: { action: 'repair' } },
      { port: 'document', type: 'document.text', text: broken },
    ]
    expect(await jsonTool.run({ inputs })).toMatchObject({
      text: expect.stringContaining(
        'Repaired JSON: a missing comma was added (line 3); a comma before the closing ] was removed (line 3); a comma before the closing } was removed (line 4).',
      ),
    })
  })

  it.each(['remove the pins from it', 'send the fixed config to my server'])('does not read %s', (text) => {
    expect(jsonTool.readGoal(goal(text))).toBeUndefined()
  })
})
