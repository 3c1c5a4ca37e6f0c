import type { Json, Skill } from '@parley/protocol'
import type { GivenInputs, InputField } from '../../_calls/call-inputs.ts'
import { type FormValue, toFormValue } from '../../_calls/form/form-value.ts'
import { choiceText } from '../../_calls/form/schema-to-form-node.ts'

type Values = { readonly [name: string]: Json }

/** The first sample of a skill as values of the form fields, by field key. A field without a value in the sample is left out. */
export function sampleValues({ samples, inputs }: Pick<Skill, 'samples' | 'inputs'>, fields: readonly InputField[]): GivenInputs {
  const sample = samples[0]?.input
  if (sample === undefined) return {}
  const found = fields.flatMap((field): [string, FormValue][] => {
    const own = inputs.length > 1 ? (valueAt(sample, field.port.name) ?? sample) : sample
    const value = field.property === null ? own : valueAt(own, field.property)
    if (value !== undefined && value !== null) return [[field.key, toFormValue(field.node, value)]]
    // A sample that is a text stands for the only field.
    return typeof own === 'string' && fields.length === 1 ? [[field.key, choiceText(own)]] : []
  })
  return Object.fromEntries(found)
}

const isObject = (value: Json): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

const valueAt = (value: Json, name: string): Json | undefined => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)
