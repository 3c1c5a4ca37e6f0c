/** Queries of an API: which operation lists the records, and which records match. */
import type { Json } from '@parley/protocol'
import type { StepGenerator } from '../steps/step.ts'
import { findBestMatch, isSameText, nameSimilarity } from '../task/name-similarity.ts'
import type { Filter, Selection } from '../task/parse-web-task.ts'
import { hasName, listNeededFacts, matchesFilter, pickRecord, type SiteRecord, type Value } from '../task/site-record.ts'
import {
  type Api,
  type ApiOperation,
  endsInParameter,
  findListSchema,
  isObject,
  type JsonObject,
  type Parameter,
  pathWords,
} from './parse-openapi.ts'

export type ApiRecord = SiteRecord & { readonly raw: JsonObject; readonly from: ApiOperation }
type Args = { [name: string]: Json }

const maxCalls = 40
const searchWords = /^(?:q|query|search|term|text|keyword|name|title)$/i
const pageWords = /^(?:page|page_?number|p)$/i
const offsetWords = /^(?:offset|skip|start)$/i
const sizeWords = /^(?:limit|per_?page|page_?size|size|count|take)$/i
const titles = ['title', 'name', 'subject', 'label', 'headline', 'text']

/** List operations for a noun, best match first; all searchable lists if there is no noun. */
export function findListOperations({ operations }: Api, noun: string): ApiOperation[] {
  const lists = operations.filter((one) => findListSchema(one) && !one.path.includes('{'))
  if (noun === '') return lists.filter((one) => findSearchParameter(one))
  const score = (one: ApiOperation) => nameSimilarity(noun, pathWords(one.path).at(-1) ?? '')
  return lists.filter((one) => score(one) > 0).sort((a, b) => score(b) - score(a))
}

export const findSearchParameter = ({ parameters }: ApiOperation): Parameter | undefined =>
  parameters.find((one) => one.place === 'query' && searchWords.test(one.name))

/** All records that match a selection; undefined if the API cannot answer this. @param facts further attributes that the records must have */
export function* findInApi(api: Api, of: Selection, facts: readonly string[] = []): StepGenerator<readonly ApiRecord[] | undefined> {
  for (const operation of findListOperations(api, of.noun)) {
    const shown = findListSchema(operation)?.entry
    const record: SiteRecord = { name: '', facts: Object.fromEntries(Object.keys(shown?.properties ?? {}).map((name) => [name, ''])) }
    const isNotified = (field: string) => matchesFilter(record, { field, value: '', is: 'equal' }) !== undefined
    const asked = buildQuery(operation, of)
    if (![...listNeededFacts(of).filter((field) => !asked.kept.has(field)), ...facts].every(isNotified)) continue
    const items = yield* listAll(operation, asked.args)
    if (!items) continue
    const meant = items.filter(
      (item) =>
        (of.name === undefined || hasName(item, of.name)) &&
        of.filters.every((one) => asked.kept.has(one.field ?? one.value) || matchesFilter(item, one)),
    )
    if (of.name !== undefined && meant.length === 0) continue
    if (!of.pick) return meant
    const picked = pickRecord(meant, of.pick)
    return picked ? meant.filter((one) => one === picked) : undefined
  }
  return undefined
}

/** The query of a list operation for a selection. `kept`: fields that the operation filters, so that they need no check. */
export function buildQuery(operation: ApiOperation, { name, filters }: Selection): { args: Args; kept: Set<string> } {
  const args: Args = {}
  const kept = new Set<string>()
  const search = findSearchParameter(operation)
  if (name !== undefined && search && !/^\d+$/.test(name)) args[search.name] = name
  for (const filter of filters) {
    const parameter = parameterFor(operation, filter)
    if (!parameter) continue
    args[parameter.name] = parameter.schema.values.find((one) => isSameText(one, filter.value)) ?? filter.value
    kept.add(filter.field ?? filter.value)
  }
  const size = operation.parameters.find((one) => one.place === 'query' && sizeWords.test(one.name))
  if (size) args[size.name] = size.schema.maximum ?? 100
  return { args, kept }
}

