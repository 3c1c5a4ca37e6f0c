/** Checks values by the JSON Schema of a published skill. */
import type { Json } from '@parley/protocol'
import { z } from 'zod'

type Schema = { readonly [key: string]: Json }

const maxSchema = 20_000
/** Faults that a client reads. */
const maxShown = 8

/** Undefined for a schema that is too large or has keywords that are not known here. Then the agent checks the value. */
export function readSchema(schema: Schema): z.ZodType | undefined {
  const text = JSON.stringify(schema)
  if (text.length > maxSchema) return undefined
  try {
    // Patterns of publishers may take exponential time.
    const safe = JSON.parse(text, (key, value: unknown) =>
      key === 'pattern' || key === 'patternProperties' || key === 'format' ? undefined : value,
    )
    return z.fromJSONSchema(safe)
  } catch {
    return undefined
  }
}

/** Why the schema does not accept the value, by path; empty if it does, or if it can't be checked here. */
export function listValueFaultsBySchema(schema: Schema | undefined, data: Json): string[] {
  const read = schema && readSchema(schema)?.safeParse(data)
  if (!read || read.success) return []
  return read.error.issues.slice(0, maxShown).map(({ path, message }) => {
    const place = path.map(String).join('.')
    return `${place === '' ? '' : `${place}: `}${message}`.replace(/\s+/g, ' ').slice(0, 200)
  })
}
