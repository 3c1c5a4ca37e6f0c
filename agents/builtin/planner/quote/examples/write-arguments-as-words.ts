/** Writes the words from which `fillArguments` reads values: its inverse, for example goals. */
import type { Json } from '@parley/protocol'
import { fillArguments } from '../../intent/fill-arguments.ts'

type Schema = { readonly [key: string]: Json }
/** `phrases`: what stands beside the quotations. `unfilled`: required properties that no words fill. */
export type WrittenArguments = {
  readonly phrases: readonly string[]
  readonly quotations: readonly string[]
  readonly unfilled: readonly string[]
}

type Wording = { readonly phrase: string } | { readonly quotation: string }

/** As much of a sample as an example goal quotes. */
const maxQuoted = 160
export const intoLanguage = 'into German'
export const sampleText = 'The delivery came two days late, but the support was friendly.'

/** @param sample the sample input of the skill: its values are preferred */
export function writeArgumentsAsWords(schema: Schema | undefined, sample: Json | undefined): WrittenArguments {
  let written: Written = { phrases: [], quotations: [] }
  const unfilled: string[] = []
  for (const [name, property] of requiredProperties(schema)) {
    if (isFilled(schema, written, name) || property.default !== undefined) continue
    const found = wordingsOf(name, property, valueIn(sample, name))
      .map((wording) => append(written, wording))
      .find((next) => isFilled(schema, next, name))
    if (found) written = found
    else unfilled.push(name)
  }
  return { ...written, unfilled }
}

function requiredProperties(schema: Schema | undefined): [string, Schema][] {
  const properties = schema?.properties
  if (!isObject(properties)) return [['text', { type: 'string' }]]
  const required = Array.isArray(schema?.required) ? schema.required : []
  const all = Object.entries(properties).filter((entry): entry is [string, Schema] => isObject(entry[1]))
  return all.length === 1 && required.length === 0 ? all : all.filter(([name]) => required.includes(name))
}

/** The wordings of a value to try, the most natural first. */
function wordingsOf(name: string, { type, enum: choices, minimum }: Schema, sample: Json | undefined): Wording[] {
  const label = name.replaceAll('_', ' ')
  const named = (value: Json | undefined): Wording[] =>
    value === undefined || typeof value === 'object' ? [] : [{ phrase: `${label}: ${plain(String(value))}` }]
  if (Array.isArray(choices)) return [...named(sample), ...named(choices[0])]
  if (type === 'integer' || type === 'number') return [...named(sample), ...named(minimum), ...named(5)]
  if (type === 'boolean') return named('yes')
  const quoted = typeof sample === 'string' ? sample : sampleText
  return [
    { phrase: intoLanguage },
    { phrase: 'https://example.com/page' },
    { phrase: 'ana@example.com' },
    { phrase: '2026-01-31' },
    { quotation: plain(quoted) },
    ...named(sample ?? 'example'),
  ]
}

type Written = Omit<WrittenArguments, 'unfilled'>

const append = ({ phrases, quotations }: Written, wording: Wording): Written =>
  'phrase' in wording ? { phrases: [...phrases, wording.phrase], quotations } : { phrases, quotations: [...quotations, wording.quotation] }

const isFilled = (schema: Schema | undefined, { phrases, quotations }: Written, name: string): boolean =>
  Object.hasOwn(fillArguments(schema, { words: phrases.join(', '), quotations }).data, name)

/** The value of a property in a sample input. A sample that is a text stands for the text property. */
function valueIn(sample: Json | undefined, name: string): Json | undefined {
  if (typeof sample === 'string') return sample
  return isObject(sample) && Object.hasOwn(sample, name) ? sample[name] : undefined
}

/** Without quotation marks and line breaks, which would end the value early. */
const plain = (text: string): string =>
  text
    .slice(0, maxQuoted)
    .replace(/["“”„«»`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

const isObject = (value: Json | undefined): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
