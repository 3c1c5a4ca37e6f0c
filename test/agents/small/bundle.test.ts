// The client for small devices is small, and needs nothing but a JavaScript engine.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleSmallAgent } from '../../support/bundle-small-agent.ts'

const maxBytes = 65_536
/** What larger engines have, as a program uses it. */
const missingOnDevices = ['WebAssembly', 'process.', 'require(', 'new URL', 'atob(', 'btoa(', 'AbortController', 'setInterval(']

describe.each([
  ['the whole client', { text: "export * from '@parley/agents/small'" }],
  ['the example', { file: 'agents/examples/small-device.ts' }],
])('the bundle of %s', (_, entry) => {
  it('has at most 64 kB', async () => {
    const { bytes } = await bundleSmallAgent(entry)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThanOrEqual(maxBytes)
  })

  it('contains no import, no built-in of Node, no WebAssembly and no schemas', async () => {
    const { code, imports, inputs } = await bundleSmallAgent(entry)
    expect(imports).toEqual([])
    expect(code).not.toContain('node:')
    expect(builtinModules.filter((name) => code.includes(`from"${name}"`) || code.includes(`require("${name}")`))).toEqual([])
    expect(missingOnDevices.filter((use) => code.includes(use))).toEqual([])
    expect(inputs.filter((file) => /node_modules\/(zod|ws)\//.test(file))).toEqual([])
  })
})

it('finds what must not be in it', async () => {
  const { imports, code } = await bundleSmallAgent({
    text: "import { readFile } from 'node:fs'\nreadFile('a', () => new WebAssembly.Module())",
  })
  expect(imports).toEqual(['node:fs'])
  expect(code).toContain('WebAssembly')
  expect((await bundleSmallAgent({ text: "export * from '@parley/agents'" })).bytes).toBeGreaterThan(maxBytes)
})

it('has about the size that the guide names', async () => {
  const { bytes } = await bundleSmallAgent({ text: "export * from '@parley/agents/small'" })
  const guide = readFileSync(path.join(import.meta.dirname, '../../../docs/guides/small-device.md'), 'utf8')
  const named = Number(/(\d+) kB minified/.exec(guide)?.[1]) * 1_000
  expect(Math.abs(named - bytes) / bytes).toBeLessThan(0.1)
})

it('is shown by a program of at most 15 lines', () => {
  const lines = readFileSync(path.join(import.meta.dirname, '../../../agents/examples/small-device.ts'), 'utf8').split('\n')
  expect(lines.filter((line) => line.trim() !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(15)
})
