import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { generateSchemas, generateSpec, schemaFolder, specFile } from '../../protocol/generate.ts'

it('the committed schemas are those of the source (otherwise: node protocol/generate.ts)', () => {
  const committed = new Map(readdirSync(schemaFolder).map((file) => [file, readFileSync(path.join(schemaFolder, file), 'utf8')]))
  expect([...committed.keys()].sort()).toEqual([...generateSchemas().keys()].sort())
  for (const [file, content] of generateSchemas()) expect(committed.get(file), file).toBe(content)
})

it('the table of rooms in the specification is that of the source (otherwise: node protocol/generate.ts)', () => {
  const spec = readFileSync(specFile, 'utf8')
  expect(spec).toBe(generateSpec(spec))
  expect(spec).toContain('| `conclude` | lead |')
})
