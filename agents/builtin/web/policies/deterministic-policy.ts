/** The policy without a model: reads the task, and goes for each part of it the way that the strategy allows and the site offers. Pure. */
import { changeByApi, theOne } from '../api/api-actions.ts'
import { type ApiItem, findByApi, itemOf, pathArgs, readerOf } from '../api/api-queries.ts'
import { type Api, isObject } from '../api/openapi.ts'
import { changeByPage } from '../pages/page-actions.ts'
import { findByPage, goto, openThing, type Place, Stuck } from '../pages/page-navigation.ts'
import { type Course, failed, type Outcome, type Policy, policyOf, type Strategy } from '../steps/step.ts'
import { type Intent, readTask, type Selection } from '../task/intent.ts'
import { factOf, type Item, numberIn, said, total } from '../task/records.ts'

export type Situation = {
  readonly task: string
  /** Where browsing begins. */
  readonly start: string
  readonly strategy: Strategy
  /** What the site says of its API, where it has one. */
  readonly api?: Api | undefined
}

export const deterministicPolicy = (situation: Situation): Policy => policyOf(solve(situation))

export function* solve(situation: Situation): Course<Outcome> {
  const intents = readTask(situation.task)
  if (!intents) return failed('I can’t read this task. Say one thing in each sentence, with names and texts in quotation marks.')
  const { api, strategy, start } = situation
  const way: Way = { api: strategy === 'browse' ? undefined : api, start, mayBrowse: strategy !== 'api', place: undefined }
  let answer: string | null = null
  for (const intent of intents) {
    try {
      const own = yield* go(way, intent)
      if (own !== undefined) answer = own
    } catch (error) {
      if (!(error instanceof Stuck)) throw error
      return failed(error.message)
    }
  }
  return { done: true, answer }
}

type Way = { readonly api: Api | undefined; readonly start: string; readonly mayBrowse: boolean; place: Place | undefined }

/** The answer of a question; undefined of an order. @throws {Stuck} */
function* go(way: Way, intent: Intent): Course<string | undefined> {
  switch (intent.do) {
    case 'count':
      return String((yield* find(way, intent.of)).length)
    case 'name':
      return (yield* find(way, intent.of)).map((one) => one.name).join(', ')
    case 'value':
      return yield* attributeOf(way, intent.of, intent.attribute)
    case 'sum':
    case 'average':
      return yield* aggregate(way, intent)
    default:
      yield* change(way, intent)
      return undefined
  }
}

function* find(way: Way, of: Selection, facts: readonly string[] = []): Course<readonly Item[]> {
  const byApi = way.api && (yield* findByApi(way.api, of, facts))
  if (byApi) return byApi
  const byPage = way.mayBrowse ? yield* findByPage(yield* stand(way), of, facts) : undefined
  return byPage ?? stuck(`The ${way.mayBrowse ? 'site' : 'API'} does not tell which ${of.noun || 'things'} are meant.`)
}

function* attributeOf(way: Way, of: Selection, attribute: string): Course<string> {
  const items = way.api ? yield* findByApi(way.api, of) : undefined
  const item = items?.length === 1 ? items[0] : undefined
  const known = item && (yield* toldByApi(way, item, attribute))
  if (known !== undefined) return known
  if (!way.mayBrowse) return stuck(`The API does not tell the ${attribute}.`)
  const place = yield* stand(way, item?.url)
  const [found] = (yield* findByPage(place, { ...of, name: of.name ?? item?.name })) ?? []
  const fact = found && factOf(found, attribute)
  return fact ? said(fact.value) : stuck(`The page does not tell the ${attribute}.`)
}

function* toldByApi({ api }: Way, item: ApiItem, attribute: string): Course<string | undefined> {
  const fact = factOf(item, attribute)
  if (fact) return said(fact.value)
  const reader = api && readerOf(api, item)
  const args = reader && pathArgs(reader, item)
  const seen = reader && args ? yield { kind: 'api', operation: reader.id, args } : undefined
  const whole = seen && 'reply' in seen && isObject(seen.reply.body) ? factOf(itemOf(seen.reply.body, item.from), attribute) : undefined
  return whole && said(whole.value)
}

function* aggregate(way: Way, { do: how, of, attribute }: Extract<Intent, { do: 'sum' | 'average' }>): Course<string> {
  const items = yield* find(way, of, [attribute])
  const numbers = items.map((item) => numberIn(factOf(item, attribute)?.value))
  if (numbers.length === 0 || numbers.some((one) => one === undefined)) return stuck(`Not all of them tell their ${attribute}.`)
  const sum = total(numbers.map(Number))
  return String(how === 'sum' ? sum : sum / numbers.length)
}

type Order = Exclude<Intent, { do: 'count' | 'name' | 'value' | 'sum' | 'average' }>
function* change(way: Way, intent: Order): Course<void> {
  if (way.api && intent.do !== 'buy' && (yield* changeByApi(way.api, intent)) === 'done') return
  if (!way.mayBrowse) stuck('The API has no operation for this.')
  // The API finds in one call what pages take several for.
  const on = 'on' in intent ? intent.on : intent.within
  const item = way.api && on ? yield* theOne(way.api, on) : undefined
  const place = yield* stand(way, item?.url)
  yield* changeByPage(place, intent, (at, of) => openByPage(at, of, item))
}

function* openByPage(place: Place, of: Selection, item: ApiItem | undefined): Course<boolean> {
  if (item?.url) return true
  const name = of.name ?? item?.name
  if (name !== undefined || (!of.pick && of.filters.length === 0)) return yield* openThing(place, { ...of, name })
  const found = yield* findByPage(place, of)
  const [only] = found ?? []
  if (!only?.url || found?.length !== 1) return false
  yield* goto(place, only.url)
  return true
}

/** The browser is opened when it is first needed. */
function* stand(way: Way, at?: string): Course<Place> {
  if (way.place && at === undefined) return way.place
  const place: Place = way.place ?? { page: nowhere }
  yield* goto(place, at ?? way.start)
  way.place = place
  return place
}

const nowhere = {
  url: 'about:blank',
  title: '',
  tree: { role: 'document', name: '', ref: undefined, value: '', url: undefined, flags: [], children: [] },
  downloads: [],
}

function stuck(reason: string): never {
  throw new Stuck(reason)
}
