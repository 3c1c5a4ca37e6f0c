/** The worker thread that checks a file against a schema. A publisher wrote both. It has no environment. */
import { z } from 'zod'

export type SchemaCheck = { readonly schema: { readonly [key: string]: unknown }; readonly text: string }

const maxFaults = 8

/** The faults of a file, in sentences; empty if it fits. */
export function checkFileAgainstSchema({ schema, text }: SchemaCheck): readonly string[] {
  let parsed: z.ZodType
  try {
    parsed = z.fromJSONSchema(schema as never)
  } catch {
    return ['The schema cannot be read.']
  }
  const value = readJson(text)
  // A text need not be in quotation marks.
  if (value === undefined && schema.type !== 'string') return ['The file is not JSON.']
  const issues = parsed.safeParse(value ?? text).error?.issues ?? []
  return issues.slice(0, maxFaults).map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
