/** Does an API step: fills the operation's path, query and body, and reads what comes back. */
import type { Json } from '@parley/protocol'
import type { SiteClient } from '../egress/site-client.ts'
import type { ApiStep, StepResult } from '../steps/step.ts'
import type { Api, Operation } from './openapi.ts'

export type ApiRequest = { readonly method: string; readonly url: string; readonly body?: string }

/** `mayChange`: whether the task lets anything be changed; a question does not. */
export async function callApi(
  api: Api | undefined,
  step: ApiStep,
  mayChange: boolean,
  ask: SiteClient,
  signal?: AbortSignal,
): Promise<StepResult> {
  const operation = api?.operations.find((one) => one.id === step.operation)
  if (!operation) return { refused: `The site has no operation ${step.operation}.` }
  if (!mayChange && operation.method !== 'GET') return { refused: 'The task asks a question, so nothing is changed for it.' }
  const request = buildRequest(operation, step.args)
  if ('refused' in request) return request
  const told = await ask({ ...request, signal })
  if ('refused' in told) return told
  return { reply: { status: told.status, body: jsonOf(told.text) } }
}

/** Pure: the request that a step comes to. */
export function buildRequest(operation: Operation, args: ApiStep['args']): ApiRequest | { readonly refused: string } {
  const rest = { ...args }
  let missing = ''
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' && typeof value !== 'number') missing = name
    const text = String(value)
    // A name of dots would be another path.
    return /^\.{1,2}$/.test(text) ? '%2E' : encodeURIComponent(text)
  })
  if (missing) return { refused: `${operation.id} needs ${missing}.` }
  const query = new URLSearchParams()
  for (const { name, place } of operation.parameters) {
    if (place !== 'query' || !Object.hasOwn(rest, name)) continue
    const value = rest[name]
    delete rest[name]
    if (value !== null && value !== undefined) query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const url = `${operation.base}${path}${query.size > 0 ? `?${query}` : ''}`
  return operation.method === 'GET' || (!operation.body && Object.keys(rest).length === 0)
    ? { method: operation.method, url }
    : { method: operation.method, url, body: JSON.stringify(rest) }
}

function jsonOf(text: string): Json {
  try {
    return text === '' ? null : (JSON.parse(text) as Json)
  } catch {
    return text.slice(0, 2_000)
  }
}
