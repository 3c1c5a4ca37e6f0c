/** JSON-RPC 2.0 as MCP and A2A use it: one request, one response. Pure. */
import type { Problem } from '@parley/protocol'
import { z } from 'zod'

export type RequestId = string | number | null
export type JsonRpcRequest = { readonly id: RequestId; readonly method: string; readonly params: unknown }
/** `null`: a notification, or a response to a request that this server never sends. Neither is answered. */
export type ParsedRequest = { readonly call: JsonRpcRequest } | { readonly refused: object } | null

export const errorCodes = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603 } as const

/** A response to a request that this server never sends has `result` or `error`. A field of another name has no limit, and is refused. */
const Message = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number()]).optional(),
  method: z.string().max(100).optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
})

/** Parses one message. Batches are rejected, because neither protocol has them any more. */
export function parseRequest(received: unknown): ParsedRequest {
  const read = Message.safeParse(received)
  if (!read.success) {
    const unknown = read.error.issues.some(({ code }) => code === 'unrecognized_keys')
    const detail = unknown ? 'A JSON-RPC 2.0 request has the fields jsonrpc, id, method and params.' : 'This is no JSON-RPC 2.0 request.'
    return { refused: failure(null, errorCodes.request, detail) }
  }
  const { id, method, params } = read.data
  return id === undefined || method === undefined ? null : { call: { id, method, params } }
}

export const success = (id: RequestId, result: unknown): object => ({ jsonrpc: '2.0', id, result })

export function failure(id: RequestId, code: number, message: string, data?: unknown): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}

/** A problem as one sentence, with its hint. */
export const sentenceOf = ({ detail, hint, code }: Problem): string => [detail, hint, `(${code})`].filter(Boolean).join(' ')
