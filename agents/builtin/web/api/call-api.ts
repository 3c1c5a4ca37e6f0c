/** Does an API step: fills the operation's path, query and body, and parses the response. */
import type { Json } from '@parley/protocol'
import type { SiteClient } from '../egress/site-client.ts'
import type { ApiStep, StepResult } from '../steps/step.ts'
import type { Api, ApiOperation } from './parse-openapi.ts'

export type WebApiRequest = { readonly method: string; readonly url: string; readonly body?: string }

export type ApiAccess = {
  readonly api: Api | undefined
  /** Whether the task may change anything; a question may not. */
  readonly mayChange: boolean
  readonly ask: SiteClient
  readonly signal?: AbortSignal
}

export async function callApi({ api, mayChange, ask, signal }: ApiAccess, step: ApiStep): Promise<StepResult> {
  const operation = api?.operations.find((one) => one.id === step.operation)
  if (!operation) return { refused: `The site has no operation ${step.operation}.` }
  if (!mayChange && operation.method !== 'GET') return { refused: 'The task asks a question, so nothing is changed for it.' }
  const request = buildApiRequest(operation, step.args)
  if ('refused' in request) return request
  const response = await ask({ ...request, signal })
  if ('refused' in response) return response
  return { reply: { status: response.status, body: jsonOf(response.text) } }
}

/** The request of a step; or why there is none. */
export function buildApiRequest(operation: ApiOperation, args: ApiStep['args']): WebApiRequest | { readonly refused: string } {
  const rest = { ...args }
  let missing = ''
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' && typeof value !== 'number') missing = name
    const text = String(value)
    // `.` and `..` would change the path.
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
