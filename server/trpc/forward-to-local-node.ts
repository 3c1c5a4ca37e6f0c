import { CanonicalError, type Json, parseStrict } from '@parley/protocol'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { DomainError, retryAfterSeconds } from '../errors.ts'
import { bodyLimits } from '../http/body-limits.ts'
import { readTextWithinLimit } from '../http/read-text-within-limit.ts'
import { admitRate } from '../policy/index.ts'
import { hasValidChainParams, isAllowedChainCall } from './is-allowed-chain-call.ts'

const maxBatch = 20
/** The maximum size of the node's answer: a block with all its transactions, or the events of a page. */
const maxAnswerBytes = 4_194_304
const timeoutMs = 10_000

const Id = z.union([z.string().max(64), z.number(), z.null()])
const RpcCall = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id,
  method: z.string().max(64),
  params: z.array(z.json()).max(8).default([]),
})
const Body = z.union([RpcCall, z.array(RpcCall).min(1).max(maxBatch)])

/** Methods that execute code on the node, and their maximum gas. A transaction cannot have more than EIP-7825's cap. */
const maxCallGas: ReadonlyMap<string, bigint> = new Map([
  ['eth_call', 5_000_000n],
  ['eth_estimateGas', 16_777_216n],
])

/** Whether a call with valid parameters stays within the gas limit. */
function isWithinGas({ method, params }: z.infer<typeof RpcCall>): boolean {
  const maxGas = maxCallGas.get(method)
  if (maxGas === undefined) return true
  const { gas } = params[0] as { readonly gas?: string }
  return gas === undefined || BigInt(gas) <= maxGas
}

/** Without a gas limit, the node would allow a whole block's gas. */
function withGas(call: z.infer<typeof RpcCall>): z.infer<typeof RpcCall> {
  const maxGas = maxCallGas.get(call.method)
  const [first, ...rest] = call.params
  if (maxGas === undefined || typeof first !== 'object' || first === null || Array.isArray(first) || 'gas' in first) return call
  return { ...call, params: [{ ...first, gas: `0x${maxGas.toString(16)}` }, ...rest] }
}

type ForwardInput = { readonly body: ReadableStream<Uint8Array> | null; readonly source: string; readonly rpcUrl: string }

/** Forwards allowed calls to the node. Only on a local chain; elsewhere wallets bring their own node. */
export async function forwardToLocalNode(ctx: Context, asked: ForwardInput): Promise<Response> {
  if (!ctx.market.isLocalChain) return refuse(null, { code: -32_601, message: 'This server passes nothing on to its chain.', status: 404 })
  const body = await readTextWithinLimit({ body: asked.body }, bodyLimits.chain)
  if (!body.ok) return refuse(null, { code: -32_600, message: body.detail, status: body.status })
  const parsed = Body.safeParse(parseJson(body.text ?? ''))
  if (!parsed.success) return refuse(null, { code: -32_600, message: 'Not a JSON-RPC request.', status: 400 })
  const calls = Array.isArray(parsed.data) ? parsed.data : [parsed.data]
  const foreign = calls.find(({ method }) => !isAllowedChainCall(method))
  if (foreign) return refuse(foreign.id, { code: -32_601, message: `The method ${foreign.method} is not offered here.`, status: 200 })
  const malformed = calls.find(({ method, params }) => !hasValidChainParams(method, params))
  if (malformed)
    return refuse(malformed.id, { code: -32_602, message: `The parameters of ${malformed.method} are not valid.`, status: 200 })
  const heavy = calls.find((call) => !isWithinGas(call))
  if (heavy) return refuse(heavy.id, { code: -32_602, message: 'A call has at most the gas that is offered here.', status: 200 })
  const id = calls[0]?.id ?? null
  try {
    for (const _ of calls) await admitRate(ctx, 'read', asked.source)
    const answer = await fetch(asked.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.isArray(parsed.data) ? calls.map(withGas) : withGas(parsed.data)),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answerBody = await readTextWithinLimit(answer, maxAnswerBytes)
    const message = `The chain's answer is not text of at most ${maxAnswerBytes} bytes. Ask for less.`
    if (!answerBody.ok) return refuse(id, { code: -32_005, message, status: 413 })
    return new Response(answerBody.text, { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
  } catch (error) {
    if (error instanceof DomainError)
      return refuse(id, { code: -32_005, message: error.message, status: 429, waitSeconds: retryAfterSeconds(error) ?? 1 })
    ctx.log.warn({ event: 'chain.proxy_failed', err: error }, 'The chain did not answer a request of a page.')
    return refuse(id, { code: -32_603, message: 'The chain did not answer. Nothing is known to have been sent.', status: 502 })
  }
}

/** `code`: of JSON-RPC. `status`: of HTTP. */
type Refusal = { readonly code: number; readonly message: string; readonly status: number; readonly waitSeconds?: number }

function refuse(id: z.infer<typeof Id>, { code, message, status, waitSeconds }: Refusal): Response {
  const headers = waitSeconds === undefined ? {} : { 'retry-after': String(waitSeconds) }
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status, headers })
}

/** Deeper than the parameters of any method. */
const maxDepth = 12

function parseJson(text: string): Json {
  try {
    return parseStrict(text, { depth: maxDepth })
  } catch (error) {
    if (error instanceof CanonicalError) return null
    throw error
  }
}
