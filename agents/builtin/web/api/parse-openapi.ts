/** Parses an OpenAPI 3 document in JSON. Unknown parts are ignored. */
import type { Json } from '@parley/protocol'

export type JsonObject = { readonly [key: string]: Json }
export type Schema = {
  readonly types: readonly string[]
  readonly values: readonly string[]
  readonly description: string
  readonly maximum: number | undefined
  readonly properties: { readonly [name: string]: Schema }
  readonly required: readonly string[]
  readonly items: Schema | undefined
}
export type Parameter = {
  readonly name: string
  readonly place: 'query' | 'path'
  readonly isRequired: boolean
  readonly schema: Schema
  readonly description: string
}
export type ApiOperation = {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base, with parameters in braces. */
  readonly path: string
  readonly base: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  readonly answer: Schema | undefined
}
export type Api = { readonly title: string; readonly operations: readonly ApiOperation[] }

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const maxOperations = 300
const maxDepth = 6

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: Json | undefined) => (typeof value === 'string' ? value.slice(0, 400) : '')
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Undefined if it is no such document. @param from URL of the document, the base of relative server URLs */
export function parseOpenApi(document: unknown, from: string): Api | undefined {
  if (!isObject(document) || !/^3\./.test(text(document.openapi)) || !isObject(document.paths)) return undefined
  const [server] = list(document.servers)
  const base = baseOf(isObject(server) ? text(server.url) : '', from)
  if (!base) return undefined
  const operations: ApiOperation[] = []
  for (const [path, item] of Object.entries(document.paths)) {
    if (!isObject(item)) continue
    for (const method of methods) {
      const own = item[method.toLowerCase()]
      if (!isObject(own) || operations.length >= maxOperations) continue
      const read = (value: Json | undefined) => schemaOf(value, document, 0)
      const parameters = [...list(item.parameters), ...list(own.parameters)].flatMap((one) => parameterOf(one, document))
      operations.push({
        id: text(own.operationId) || `${method} ${path}`,
        method,
        path,
        base,
        summary: text(own.summary) || text(own.description),
        parameters,
        body: read(jsonIn(resolve(own.requestBody, document))),
        answer: read(jsonIn(resolve(successOf(own.responses), document))),
      })
    }
  }
  return { title: isObject(document.info) ? text(document.info.title) : '', operations }
}

function baseOf(server: string, from: string): string | undefined {
  const url = URL.parse(server || '/', from)
  // An API on another origin is not a site of the task.
  return url && url.origin === new URL(from).origin ? url.href.replace(/\/$/, '') : undefined
}

function successOf(responses: Json | undefined): Json | undefined {
  if (!isObject(responses)) return undefined
  const code = Object.keys(responses).find((one) => /^2/.test(one))
  return code === undefined ? responses.default : responses[code]
}

function jsonIn(holder: Json | undefined): Json | undefined {
  if (!isObject(holder) || !isObject(holder.content)) return undefined
  const media = Object.entries(holder.content).find(([name]) => /[/+]json\b/.test(name))?.[1]
  return isObject(media) ? media.schema : undefined
}

/** Follows references within the document only. */
function resolve(value: Json | undefined, document: JsonObject): Json | undefined {
  let now = value
  for (let hops = 0; isObject(now) && typeof now.$ref === 'string' && hops < maxDepth; hops++) {
    if (!now.$ref.startsWith('#/')) return undefined
    const way = now.$ref
      .slice(2)
      .split('/')
      .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))
    now = way.reduce<Json | undefined>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), document)
  }
  return now
}

function parameterOf(value: Json, document: JsonObject): Parameter[] {
  const own = resolve(value, document)
  if (!isObject(own) || (own.in !== 'query' && own.in !== 'path')) return []
  const schema = schemaOf(own.schema, document, 0)
  return schema
    ? [{ name: text(own.name), place: own.in, isRequired: own.required === true, schema, description: text(own.description) }]
    : []
}

function schemaOf(value: Json | undefined, document: JsonObject, depth: number): Schema | undefined {
  const found = resolve(value, document)
  if (!isObject(found) || depth > maxDepth) return undefined
  const parts = [found, ...list(found.allOf).map((one) => resolve(one, document))].filter(isObject)
  const own: JsonObject = Object.assign({}, ...parts.toReversed())
  const properties = Object.assign({}, ...parts.map((one) => (isObject(one.properties) ? one.properties : {}))) as JsonObject
  const inner = Object.entries(properties).flatMap(([name, one]) => {
    const schema = schemaOf(one, document, depth + 1)
    return schema ? [[name, schema] as const] : []
  })
  return {
    types: [own.type ?? (inner.length > 0 ? 'object' : own.enum ? 'string' : '')].flat().map(String),
    values: list(own.enum).flatMap((one) => (one === null ? [] : [String(one)])),
    description: text(own.description),
    maximum: typeof own.maximum === 'number' ? own.maximum : undefined,
    properties: Object.fromEntries(inner),
    required: parts.flatMap((one) => list(one.required).map(String)),
    items: schemaOf(own.items, document, depth + 1),
  }
}

/** The path's segments without parameters. The last one names the records. */
export const pathWords = (path: string): string[] => path.split('/').filter((one) => one !== '' && !one.startsWith('{'))
export const endsInParameter = ({ path }: ApiOperation): boolean => /\}\/?$/.test(path)

/** The schema of a list's entries. `under`: the property that holds the list; null if the response is the list. */
export function findListSchema({ method, answer }: ApiOperation): { readonly entry: Schema; readonly under: string | null } | undefined {
  if (method !== 'GET' || !answer) return undefined
  if (answer.items) return { entry: answer.items, under: null }
  for (const [name, one] of Object.entries(answer.properties)) {
    if (one.items && Object.keys(one.items.properties).length > 0) return { entry: one.items, under: name }
  }
  return undefined
}