function parameterFor({ parameters }: ApiOperation, { field, value, is }: Filter): Parameter | undefined {
  if (is !== 'equal') return undefined
  const takes = ({ place, schema }: Parameter) =>
    place === 'query' &&
    (schema.values.length > 0
      ? schema.values.some((one) => isSameText(one, value))
      : schema.types.includes('string') || Number.isFinite(Number(value)))
  const able = parameters.filter((one) => takes(one) && !searchWords.test(one.name))
  if (field !== undefined) return findBestMatch(able, (one) => nameSimilarity(field, one.name), 0.5)
  return able.find((one) => one.schema.values.some((other) => isSameText(other, value)))
}

/** All entries of a paged list; undefined if they cannot be read completely. */
function* listAll(operation: ApiOperation, args: Args): StepGenerator<readonly ApiRecord[] | undefined> {
  const query = operation.parameters.filter((one) => one.place === 'query')
  const [page, offset, size] = [pageWords, offsetWords, sizeWords].map((words) => query.find((one) => words.test(one.name)))
  const items: ApiRecord[] = []
  for (let call = 0; call < maxCalls; call++) {
    const place = page ? { [page.name]: call + 1 } : offset ? { [offset.name]: items.length } : {}
    const seen = yield { kind: 'api', operation: operation.id, args: { ...args, ...(call > 0 && place) } }
    if (!('reply' in seen) || seen.reply.status >= 300) return undefined
    const { entries, total } = entriesIn(seen.reply.body, findListSchema(operation)?.under ?? null)
    if (!entries) return undefined
    items.push(...entries.map((raw) => toRecord(raw, operation)))
    const wanted = size ? Number(args[size.name]) : Number.POSITIVE_INFINITY
    const isLast = total !== undefined ? items.length >= total : entries.length < wanted
    if (entries.length === 0 || isLast || (!page && !offset)) return items
  }
  return undefined
}

function entriesIn(body: Json, under: string | null): { entries: JsonObject[] | undefined; total: number | undefined } {
  const held = under === null ? body : isObject(body) ? body[under] : undefined
  if (!Array.isArray(held)) return { entries: undefined, total: undefined }
  const total = isObject(body) ? Object.entries(body).find(([name]) => /^(?:total|count|total_?count)$/i.test(name))?.[1] : undefined
  return { entries: held.filter(isObject), total: typeof total === 'number' ? total : undefined }
}

export function toRecord(raw: JsonObject, from: ApiOperation): ApiRecord {
  const facts = Object.fromEntries(Object.entries(raw).flatMap(([name, value]) => factOfJson(name, value)))
  const name = titles.map((one) => raw[one]).find((one) => typeof one === 'string')
  const url = ['html_url', 'web_url', 'url', 'link', 'href'].map((one) => raw[one]).find((one) => typeof one === 'string')
  const own = typeof url === 'string' ? URL.parse(url, from.base)?.href : undefined
  return { name: typeof name === 'string' ? name : '', facts, raw, from, ...(own && { url: own }) }
}

function factOfJson(name: string, value: Json): (readonly [string, Value])[] {
  if (Array.isArray(value)) return [[name, value.map((one) => (isObject(one) ? String(one.name ?? one.title ?? '') : String(one)))]]
  if (isObject(value)) {
    const named = value.name ?? value.title ?? value.login
    return typeof named === 'string' ? [[name, named]] : []
  }
  return [[name, value as Value]]
}

/** The path arguments for one record; undefined if one is missing. */
export function buildPathArgs(operation: ApiOperation, { raw }: ApiRecord): Args | undefined {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  if (names.length !== 1 || !names[0]) return undefined
  const [name] = names
  const value = [name, name.replace(/^.*_/, ''), 'id', 'number', 'slug', 'key']
    .map((one) => raw[one])
    .find((one) => typeof one === 'string' || typeof one === 'number')
  return value === undefined ? undefined : { [name]: value }
}

/** The operation that reads one record. */
export const findReadOperation = (api: Api, { from }: ApiRecord): ApiOperation | undefined =>
  api.operations.find((one) => one.method === 'GET' && one.path.startsWith(`${from.path}/{`) && endsInParameter(one))
