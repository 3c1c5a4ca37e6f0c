/** Validates the values of a form while they are written. Pure. */
import type { Translate } from '../../_messages/translate-types.ts'
import { type FormValue, formItems, isBlankValue, linesIn, valuesByName, writtenText } from './form-value.ts'
import { choiceText, type FormNode } from './schema-to-form-node.ts'

/** Faults by the path of their field: names and places, joined by points. */
export type FormFaults = Readonly<Record<string, string>>
type Ask = Translate<'calls.callForm'>

export function validateFormValue(node: FormNode, value: FormValue | undefined, path: string, t: Ask): FormFaults {
  if (isBlankValue(node, value)) return faultsOfBlank(node, value, path, t)
  switch (node.kind) {
    case 'group': {
      const members = valuesByName(value)
      return merge(node.fields.map(([name, field]) => validateFormValue(field, members[name], `${path}.${name}`, t)))
    }
    case 'list': {
      const items = formItems(value)
      const own = countFault(items.length, node, t)
      return merge([own ? { [path]: own } : {}, ...items.map((one, index) => validateFormValue(node.item, one, `${path}.${index}`, t))])
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
    return merge(node.fields.map(([name, field]) => validateFormValue(field, members[name], `${path}.${name}`, t)))
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
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
