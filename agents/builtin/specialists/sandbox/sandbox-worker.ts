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

/** A test sees these functions, and those of the code. They are local to the test, so that the code does not replace them. */
const harness = `
const assert = (condition, message) => { if (!condition) throw new Error(message === undefined ? 'The condition is false.' : String(message)) }
const assertEqual = (actual, expected, message) => {
  const write = (value) => typeof value === 'bigint' ? value + 'n' : value === undefined ? 'undefined' : Number.isNaN(value) ? 'NaN' : JSON.stringify(value, (_, one) => typeof one === 'bigint' ? one + 'n' : one)
  if (!Object.is(actual, expected) && write(actual) !== write(expected)) throw new Error((message === undefined ? '' : message + ': ') + 'expected ' + write(expected) + ', got ' + write(actual))
}`

const { code, tests, msPerTest } = workerData as SandboxRun
const wasm = await WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'))))
/** Output of the code goes nowhere. */
const silent = () => ({ fd_write: () => 8 })

/** Each test has a machine of its own, so that none changes another. */
async function runTest(name: string, body: string): Promise<TestOutcome> {
  const end = Date.now() + msPerTest
  const vm = await QuickJS.create({ wasm, memoryLimit, maxStackSize, interruptHandler: () => Date.now() > end, wasi: silent })
  try {
    vm.evalCode(code, 'code.js').dispose()
    const promise = vm.evalCode(`(async () => {${harness}\n${body}\n})()`, 'test.js')
    vm.executePendingJobs()
    const isPending = promise.promiseState === 0
    if (isPending) return { name, isPassed: false, message: 'It waits for something that never happens.' }
    const result = await vm.resolvePromise(promise)
    if ('error' in result)
      return { name, isPassed: false, message: result.error.consume((thrown) => thrown.toString()).slice(0, maxMessage) }
    return { name, isPassed: true, message: '' }
  } catch (error) {
    const isLate = Date.now() > end
    const message = isLate
      ? `It took more than ${msPerTest} ms.`
      : error instanceof Error
        ? `${error.name}: ${error.message}`
        : String(error)
    return { name, isPassed: false, message: message.slice(0, maxMessage) }
  } finally {
    vm.dispose()
  }
}

const outcomes: TestOutcome[] = []
for (const { name, body } of tests) outcomes.push(await runTest(name, body))
parentPort?.postMessage(outcomes)
