/** The values of a form while they are written: conversion from and to JSON, and what is wrong with them. Pure. */
import type { Json } from '@parley/protocol'
import type { Translate } from '../../_messages/translate.ts'
import { choiceText, type FormNode } from './form-node.ts'

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

/** Faults by the path of their field: names and places, joined by points. */
export type FormFaults = Readonly<Record<string, string>>
type Ask = Translate<'calls.askForm'>

export function faultsOfValue(node: FormNode, value: FormValue | undefined, path: string, t: Ask): FormFaults {
  if (isBlankValue(node, value)) return faultsOfBlank(node, value, path, t)
  switch (node.kind) {
    case 'group': {
      const members = valuesByName(value)
      return merge(node.fields.map(([name, field]) => faultsOfValue(field, members[name], `${path}.${name}`, t)))
    }
    case 'list': {
      const items = formItems(value)
      const own = countFault(items.length, node, t)
      return merge([own ? { [path]: own } : {}, ...items.map((one, index) => faultsOfValue(node.item, one, `${path}.${index}`, t))])
    }
    default: {
      const fault = scalarFault(node, writtenText(value).trim(), t)
      return fault === null ? {} : { [path]: fault }
    }
  }
}

function faultsOfBlank(node: FormNode, value: FormValue | undefined, path: string, t: Ask): FormFaults {
  if (!node.isRequired) return {}
  if (node.kind === 'group') {
    const members = valuesByName(value)
    return merge(node.fields.map(([name, field]) => faultsOfValue(field, members[name], `${path}.${name}`, t)))
  }
  if (node.kind === 'list' || node.kind === 'lines') return node.min > 0 ? { [path]: t('atLeastItems', { count: node.min }) } : {}
  return { [path]: t('agentNeedsThis') }
}

type Scalar = Exclude<FormNode, { readonly kind: 'group' | 'list' }>

function scalarFault(node: Scalar, text: string, t: Ask): string | null {
  switch (node.kind) {
    case 'number':
      return numberFault(node, text, t)
    case 'lines': {
      const lines = linesIn(text)
      if (node.isNumber && lines.some((line) => !isNumber(line))) return t('numbersInDigits')
      return countFault(lines.length, node, t)
    }
    case 'choice':
      return node.choices.some((one) => choiceText(one) === text) ? null : t('chooseOne')
    case 'json':
      return isJson(text) ? null : t('writeJson')
    case 'text':
      return textFault(node, text, t)
    default:
      return node satisfies never
  }
}

function numberFault({ isInteger, min, max, above, below }: Extract<FormNode, { kind: 'number' }>, text: string, t: Ask): string | null {
  if (!isNumber(text)) return t('numberInDigits')
  const value = Number(text)
  if (isInteger && !Number.isSafeInteger(value)) return t('wholeNumber')
  if (value < min) return t('atLeastNumber', { number: String(min) })
  if (value > max) return t('atMostNumber', { number: String(max) })
  if (value <= above) return t('moreThanNumber', { number: String(above) })
  return value >= below ? t('lessThanNumber', { number: String(below) }) : null
}

function textFault({ format, minLength, maxLength }: Extract<FormNode, { kind: 'text' }>, text: string, t: Ask): string | null {
  const length = [...text].length
  if (length < minLength) return t('atLeastCharacters', { count: minLength })
  if (length > maxLength) return t('atMostCharacters', { count: maxLength })
  if ((format === 'date' || format === 'date-time') && Number.isNaN(new Date(text).getTime())) return t('writeDate')
  if (format === 'email' && !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text)) return t('writeEmail')
  return format === 'uri' && !URL.canParse(text) ? t('writeAddress') : null
}

function countFault(count: number, { min, max }: { readonly min: number; readonly max: number }, t: Ask): string | null {
  if (count < min) return t('atLeastItems', { count: min })
  return count > max ? t('atMostItems', { count: max }) : null
}

const merge = (all: readonly FormFaults[]): FormFaults => Object.assign({}, ...all)
const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)
const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '')

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The value of an `<input type="datetime-local">`; an unreadable time as it is. */
function toLocalTime(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return text
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
