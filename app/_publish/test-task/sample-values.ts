import type { Json, Skill } from '@parley/protocol'
import type { InputField } from '../../_calls/call-inputs.ts'

type Values = { readonly [name: string]: Json }

/** The first sample of a skill as values of the form fields, by field key. A field without a value in the sample is left out. */
export function sampleValues(
  { samples, inputs }: Pick<Skill, 'samples' | 'inputs'>,
  fields: readonly InputField[],
): Record<string, string> {
  const sample = samples[0]?.input
  if (sample === undefined) return {}
  const found = fields.flatMap((field): [string, string][] => {
    const own = inputs.length > 1 ? (valueAt(sample, field.port.name) ?? sample) : sample
    const value = field.property === null ? own : valueAt(own, field.property)
    const text = value ?? (typeof own === 'string' && fields.length === 1 ? own : undefined)
    return text === undefined || text === null ? [] : [[field.key, asText(text)]]
  })
  return Object.fromEntries(found)
}

const isObject = (value: Json): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

const valueAt = (value: Json, name: string): Json | undefined => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)

function asText(value: Json): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.join(', ') : JSON.stringify(value)
}
