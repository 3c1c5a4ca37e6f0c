/** Fills the JSON schema of a published skill's input from the words of a goal. Never guesses: what the words do not say is missing. */
import type { Json } from '@parley/protocol'

export type ArgumentSource = {
  /** The goal without quoted material. */
  readonly words: string
  readonly quotations: readonly string[]
}

/** `missing`: descriptions of required properties that the words do not give. */
export type FilledArguments = { readonly data: { readonly [key: string]: Json }; readonly missing: readonly string[] }

type Property = { readonly name: string; readonly schema: { readonly [key: string]: Json | undefined }; readonly isRequired: boolean }
type Reader = (property: Property, source: ArgumentSource) => Json | undefined

const materialName =
  /text|content|input|message|sentence|document|source|body|material|phrase|string|data|value|word|topic|subject|city|place|location|name/i
const requestName = /^(?:prompt|query|question|instructions?|task|goal|request|q)$/i
/** As many properties of a schema as a sentence can fill. */
const maxProperties = 32
const languageName = /lang|locale|^(?:to|target|from|source_language|into)$/i
const languages: { readonly [name: string]: string } = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  polish: 'pl',
  russian: 'ru',
  ukrainian: 'uk',
  turkish: 'tr',
  arabic: 'ar',
  hindi: 'hi',
  chinese: 'zh',
  japanese: 'ja',
  korean: 'ko',
  swedish: 'sv',
  danish: 'da',
  norwegian: 'no',
  finnish: 'fi',
  czech: 'cs',
  greek: 'el',
  hebrew: 'he',
  vietnamese: 'vi',
  thai: 'th',
  indonesian: 'id',
  latin: 'la',
}

/** @param schema of the input; `undefined` properties mean one free text under the name `text` */
export function fillArguments(schema: { readonly [key: string]: Json } | undefined, source: ArgumentSource): FilledArguments {
  const properties = listProperties(schema)
  const texts = properties.filter((property) => isFreeText(property))
  const values: [string, Json][] = []
  const missing: string[] = []
  for (const property of properties) {
    const value = Object.hasOwn(property.schema, 'const') ? property.schema.const : readValue(property, source, texts)
    if (value !== undefined) values.push([property.name, value])
    else if (property.isRequired && property.schema.default === undefined) missing.push(describeProperty(property))
  }
  // Own properties only, regardless of the names that a publisher chooses.
  return { data: Object.fromEntries(values), missing }
}

function listProperties(schema: { readonly [key: string]: Json } | undefined): Property[] {
  const properties = schema?.properties
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties))
    return [{ name: 'text', schema: { type: 'string' }, isRequired: true }]
  const required = Array.isArray(schema?.required) ? schema.required : []
  const names = Object.keys(properties).slice(0, maxProperties)
  return names.flatMap((name): Property[] => {
    const one = (properties as { readonly [name: string]: Json })[name]
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return []
    // A schema with one property and without a list of required ones needs that one.
    return [{ name, schema: one, isRequired: required.includes(name) || (required.length === 0 && names.length === 1) }]
  })
}

const describeProperty = ({ name, schema }: Property): string => {
  const text = [schema.title, schema.description].find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof text === 'string' ? `${name} (${text.trim().replace(/\.$/, '')})` : name
}

const readers: readonly Reader[] = [readEnum, readFormat, readLanguage, readNamed, readNumber]

function readValue(property: Property, source: ArgumentSource, texts: readonly Property[]): Json | undefined {
  for (const read of readers) {
    const value = read(property, source)
    if (value !== undefined) return value
  }
  if (!isFreeText(property)) return undefined
  const fits = (text: string | undefined): Json | undefined => (text !== undefined && isWithinLength(text, property) ? text : undefined)
  // Quotations go to the free texts in their order.
  const quotation = fits(source.quotations[texts.indexOf(property)])
  return quotation ?? (requestName.test(property.name) && source.quotations.length === 0 ? fits(source.words.trim()) : undefined)
}

const isFreeText = ({ name, schema }: Property): boolean =>
  schema.type === 'string' &&
  schema.enum === undefined &&
  schema.format === undefined &&
  !languageName.test(name) &&
  (materialName.test(name) || requestName.test(name))

function isWithinLength(text: string, { schema }: Property): boolean {
  const { minLength, maxLength } = schema
  return (
    text.length >= (typeof minLength === 'number' ? minLength : 1) && text.length <= (typeof maxLength === 'number' ? maxLength : 100_000)
  )
}

