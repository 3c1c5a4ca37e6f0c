/** The steps of work on lines: their types, and how a query names them. */
import type { Json } from '@parley/protocol'
import { refuse } from '../../skill.ts'

/** What a line is tested for. */
export const lineTests = ['level', 'contains', 'contains_all', 'starts', 'ends', 'kind', 'time', 'longer', 'shorter'] as const
export type LineTest = (typeof lineTests)[number]

/** What lines are counted by. */
export const lineGroups = ['level', 'hour', 'hour_of_day', 'day', 'minute', 'first_word', 'line', 'ip', 'message', 'field'] as const
export type LineGroup = (typeof lineGroups)[number]

export const lineOrders = ['alphabet', 'last_word', 'number', 'length', 'time'] as const
export type LineOrder = (typeof lineOrders)[number]

/** Changes of each line or of the list. */
export const lineChanges = [
  'unique',
  'number',
  'bullets',
  'reverse',
  'remove_blank',
  'trim',
  'upper_case',
  'lower_case',
  'title_case',
  'join',
] as const
export type LineChange = (typeof lineChanges)[number]

export type LineStep =
  | { readonly do: 'keep' | 'remove'; readonly where: LineTest; readonly values: readonly string[] }
  | { readonly do: 'take' | 'drop'; readonly end: 'first' | 'last'; readonly count: number }
  | { readonly do: 'sort'; readonly by: LineOrder; readonly isDescending: boolean }
  | { readonly do: 'change'; readonly change: LineChange; readonly separator?: string }
  /** Gives the number of lines left. */
  | { readonly do: 'count' }
  /** Counts the lines left by a group; with `top`, the largest or smallest groups only; with `min`, those of at least that size. */
  | {
      readonly do: 'count_by'
      readonly by: LineGroup
      readonly field?: string
      readonly top?: number
      readonly min?: number
      readonly isSmallest?: boolean
    }
  /** Goes back to all lines. */
  | { readonly do: 'all' }
  /** The lines as they are now are part of the answer. */
  | { readonly do: 'show' }

export const maxLineSteps = 16
const maxCount = 1_000_000

type Fields = { readonly [key: string]: Json }
const isFields = (value: Json | undefined): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const oneOf = <T extends string>(value: Json | undefined, choices: readonly T[]): T | undefined => choices.find((one) => one === value)
const countIn = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxCount ? value : undefined

/** The steps of a query. @throws {SkillRefused} if one of them is none */
export function parseLineSteps(value: Json | undefined): LineStep[] {
  const found = Array.isArray(value) ? value.map((one) => (isFields(one) ? parseStep(one) : undefined)) : []
  const steps = found.filter((one) => one !== undefined)
  if (steps.length === 0 || steps.length !== found.length || steps.length > maxLineSteps)
    return refuse(
      `The query needs \`steps\`: 1 to ${maxLineSteps} of keep, remove, take, drop, sort, change, count, count_by, all and show.`,
    )
  return steps
}

function parseStep(step: Fields): LineStep | undefined {
  const kind = oneOf(step.do, ['keep', 'remove', 'take', 'drop', 'sort', 'change', 'count', 'count_by', 'all', 'show'] as const)
  switch (kind) {
    case 'keep':
    case 'remove': {
      const where = oneOf(step.where, lineTests)
      const values = Array.isArray(step.values) ? step.values.filter((one): one is string => typeof one === 'string' && one !== '') : []
      return where && values.length > 0 ? { do: kind, where, values } : undefined
    }
    case 'take':
    case 'drop': {
      const [end, count] = [oneOf(step.end, ['first', 'last'] as const), countIn(step.count)]
      return end && count ? { do: kind, end, count } : undefined
    }
    case 'sort': {
      const by = oneOf(step.by, lineOrders)
      return by && { do: kind, by, isDescending: step.isDescending === true }
    }
    case 'change': {
      const change = oneOf(step.change, lineChanges)
      return change && { do: kind, change, ...(typeof step.separator === 'string' && { separator: step.separator }) }
    }
    case 'count_by':
      return parseGroup(step)
    default:
      return kind && { do: kind }
  }
}

function parseGroup(step: Fields): LineStep | undefined {
  const [by, top, min] = [oneOf(step.by, lineGroups), countIn(step.top), countIn(step.min)]
  const field = typeof step.field === 'string' ? step.field : undefined
  if (!by || (by === 'field' && !field)) return undefined
  return {
    do: 'count_by',
    by,
    ...(field && { field }),
    ...(top && { top }),
    ...(min && { min }),
    ...(step.isSmallest === true && { isSmallest: true }),
  }
}
