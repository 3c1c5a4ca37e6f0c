/** A thread that hangs, waits or breaks if a request reports it, and knows whether it was loaded before. */
import type { MessagePort } from 'node:worker_threads'

let isWarm = false
export function warmUp({ started }: { readonly started: MessagePort }): void {
  started.postMessage(null)
  started.close()
  isWarm = true
}

export function quote({ request, started }: { readonly request: unknown; readonly started: MessagePort }): unknown {
  started.postMessage(null)
  started.close()
  if (request === 'throw') throw new Error('broken')
  while (request === 'hang');
  // Little longer than the limit of the test: other work in this process counts, too.
  if (request === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
  return request === 'is warm' ? isWarm : request
}
