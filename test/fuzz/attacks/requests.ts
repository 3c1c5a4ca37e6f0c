/** What attacks ask with: procedures as a role, and their answers read. */

import type { Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { type Answer, ask } from '../ground/http.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { hubRequest, jsonInUrl, type Place, webRequest } from '../operations/operations.ts'

export const fault = (oracle: string, subject: string, detail: string): Fault => ({ oracle, subject, detail })

export const mutate = (place: Place, role: Role, procedure: string, input: unknown): Promise<Answer> =>
  ask(webRequest(place, role, 'POST', `/api/trpc/${procedure}`, writeJson({ json: input as Value })))

export const query = (place: Place, role: Role, procedure: string, input: unknown): Promise<Answer> =>
  ask(webRequest(place, role, 'GET', `/api/trpc/${procedure}?input=${jsonInUrl({ json: input as Value })}`))

export const run = (place: Place, role: Role, command: unknown): Promise<Answer> =>
  ask(hubRequest(place, role, 'POST', '/ioa/commands', writeJson(command as Value)))

export const isTaken = ({ status }: Answer) => status >= 200 && status < 300

/** The result of a procedure. */
export function resultOf(answer: Answer): Record<string, unknown> {
  const parsed = JSON.parse(answer.text) as { result?: { data?: { json?: Record<string, unknown> } } }
  return parsed.result?.data?.json ?? {}
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
