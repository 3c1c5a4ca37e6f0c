/** Changing things through an API: which operation does what the task says, and with what. Pure. */
import type { Json } from '@parley/protocol'
import type { Course } from '../steps/step.ts'
import type { Fields, Intent, Selection } from '../task/intent.ts'
import { likeliest, likeness, sameText, stem } from '../task/text-similarity.ts'
import { type ApiItem, findByApi, itemOf, listsOf, pathArgs } from './api-queries.ts'
import { type Api, endsInParameter, isObject, listing, type Operation, type Schema, segments } from './openapi.ts'

type Change = Extract<Intent, { do: 'make' | 'set' | 'put' | 'act' }>
type Args = { readonly [name: string]: Json }
/** `unable`: nothing was changed, another way may be tried. */
export type Done = 'done' | 'unable'

export function* changeByApi(api: Api, change: Change): Course<Done> {
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

/** An operation on one thing, where there is one that takes what the task says. */
function* changeOne(api: Api, on: Selection, bodyOf: (one: Operation) => Course<Args | undefined>): Course<Done> {
  const lists = listsOf(api, on.noun).map((one) => one.path)
  const changes = api.operations.filter((one) => one.method !== 'GET' && lists.some((path) => one.path.startsWith(`${path}/{`)))
  for (const operation of changes) {
    const body = yield* bodyOf(operation)
    if (!body) continue
    const item = yield* theOne(api, on)
    const path = item && pathArgs(operation, item)
    if (path) return yield* send(operation, { ...path, ...body })
  }
  return 'unable'
}

export function* theOne(api: Api, on: Selection): Course<ApiItem | undefined> {
  const items = yield* findByApi(api, on)
  return items?.length === 1 ? items[0] : undefined
}

function* send({ id }: Operation, args: Args): Course<Done> {
  const seen = yield { kind: 'api', operation: id, args }
  return 'reply' in seen && seen.reply.status < 300 ? 'done' : 'unable'
}

/** "close" is a path of that name, or a state `closed` that a field takes. */
function* bodyForVerb(operation: Operation, verb: string): Course<Args | undefined> {
  const last = segments(operation.path).at(-1) ?? ''
  if (operation.method === 'POST' && !endsInParameter(operation) && stem(last) === stem(verb)) return {}
  if (operation.method === 'DELETE') return endsInParameter(operation) && /^(?:delete|remove)$/i.test(verb) ? {} : undefined
  if (!endsInParameter(operation)) return undefined
  for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
    const value = schema.values.find((one) => stem(one) === stem(verb))
    if (value !== undefined) return { [name]: value }
  }
  return undefined
}

/** Every field of the task has its place in the body, or there is no body. */
function* bodyFor(api: Api, operation: Operation, fields: Fields, main: string | undefined): Course<Args | undefined> {
  if (operation.method === 'DELETE' || !operation.body || (operation.method !== 'POST' && !endsInParameter(operation))) return undefined
  const properties = Object.entries(operation.body.properties)
  const body: { [name: string]: Json } = {}
  for (const [field, said] of Object.entries(fields)) {
    const found = likeliest(properties, ([name]) => likeness(field, name), 0.4)
    const value = found && (yield* valueFor(api, found[1], said))
    if (!found || value === undefined) return undefined
    body[found[0]] = value
  }
  if (main !== undefined) {
    const free = properties.filter(
      ([name, schema]) => !Object.hasOwn(body, name) && schema.types.includes('string') && schema.values.length === 0,
    )
    const [place] =
      free.find(([name]) => likeness('text', name) > 0) ?? free.find(([name]) => operation.body?.required.includes(name)) ?? []
    if (place === undefined) return undefined
    body[place] = main
  }
  return operation.body.required.every((name) => Object.hasOwn(body, name)) ? body : undefined
}

/** A value in the form that the API wants: one of its words, a list, a number, or the id of what is called so. */
function* valueFor(api: Api, schema: Schema, said: string): Course<Json | undefined> {
  if (schema.values.length > 0) return schema.values.find((one) => sameText(one, said))
  if (schema.types.includes('array')) return [said]
  if (schema.types.includes('boolean')) return /^(?:yes|true|on)$/i.test(said)
  const isNumber = schema.types.includes('integer') || schema.types.includes('number')
  if (isNumber && Number.isFinite(Number(said))) return Number(said)
  if (isNumber) return yield* idOf(api, schema.description, said)
  return said
}

/** The id of what is called so, in the list that the field's description speaks of. */
function* idOf(api: Api, description: string, called: string): Course<Json | undefined> {
  const lists = api.operations.filter((one) => listing(one) && !one.path.includes('{'))
  const source =
    lists.find((one) => description.includes(one.path)) ?? likeliest(lists, (one) => likeness(segments(one.path).at(-1) ?? '', description))
  if (!source) return undefined
  const seen = yield { kind: 'api', operation: source.id, args: {} }
  if (!('reply' in seen)) return undefined
  const under = listing(source)?.under ?? null
  const entries = under === null ? seen.reply.body : isObject(seen.reply.body) ? seen.reply.body[under] : undefined
  const found = Array.isArray(entries) ? entries.filter(isObject).find((raw) => sameText(itemOf(raw, source).name, called)) : undefined
  return found?.id
}

function* make(api: Api, { noun, fields, main, within }: Extract<Change, { do: 'make' }>): Course<Done> {
  const makers = api.operations.filter(
    (one) => one.method === 'POST' && !endsInParameter(one) && likeness(noun, segments(one.path).at(-1) ?? '') > 0,
  )
  for (const operation of makers) {
    if (operation.path.includes('{') !== (within !== undefined)) continue
    const body = yield* bodyFor(api, operation, fields, main)
    if (!body) continue
    if (!within) return yield* send(operation, body)
    const parent = yield* theOne(api, within)
    const path = parent && operation.path.startsWith(`${parent.from.path}/{`) ? pathArgs(operation, parent) : undefined
    if (path) return yield* send(operation, { ...path, ...body })
  }
  return 'unable'
}

/** Into a collection of another kind, such as a cart: its entries name the thing by its id. */
function* put(api: Api, { into, fields, on }: Extract<Change, { do: 'put' }>): Course<Done> {
  const operation = api.operations.find(
    (one) => one.method === 'POST' && !one.path.includes('{') && segments(one.path).some((word) => likeness(into, word) > 0),
  )
  const body =
    operation && (yield* bodyFor(api, { ...operation, body: operation.body && { ...operation.body, required: [] } }, fields, undefined))
  if (!operation || !body) return 'unable'
  const item = yield* theOne(api, on)
  if (!item) return 'unable'
  const keys = Object.keys(operation.body?.properties ?? {}).filter((name) => !Object.hasOwn(body, name))
  const key = keys.find((name) => Object.hasOwn(item.raw, name) || Object.hasOwn(item.raw, name.replace(/^.*_/, '')))
  const id = key === undefined ? undefined : (item.raw[key] ?? item.raw[key.replace(/^.*_/, '')])
  return key === undefined || id === undefined ? 'unable' : yield* send(operation, { ...body, [key]: id })
}
