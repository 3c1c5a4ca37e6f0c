/** A thread that hangs or breaks where a request asks for it. */
import type { MessagePort } from 'node:worker_threads'

export function quote({ request, started }: { readonly request: unknown; readonly started: MessagePort }): unknown {
  started.postMessage(null)
  started.close()
  if (request === 'throw') throw new Error('broken')
  while (request === 'hang');
  return request
}
