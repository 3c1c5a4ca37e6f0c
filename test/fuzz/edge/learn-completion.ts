/** Learns the largest input that an operation takes, so that cases reach its optional places too. */
import type { Role } from '../ground/cast.ts'
import { completing, completion } from '../inputs/add-optional-fields.ts'
import type { Mutation, Part } from '../inputs/mutations.ts'
import type { Operation, Place } from '../operations/operations.ts'
import { isOver, type Run } from './state.ts'
import { tryCase } from './try-case.ts'

/** Requests for one operation. */
const maxTries = 14

/** Adds as many of the optional places as are taken together. */
export async function learnCompletion(run: Run, place: Place, operation: Operation, role: Role): Promise<void> {
  const whole = completion(await operation.base(place, role), operation.schema, place.scene.known)
  let taken: readonly Part[] = []
  const waiting: (readonly Part[])[] = whole?.parts ? [whole.parts] : []
  for (let tries = 0; waiting.length > 0 && tries < maxTries && !isOver(run); tries++) {
    const group = waiting.shift() ?? []
    const mutation = completing([...taken, ...group])
    const { status, fields } = await tryCase(run, place, { operation, role, place: '(optional)', mutation })
    if (status >= 200 && status < 400) taken = mutation.parts ?? []
    else if (group.length > 1) waiting.push(...split(group, fields))
  }
  if (taken.length > 0) run.completions.set(operation.name, completing(taken))
}

/** Without what the refusal names, or in halves where it names none. */
function split(group: readonly Part[], fields: readonly string[]): (readonly Part[])[] {
  const named = fields.map((field) => field.replace(/(?:\.(\d+)|\[\d+\])(?=[.[]|$)/g, '[]'))
  const isNamed = ({ place }: Part) =>
    named.some((field) => field === place || field.startsWith(`${place}.`) || field.startsWith(`${place}[`))
  const others = group.filter((one) => !isNamed(one))
  if (others.length > 0 && others.length < group.length) return [others]
  const middle = Math.ceil(group.length / 2)
  return [group.slice(0, middle), group.slice(middle)]
}

/** The operation with its optional places in its base. */
export function completed(operation: Operation, mutation: Mutation | undefined): Operation {
  if (!mutation) return operation
  return { ...operation, base: async (place, role) => mutation.apply(await operation.base(place, role)) }
}
