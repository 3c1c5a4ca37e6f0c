/**
 * The worker thread of the sandbox: QuickJS in WebAssembly, without files, network, timers or modules. The parent ends the thread if it
 * takes too long.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { QuickJS } from 'quickjs-wasi'
import type { SandboxRun, TestOutcome } from './run-in-sandbox.ts'

/** Bytes of QuickJS's heap, and of its stack. */
const memoryLimit = 64 * 2 ** 20
const maxStackSize = 512 * 1024
const maxMessage = 500

/**
 * A test gets these two functions. They exist before the code runs, and keep the built-in functions that they need. So the code cannot make
 * different values equal, neither by another `Object.is` or `JSON.stringify`, nor by a `toJSON` of all objects.
 */
const harness = `(() => {
  const { is, getOwnPropertyDescriptor, defineProperty } = Object
  const { deleteProperty } = Reflect
  const { stringify } = JSON
  const { isNaN } = Number
  const [asText, Fault] = [String, Error]
  const [all, lists, big] = [Object.prototype, Array.prototype, BigInt.prototype]
  const fail = (message) => { throw new Fault(message) }
  const without = (of, next) => {
    const changed = getOwnPropertyDescriptor(of, 'toJSON')
    if (changed === undefined) return next()
    if (!deleteProperty(of, 'toJSON')) fail('The code changes how values are compared.')
    try { return next() } finally { defineProperty(of, 'toJSON', changed) }
  }
  const json = (value) => stringify(value, (_, one) => typeof one === 'bigint' ? one + 'n' : one)
  const write = (value) => typeof value === 'bigint' ? value + 'n' : value === undefined ? 'undefined' : isNaN(value) ? 'NaN'
    : without(all, () => without(lists, () => without(big, () => json(value))))
  return {
    assert(condition, message) { if (!condition) fail(message === undefined ? 'The condition is false.' : asText(message)) },
    assertEqual(actual, expected, message) {
      if (is(actual, expected)) return
      const got = write(actual)
      const wanted = write(expected)
      if (got !== wanted) fail((message === undefined ? '' : message + ': ') + 'expected ' + wanted + ', got ' + got)
    },
  }
})()`

const { code, tests, msPerTest } = workerData as SandboxRun
const wasm = await WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'))))
/** Output of the code goes nowhere. */
const silent = () => ({ fd_write: () => 8 })

/** The processor time of this thread. A machine with other work does not fail a test that is quick. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Each test has a machine of its own, so that none changes another. `isOver`: whether its limit ended it. */
async function runTest(name: string, body: string): Promise<Result> {
  const end = usedMs() + msPerTest
  const vm = await QuickJS.create({ wasm, memoryLimit, maxStackSize, interruptHandler: () => usedMs() > end, wasi: silent })
  try {
    const { assert, assertEqual } = functionsOf(vm)
    vm.evalCode(code, 'code.js').dispose()
    const test = vm.evalCode(`(async (assert, assertEqual) => {\n${body}\n})`, 'test.js')
    const promise = vm.callFunction(test, vm.undefined, assert, assertEqual)
    vm.executePendingJobs()
    if (promise.promiseState === 0) return failed(name, 'It waits for something that never happens.')
    const result = await vm.resolvePromise(promise)
    if ('error' in result) {
      const thrown = result.error.consume((error) => error.toString())
      return failed(name, thrown)
    }
    return { outcome: { name, isPassed: true, message: '' }, isOver: false }
  } catch (error) {
    if (usedMs() > end) return { ...failed(name, `It took more than ${msPerTest} ms of processor time.`), isOver: true }
    return failed(name, error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  } finally {
    vm.dispose()
  }
}

type Result = { readonly outcome: TestOutcome; readonly isOver: boolean }

const failed = (name: string, message: string): Result => ({
  outcome: { name, isPassed: false, message: message.slice(0, maxMessage) },
  isOver: false,
})

function functionsOf(vm: QuickJS) {
  const functions = vm.evalCode(harness, 'harness.js')
  return { assert: functions.getProp('assert'), assertEqual: functions.getProp('assertEqual') }
}

/** After a test that does not end, the others are not run: they would probably not end either. */
const outcomes: TestOutcome[] = []
let isLate = false
for (const { name, body } of tests) {
  const result: Result = isLate ? failed(name, 'It was not run: a test before it did not end.') : await runTest(name, body)
  isLate ||= result.isOver
  outcomes.push(result.outcome)
}
parentPort?.postMessage(outcomes)
