/** JSON-RPC 2.0 as both foreign protocols have it: one request in, one answer out. Pure. */
import type { Problem } from '@parley/protocol'
import { z } from 'zod'

export type RequestId = string | number | null
export type JsonRpcRequest = { readonly id: RequestId; readonly method: string; readonly params: unknown }
/** `null`: a notification, or an answer to a question that we never ask: nothing is said to it. */
export type ParsedRequest = { readonly call: JsonRpcRequest } | { readonly refused: object } | null

export const errorCodes = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603 } as const

const Message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number()]).optional(),
  method: z.string().max(100).optional(),
  params: z.unknown().optional(),
})

/** Reads one message. A batch is refused: neither protocol has it any more. */
export function parseRequest(received: unknown): ParsedRequest {
  const read = Message.safeParse(received)
  if (!read.success) return { refused: failure(null, errorCodes.request, 'This is no JSON-RPC 2.0 request.') }
  const { id, method, params } = read.data
  return id === undefined || method === undefined ? null : { call: { id, method, params } }
}

export const success = (id: RequestId, result: unknown): object => ({ jsonrpc: '2.0', id, result })

export function failure(id: RequestId, code: number, message: string, data?: unknown): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}

/** A refusal as one sentence, with what to do about it. */
export const sentenceOf = ({ detail, hint, code }: Problem): string => [detail, hint, `(${code})`].filter(Boolean).join(' ')