/** A value of the list that the words name, if it is the only one. */
function readEnum({ schema }: Property, { words }: ArgumentSource): Json | undefined {
  if (!Array.isArray(schema.enum)) return undefined
  const plain = ` ${words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  const named = schema.enum.filter((one) => {
    const text = String(one)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    return text !== '' && plain.includes(` ${text} `)
  })
  if (named.length === 1) return named[0]
  const code = languageIn(words)
  return code && schema.enum.includes(code.code) ? code.code : undefined
}

function readFormat({ schema, name }: Property, { words, quotations }: ArgumentSource): Json | undefined {
  if (schema.type !== 'string') return undefined
  const all = [words, ...quotations].join('\n')
  if (schema.format === 'uri' || schema.format === 'url' || /^(?:url|uri|link|address|website)$/i.test(name))
    return /https?:\/\/[^\s"“”«»<>]+/.exec(all)?.[0].replace(/(?<![.,;:!?)])[.,;:!?)]+$/, '')
  if (schema.format === 'email') return /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/.exec(all)?.[0]
  if (schema.format === 'date') return /\b\d{4}-\d{2}-\d{2}\b/.exec(all)?.[0]
  return undefined
}

function languageIn(words: string): { readonly name: string; readonly code: string } | undefined {
  for (const [, name = ''] of words.matchAll(/\b(?:to|into|in)\s+(\p{L}+)/giu)) {
    const code = Object.hasOwn(languages, name.toLowerCase()) ? languages[name.toLowerCase()] : undefined
    if (code !== undefined) return { name: `${name.charAt(0).toUpperCase()}${name.slice(1).toLowerCase()}`, code }
  }
  return undefined
}

/** The target language, as a code if the schema asks for a short one. A source language is left to the agent. */
function readLanguage({ name, schema }: Property, { words }: ArgumentSource): Json | undefined {
  if (schema.type !== 'string' || schema.enum !== undefined || !languageName.test(name) || /from|source/i.test(name)) return undefined
  const found = languageIn(words)
  const hint = JSON.stringify([schema.description, schema.examples, schema.pattern, schema.default])
  const isCode = (typeof schema.maxLength === 'number' && schema.maxLength <= 5) || /\b(?:iso|bcp|code)\b|"[a-z]{2}"|\[a-z\]/i.test(hint)
  return found && (isCode ? found.code : found.name)
}

/** `name: value` or `name = value` in the words. */
function readNamed({ name, schema }: Property, { words }: ArgumentSource): Json | undefined {
  if (schema.enum !== undefined) return undefined
  const label = name
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map(escapePattern)
    .join('[\\s_-]+')
  const value = new RegExp(`(?<![\\p{L}\\p{N}])${label}\\s*[:=]\\s*([^\\n;,]{1,400})`, 'iu').exec(words)?.[1]?.trim()
  if (!value) return undefined
  if (schema.type === 'string') return value
  if (schema.type === 'boolean') return /^(?:yes|true|on)$/i.test(value) ? true : /^(?:no|false|off)$/i.test(value) ? false : undefined
  return schema.type === 'number' || schema.type === 'integer' ? toNumber(value, schema) : undefined
}

/** A number beside the property's name, such as "5 items" or "a limit of 5". */
function readNumber({ name, schema }: Property, { words }: ArgumentSource): Json | undefined {
  if (schema.type !== 'number' && schema.type !== 'integer') return undefined
  const noun = escapePattern(
    name
      .replace(/^(?:max|min|num|number_of|n)_?/i, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .replace(/s$/, ''),
  )
  if (noun === '') return undefined
  const beside = new RegExp(
    `(-?\\d[\\d,.]{0,20})\\s+${noun}s?(?!\\p{L})|(?<!\\p{L})${noun}s?\\s+(?:of\\s+|is\\s+)?(-?\\d[\\d,.]{0,20})`,
    'iu',
  ).exec(words)
  return toNumber(beside?.[1] ?? beside?.[2], schema)
}

function toNumber(text: string | undefined, { type, minimum, maximum }: Property['schema']): Json | undefined {
  const value = Number((text ?? '').replace(/[,.]$/, '').replaceAll(',', ''))
  if (!text || !Number.isFinite(value) || (type === 'integer' && !Number.isSafeInteger(value))) return undefined
  if ((typeof minimum === 'number' && value < minimum) || (typeof maximum === 'number' && value > maximum)) return undefined
  return value
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
