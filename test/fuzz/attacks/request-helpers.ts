/** What attacks ask with: procedures as a role, and their answers read. */

import { DomainError } from '../../../server/errors.ts'
import type { Fault } from '../edge/oracles.ts'
import type { Role, ScenePerson } from '../ground/cast.ts'
import { type Answer, ask } from '../ground/http.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { hubRequest, jsonInUrl, type Place, webRequest } from '../operations/operations.ts'

export const fault = (oracle: string, subject: string, detail: string): Fault => ({ oracle, subject, detail })

export const mutate = (place: Place, role: Role, procedure: string, input: unknown): Promise<Answer> =>
  ask(webRequest(place, role, 'POST', `/api/trpc/${procedure}`, writeJson({ json: input as Value })))

export const query = (place: Place, role: Role, procedure: string, input: unknown): Promise<Answer> =>
  ask(webRequest(place, role, 'GET', `/api/trpc/${procedure}?input=${jsonInUrl({ json: input as Value })}`))

export const run = (place: Place, role: Role, command: unknown): Promise<Answer> =>
  ask(hubRequest(place, role, 'POST', '/v1/commands', writeJson(command as Value)))

export const isTaken = ({ status }: Answer) => status >= 200 && status < 300

/** The result of a procedure. */
export function resultOf(answer: Answer): Record<string, unknown> {
  const parsed = JSON.parse(answer.text) as { result?: { data?: { json?: Record<string, unknown> } } }
  return parsed.result?.data?.json ?? {}
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const maxWaits = 30

/** As the person's own `send`, with retries where other attacks have used up the rate limit. */
export async function sendWithRetry<T>(person: Pick<ScenePerson, 'send'>, command: Parameters<ScenePerson['send']>[0]): Promise<T> {
  for (let waits = 0; ; waits++)
    try {
      return await person.send<T>(command)
    } catch (error) {
      const isLimited = error instanceof DomainError && error.code === 'rate.exceeded'
      if (!isLimited || waits >= maxWaits) throw error
      await pause(1_000)
    }
}

/** As `mutate`, for the setup of an attack: retries what is rate-limited. @throws if it is refused otherwise */
export async function mutateWithRetry(place: Place, role: Role, procedure: string, input: unknown): Promise<Record<string, unknown>> {
  for (let waits = 0; ; waits++) {
    const answer = await mutate(place, role, procedure, input)
    if (isTaken(answer)) return resultOf(answer)
    if (answer.status !== 429 || waits >= maxWaits) throw new Error(`${procedure}: ${answer.status} ${answer.text.slice(0, 300)}`)
    await pause(1_000)
  }
}
