/** The values of a form while they are written, and their conversion from and to JSON. Pure. */
import type { Json } from '@parley/protocol'
import { choiceText, type FormNode } from './schema-to-form-node.ts'

/** Texts as typed, lists of items, and groups by name. An empty text is no value. */
export type FormValue = string | readonly FormValue[] | { readonly [name: string]: FormValue }

/** The value of an empty field. */
export const emptyFormValue = ({ kind }: FormNode): FormValue => (kind === 'list' ? [] : kind === 'group' ? {} : '')

export const formItems = (value: FormValue | undefined): readonly FormValue[] => (Array.isArray(value) ? value : [])
export const valuesByName = (value: FormValue | undefined): { readonly [name: string]: FormValue } =>
  typeof value === 'object' && !Array.isArray(value) ? (value as { readonly [name: string]: FormValue }) : {}
export const writtenText = (value: FormValue | undefined): string => (typeof value === 'string' ? value : '')

/** A JSON value as the form shows it. What does not fit a field becomes its text. */
export function toFormValue(node: FormNode, value: Json | undefined): FormValue {
  if (value === undefined || value === null) return emptyFormValue(node)
  switch (node.kind) {
    case 'group': {
      const own = isObject(value) ? value : {}
      return Object.fromEntries(
        node.fields.map(([name, field]) => [name, toFormValue(field, Object.hasOwn(own, name) ? own[name] : undefined)]),
      )
    }
    case 'list':
      return Array.isArray(value) ? value.map((one) => toFormValue(node.item, one)) : []
    case 'lines':
      return Array.isArray(value) ? value.map(choiceText).join('\n') : choiceText(value)
    case 'text':
      return node.format === 'date-time' && typeof value === 'string' ? toLocalTime(value) : choiceText(value)
    default:
      return choiceText(value)
  }
}

/** True if nothing is written. */
export function isBlankValue(node: FormNode, value: FormValue | undefined): boolean {
  switch (node.kind) {
    case 'group': {
      const members = valuesByName(value)
      return node.fields.every(([name, field]) => isBlankValue(field, members[name]))
    }
    case 'list':
      return formItems(value).length === 0
    default:
      return writtenText(value).trim() === ''
  }
}

/** The JSON value of a form without faults; undefined: nothing is written. */
export function readFormValue(node: FormNode, value: FormValue | undefined): Json | undefined {
  if (isBlankValue(node, value)) {
    if (!node.isRequired) return undefined
    return node.kind === 'group' ? {} : node.kind === 'list' || node.kind === 'lines' ? [] : undefined
  }
  const text = writtenText(value).trim()
  switch (node.kind) {
    case 'group': {
      const members = valuesByName(value)
      const read = node.fields.map(([name, field]) => [name, readFormValue(field, members[name])] as const)
      return Object.fromEntries(read.filter((entry): entry is [string, Json] => entry[1] !== undefined))
    }
    case 'list':
      return formItems(value).flatMap((one) => readFormValue(node.item, one) ?? [])
    case 'lines':
      return linesIn(text).map((line) => (node.isNumber ? Number(line) : line))
    case 'number':
      return Number(text)
    case 'choice':
      return node.choices.find((one) => choiceText(one) === text) ?? text
    case 'json':
      return JSON.parse(text) as Json
    case 'text':
      return node.format === 'date-time' ? new Date(text).toISOString() : text
    default:
      return node satisfies never
  }
}

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** The lines with text, trimmed. */
export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** The value of an `<input type="datetime-local">`; an unreadable time as it is. */
function toLocalTime(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return text
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
