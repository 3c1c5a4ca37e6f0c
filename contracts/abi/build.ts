/** Builds contracts beside each other, each in a thread of its own: the compiler takes seconds, and is not to hold up its caller. */
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
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) built.set(file, await inThread(file))
  }
  await Promise.all(Array.from({ length: threads }, work))
  return built
}

function inThread(file: string): Promise<Compiled> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { file } })
    worker.once('message', done)
    worker.once('error', fail)
    worker.once('exit', (code) => fail(new Error(`the build of ${file} ended with ${code}`)))
  })
}

if (!isMainThread && workerData?.file) parentPort?.postMessage(compile(workerData.file as string))
