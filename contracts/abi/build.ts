/** Builds contracts beside each other, in threads of their own: the compiler takes seconds, and is not to hold up its caller. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Compiled, compile } from './compile.ts'

const threads = 2

/**
 * @param files from the root, such as `contracts/PlanEscrow.sol`
 * @returns what each was built to, by its file
 */
export async function build(files: readonly string[]): Promise<Map<string, Compiled>> {
  const waiting = [...files]
  const built = new Map<string, Compiled>()
  await Promise.all(Array.from({ length: threads }, () => buildInThread(waiting, built)))
  return built
}

/** A thread builds one contract after another: to load the compiler takes longer than to build a small one. */
async function buildInThread(waiting: string[], built: Map<string, Compiled>): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { builds: true } })
  try {
    for (let file = waiting.shift(); file; file = waiting.shift()) built.set(file, await ask(worker, file))
  } finally {
    await worker.terminate()
  }
}

function ask(worker: Worker, file: string): Promise<Compiled> {
  return new Promise((done, fail) => {
    const ended = (code: number) => fail(new Error(`the build of ${file} ended with ${code}`))
    worker.once('error', fail)
    worker.once('exit', ended)
    worker.once('message', (compiled: Compiled) => {
      worker.off('error', fail)
      worker.off('exit', ended)
      done(compiled)
    })
    worker.postMessage(file)
  })
}

if (!isMainThread && workerData?.builds) parentPort?.on('message', (file: string) => parentPort?.postMessage(compile(file)))
