import { expect, it } from 'vitest'
import { rewriteImports } from '../../../../server/embedded/packages/rewrite-imports.ts'

const included = [{ name: '@x/protocol', folder: 'protocol' }]

it.each([
  ["import { a } from './a.ts';", 'b.d.ts', "import { a } from './a.js';"],
  ["export * from '../a.js';", 'b/c.js', "export * from '../a.js';"],
  ["import { a } from '@x/protocol';", 'b.js', "import { a } from './protocol/index.js';"],
  ["import { a } from '@x/protocol';", 'b/c/d.js', "import { a } from '../../protocol/index.js';"],
  ["type A = import('@x/protocol').A;", 'b/c.d.ts', "type A = import('../protocol/index.js').A;"],
  ["import '@x/protocol'", 'b.js', "import './protocol/index.js'"],
])('%s in %s', (code, file, expected) => {
  expect(rewriteImports(code, file, included)).toBe(expected)
})

it.each([
  "import { a } from '@x/protocol-more';",
  "import { WebSocket } from 'ws';",
  "const a = './a.ts';",
  "import { a } from '#socket';",
])('leaves %s as it is', (code) => {
  expect(rewriteImports(code, 'b/c.js', included)).toBe(code)
})
