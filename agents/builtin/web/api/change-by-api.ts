/** Changes through an API: which operation does what the task says, and its arguments. */
import type { Json } from '@parley/protocol'
import { stemWord } from '../../stem-word.ts'
import type { StepGenerator } from '../steps/step.ts'
import { findBestMatch, isSameText, nameSimilarity } from '../task/name-similarity.ts'
import type { FieldValues, Selection, WebIntent } from '../task/parse-web-task.ts'
import { type ApiRecord, buildPathArgs, findInApi, findListOperations, toRecord } from './find-in-api.ts'
import { type Api, type ApiOperation, endsInParameter, findListSchema, isObject, pathWords, type Schema } from './parse-openapi.ts'

type Change = Extract<WebIntent, { do: 'make' | 'set' | 'put' | 'act' }>
type Args = { readonly [name: string]: Json }
/** `unable`: nothing was changed; pages may be tried. */
export type ActionResult = 'done' | 'unable'

export function* changeByApi(api: Api, change: Change): StepGenerator<ActionResult> {
  switch (change.do) {
    case 'make':
      return yield* make(api, change)
    case 'set':
      return yield* changeOne(api, change.on, (one) => bodyFor(api, one, change.fields, undefined))
    case 'act':
      return yield* changeOne(api, change.on, (one) => bodyForVerb(one, change.verb))
    case 'put':
      return yield* put(api, change)
    default:
      return change satisfies never
  }
}

/** Calls the first operation on one record whose body fits the change. */
function* changeOne(api: Api, on: Selection, bodyOf: (one: ApiOperation) => StepGenerator<Args | undefined>): StepGenerator<ActionResult> {
  const lists = findListOperations(api, on.noun).map((one) => one.path)
  const changes = api.operations.filter((one) => one.method !== 'GET' && lists.some((path) => one.path.startsWith(`${path}/{`)))
  for (const operation of changes) {
    const body = yield* bodyOf(operation)
    if (!body) continue
    const item = yield* findSingle(api, on)
    const path = item && buildPathArgs(operation, item)
    if (path) return yield* send(operation, { ...path, ...body })
  }
  return 'unable'
}

export function* findSingle(api: Api, on: Selection): StepGenerator<ApiRecord | undefined> {
  const items = yield* findInApi(api, on)
  return items?.length === 1 ? items[0] : undefined
}

function* send({ id }: ApiOperation, args: Args): StepGenerator<ActionResult> {
  const seen = yield { kind: 'api', operation: id, args }
  return 'reply' in seen && seen.reply.status < 300 ? 'done' : 'unable'
}

/** The body for a verb: "close" may be a path, or the value `closed` of a field. */
function* bodyForVerb(operation: ApiOperation, verb: string): StepGenerator<Args | undefined> {
  const last = pathWords(operation.path).at(-1) ?? ''
  if (operation.method === 'POST' && !endsInParameter(operation) && stemWord(last) === stemWord(verb)) return {}
  if (operation.method === 'DELETE') return endsInParameter(operation) && /^(?:delete|remove)$/i.test(verb) ? {} : undefined
  if (!endsInParameter(operation)) return undefined
  for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
    const value = schema.values.find((one) => stemWord(one) === stemWord(verb))
    if (value !== undefined) return { [name]: value }
  }
  return undefined
}

/** The body with all fields of the task; undefined if one does not fit. */
function* bodyFor(api: Api, operation: ApiOperation, fields: FieldValues, main: string | undefined): StepGenerator<Args | undefined> {
  if (operation.method === 'DELETE' || !operation.body || (operation.method !== 'POST' && !endsInParameter(operation))) return undefined
  const properties = Object.entries(operation.body.properties)
  const body: { [name: string]: Json } = {}
  for (const [field, text] of Object.entries(fields)) {
    const found = findBestMatch(properties, ([name]) => nameSimilarity(field, name), 0.4)
    const value = found && (yield* valueFor(api, found[1], text))
    if (!found || value === undefined) return undefined
    body[found[0]] = value
  }
  if (main !== undefined) {
    const free = properties.filter(
      ([name, schema]) => !Object.hasOwn(body, name) && schema.types.includes('string') && schema.values.length === 0,
    )
    const [place] =
      free.find(([name]) => nameSimilarity('text', name) > 0) ?? free.find(([name]) => operation.body?.required.includes(name)) ?? []
    if (place === undefined) return undefined
    body[place] = main
  }
  return operation.body.required.every((name) => Object.hasOwn(body, name)) ? body : undefined
}

