/** Runs JavaScript with tests in a sandbox with limits of memory and time, and without any input or output. */
import { Worker } from 'node:worker_threads'

export type CodeTest = { readonly name: string; readonly body: string }
export type SandboxRun = { readonly code: string; readonly tests: readonly CodeTest[]; readonly msPerTest: number }
export type TestOutcome = { readonly name: string; readonly isPassed: boolean; readonly message: string }

/** `msPerTest`: the limit of one test, in processor time. */
export type SandboxLimits = { readonly msPerTest?: number; readonly signal?: AbortSignal }

const defaultMsPerTest = 2_000
/** For the start of the thread and the compilation of QuickJS, in processor time. */
const startMs = 5_000
/** The maximum real time, in multiples of the processor time. */
const maxSlowness = 4

/** The outcome of each test, in order. A thread that does not end fails all tests. */
export function runInSandbox(
  code: string,
  tests: readonly CodeTest[],
  { msPerTest = defaultMsPerTest, signal }: SandboxLimits = {},
): Promise<TestOutcome[]> {
  const run: SandboxRun = { code, tests, msPerTest }
  const withinMs = maxSlowness * (startMs + tests.length * msPerTest)
  const failed = (message: string): TestOutcome[] => tests.map(({ name }) => ({ name, isPassed: false, message }))
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./sandbox-worker.ts', import.meta.url), {
      workerData: run,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    const end = (outcomes: TestOutcome[]) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      resolve(outcomes)
      void worker.terminate()
    }
    const abort = () => end(failed('The task ended.'))
    // The interrupt of QuickJS ends loops. A single long operation, such as a regular expression, ends with the thread.
    const timer = setTimeout(() => end(failed(`The tests took more than ${withinMs} ms.`)), withinMs)
    signal?.addEventListener('abort', abort)
    worker.once('message', (outcomes: TestOutcome[]) => end(outcomes))
    worker.once('error', (error: Error) => end(failed(`The sandbox failed: ${error.message.slice(0, 200)}`)))
    worker.once('exit', () => end(failed('The sandbox ended without a result.')))
  })
}
