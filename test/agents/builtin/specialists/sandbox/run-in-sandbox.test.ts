import { describe, expect, it } from 'vitest'
import { runInSandbox } from '../../../../../agents/builtin/specialists/sandbox/run-in-sandbox.ts'

const code = 'function add(a, b) { return a + b }'
const run = async (body: string, of = code) => (await runInSandbox(of, [{ name: 'test', body }], { msPerTest: 500 }))[0]

describe('runInSandbox', { timeout: 60_000 }, () => {
  it.each([
    'assertEqual(add(1, 2), 3)',
    'assertEqual([add(1, 2)], [3])',
    'assert(add(1n, 2n) === 3n)',
    'assertEqual(await Promise.resolve(add(1, 2)), 3)',
  ])('passes %s', async (body) => expect(await run(body)).toEqual({ name: 'test', isPassed: true, message: '' }))

  it.each([
    ['a wrong result', 'assertEqual(add(1, 2), 4)', /expected 4, got 3/],
    ['a wrong result that comes later', 'assertEqual(await Promise.resolve(3), 4)', /expected 4, got 3/],
    ['a loop', 'for (;;);', /more than 500 ms of processor time/],
    ['a loop behind a promise', 'await null; for (;;);', /more than 500 ms of processor time/],
    ['a slow regular expression', '/(a+)+$/.test("a".repeat(40) + "b")', /more than 500 ms of processor time/],
    ['memory without end', 'const all = []; for (;;) all.push(new ArrayBuffer(2e7))', /out of memory/],
    ['recursion without end', 'function f() { f() } f()', /call stack/],
    ['a promise that never settles', 'await new Promise(() => {})', /never happens/],
    ['a syntax error', 'assert(', /SyntaxError/],
  ])('fails %s, and ends', async (_, body, message) => {
    expect(await run(body)).toMatchObject({ isPassed: false, message: expect.stringMatching(message) })
  })

  it.each([
    'process',
    'require',
    'fetch',
    'setTimeout',
    'WebSocket',
    'Worker',
    'WebAssembly',
    'console',
    'print',
    'std',
    'os',
    'navigator',
  ])('has no %s', async (name) => expect(await run(`assertEqual(typeof ${name}, 'undefined')`)).toMatchObject({ isPassed: true }))

  it('loads no module', async () => {
    expect(await run('await import("node:fs")')).toMatchObject({ isPassed: false })
    expect(await run('await import("/etc/passwd")')).toMatchObject({ isPassed: false })
  })

  it('keeps one test away from the next, and its own functions away from the code', async () => {
    const outcomes = await runInSandbox(`${code}\nglobalThis.assertEqual = () => {}`, [
      { name: 'changes', body: 'globalThis.add = () => 3' },
      { name: 'next', body: 'assertEqual(add(2, 2), 4)' },
      { name: 'wrong', body: 'assertEqual(add(2, 2), 5)' },
    ])
    expect(outcomes.map(({ isPassed }) => isPassed)).toEqual([true, true, false])
  })

  it.each([
    'Object.is = () => true',
    'Number.isNaN = () => true',
    'JSON.stringify = () => "1"',
    'Object.prototype.toJSON = () => 1',
    'Array.prototype.toJSON = () => 1',
    'BigInt.prototype.toJSON = () => "1"',
    'Object.defineProperty(Array.prototype, "toJSON", { value: () => 1 })',
    'globalThis.Error = function () {}',
    'Object.getOwnPropertyDescriptor = Reflect.deleteProperty = () => undefined; Object.prototype.toJSON = () => 1',
    'Array.prototype[Symbol.iterator] = function* () { yield "1"; yield "1" }',
    'function sum() { Object.prototype.toJSON = () => 1; return [0n] }',
  ])('compares results with its own functions: %s', async (trick) => {
    expect(await run('assertEqual(sum(1, 2), [3n])', `var sum = () => [0n]\n${trick}`)).toMatchObject({ isPassed: false })
    expect(await run('assertEqual(sum(), [{ a: 0 }])', `var sum = () => [{ a: 3 }]\n${trick}`)).toMatchObject({ isPassed: false })
  })

  it('leaves the code its own way to write values', async () => {
    const writes = 'BigInt.prototype.toJSON = function () { return String(this) }\nfunction write(value) { return JSON.stringify(value) }'
    expect(await run(`assertEqual([1n], [1n])\nassertEqual(write([1n]), '["1"]')`, writes)).toMatchObject({ isPassed: true })
  })

  it('does not run the tests after one that does not end', async () => {
    const outcomes = await runInSandbox(
      code,
      ['assert(true)', 'for (;;);', 'assert(true)'].map((body, at) => ({ name: `test ${at}`, body })),
      { msPerTest: 500 },
    )
    expect(outcomes.map(({ message }) => message)).toEqual([
      '',
      'It took more than 500 ms of processor time.',
      'It was not run: a test before it did not end.',
    ])
  })

  it('ends with the task', async () => {
    const [outcome] = await runInSandbox(code, [{ name: 'test', body: 'for (;;);' }], {
      msPerTest: 60_000,
      signal: AbortSignal.timeout(1_500),
    })
    expect(outcome).toEqual({ name: 'test', isPassed: false, message: 'The task ended.' })
  })
})