/** The value in the type of the schema: an enum value, a list, a number, or the id of a named record. */
function* valueFor(api: Api, schema: Schema, text: string): StepGenerator<Json | undefined> {
  if (schema.values.length > 0) return schema.values.find((one) => isSameText(one, text))
  if (schema.types.includes('array')) return [text]
  if (schema.types.includes('boolean')) return /^(?:yes|true|on)$/i.test(text)
  const isNumber = schema.types.includes('integer') || schema.types.includes('number')
  if (isNumber && Number.isFinite(Number(text))) return Number(text)
  if (isNumber) return yield* idOf(api, schema.description, text)
  return text
}

/** The id of the record with this name, in the list that the field's description names. */
function* idOf(api: Api, description: string, called: string): StepGenerator<Json | undefined> {
  const lists = api.operations.filter((one) => findListSchema(one) && !one.path.includes('{'))
  const source =
    lists.find((one) => description.includes(one.path)) ??
    findBestMatch(lists, (one) => nameSimilarity(pathWords(one.path).at(-1) ?? '', description))
  if (!source) return undefined
  const seen = yield { kind: 'api', operation: source.id, args: {} }
  if (!('reply' in seen)) return undefined
  const under = findListSchema(source)?.under ?? null
  const entries = under === null ? seen.reply.body : isObject(seen.reply.body) ? seen.reply.body[under] : undefined
  const found = Array.isArray(entries) ? entries.filter(isObject).find((raw) => isSameText(toRecord(raw, source).name, called)) : undefined
  return found?.id
}

function* make(api: Api, { noun, fields, main, within }: Extract<Change, { do: 'make' }>): StepGenerator<ActionResult> {
  const makers = api.operations.filter(
    (one) => one.method === 'POST' && !endsInParameter(one) && nameSimilarity(noun, pathWords(one.path).at(-1) ?? '') > 0,
  )
  for (const operation of makers) {
    if (operation.path.includes('{') !== (within !== undefined)) continue
    const body = yield* bodyFor(api, operation, fields, main)
    if (!body) continue
    if (!within) return yield* send(operation, body)
    const parent = yield* findSingle(api, within)
    const path = parent && operation.path.startsWith(`${parent.from.path}/{`) ? buildPathArgs(operation, parent) : undefined
    if (path) return yield* send(operation, { ...path, ...body })
  }
  return 'unable'
}

/** Puts a record into a collection of another kind, such as a cart, by its id. */
function* put(api: Api, { into, fields, on }: Extract<Change, { do: 'put' }>): StepGenerator<ActionResult> {
  const operation = api.operations.find(
    (one) => one.method === 'POST' && !one.path.includes('{') && pathWords(one.path).some((word) => nameSimilarity(into, word) > 0),
  )
  const body =
    operation && (yield* bodyFor(api, { ...operation, body: operation.body && { ...operation.body, required: [] } }, fields, undefined))
  if (!operation || !body) return 'unable'
  const item = yield* findSingle(api, on)
  if (!item) return 'unable'
  const keys = Object.keys(operation.body?.properties ?? {}).filter((name) => !Object.hasOwn(body, name))
  const key = keys.find((name) => Object.hasOwn(item.raw, name) || Object.hasOwn(item.raw, name.replace(/^.*_/, '')))
  const id = key === undefined ? undefined : (item.raw[key] ?? item.raw[key.replace(/^.*_/, '')])
  return key === undefined || id === undefined ? 'unable' : yield* send(operation, { ...body, [key]: id })
}
