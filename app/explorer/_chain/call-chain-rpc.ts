import { z } from 'zod'

const Answer = z.union([z.looseObject({ error: z.looseObject({ message: z.string() }) }), z.looseObject({ result: z.unknown() })])

/** Longer than the server's timeout for the node. Milliseconds. */
const answerMs = 15_000

/** Queries the local chain's node directly, without the server's records. @throws {TypeError} without an answer, {DOMException} after the timeout */
export async function callChainRpc(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch('/api/chain', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(answerMs),
  })
  const answer = Answer.parse(await response.json())
  if ('error' in answer) throw new TypeError(`the chain answered: ${(answer.error as { message: string }).message}`)
  return answer.result
}
