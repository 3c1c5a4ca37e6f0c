/** Chooses steps without a model: parses the task, and does each part by the API or by pages. */
import { changeByApi, findSingle } from '../api/change-by-api.ts'
import { type ApiRecord, buildPathArgs, findInApi, findReadOperation, toRecord } from '../api/find-in-api.ts'
import { type Api, isObject } from '../api/parse-openapi.ts'
import { changeInPages } from '../pages/change-in-pages.ts'
import { type BrowserState, DeadEnd, findInPages, openRecord, openUrl } from '../pages/find-in-pages.ts'
import { failedOutcome, type Outcome, type StepChooser, type StepGenerator, type Strategy, toStepChooser } from '../steps/step.ts'
import { parseWebTask, type Selection, type WebIntent } from '../task/parse-web-task.ts'
import { findFact, formatValue, parseNumber, type SiteRecord, sumRounded } from '../task/site-record.ts'

export type StepChooserInput = {
  readonly task: string
  /** First URL to browse. */
  readonly start: string
  readonly strategy: Strategy
  /** The site's API, if it has one. */
  readonly api?: Api | undefined
}

export const deterministicStepChooser = (situation: StepChooserInput): StepChooser => toStepChooser(planSteps(situation))

export function* planSteps(situation: StepChooserInput): StepGenerator<Outcome> {
  const intents = parseWebTask(situation.task)
  if (!intents) return failedOutcome('I can’t read this task. Say one thing in each sentence, with names and texts in quotation marks.')
  const { api, strategy, start } = situation
  const way: SolverState = { api: strategy === 'browse' ? undefined : api, start, mayBrowse: strategy !== 'api', place: undefined }
  let answer: string | null = null
  for (const intent of intents) {
    try {
      const own = yield* go(way, intent)
      if (own !== undefined) answer = own
    } catch (error) {
      if (!(error instanceof DeadEnd)) throw error
      return failedOutcome(error.message)
    }
  }
  return { done: true, answer }
}

type SolverState = { readonly api: Api | undefined; readonly start: string; readonly mayBrowse: boolean; place: BrowserState | undefined }

/** The answer to a question; undefined for a change. @throws {DeadEnd} */
function* go(way: SolverState, intent: WebIntent): StepGenerator<string | undefined> {
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

function* find(way: SolverState, of: Selection, facts: readonly string[] = []): StepGenerator<readonly SiteRecord[]> {
  const byApi = way.api && (yield* findInApi(way.api, of, facts))
  if (byApi) return byApi
  const byPage = way.mayBrowse ? yield* findInPages(yield* stand(way), of, facts) : undefined
  return byPage ?? stuck(`The ${way.mayBrowse ? 'site' : 'API'} does not tell which ${of.noun || 'things'} are meant.`)
}

function* attributeOf(way: SolverState, of: Selection, attribute: string): StepGenerator<string> {
  const items = way.api ? yield* findInApi(way.api, of) : undefined
  const item = items?.length === 1 ? items[0] : undefined
  const known = item && (yield* foundByApi(way, item, attribute))
  if (known !== undefined) return known
  if (!way.mayBrowse) return stuck(`The API does not tell the ${attribute}.`)
  const place = yield* stand(way, item?.url)
  const [found] = (yield* findInPages(place, { ...of, name: of.name ?? item?.name })) ?? []
  const fact = found && findFact(found, attribute)
  return fact ? formatValue(fact.value) : stuck(`The page does not tell the ${attribute}.`)
}

function* foundByApi({ api }: SolverState, item: ApiRecord, attribute: string): StepGenerator<string | undefined> {
  const fact = findFact(item, attribute)
  if (fact) return formatValue(fact.value)
  const reader = api && findReadOperation(api, item)
  const args = reader && buildPathArgs(reader, item)
  const seen = reader && args ? yield { kind: 'api', operation: reader.id, args } : undefined
  const whole = seen && 'reply' in seen && isObject(seen.reply.body) ? findFact(toRecord(seen.reply.body, item.from), attribute) : undefined
  return whole && formatValue(whole.value)
}

function* aggregate(way: SolverState, { do: how, of, attribute }: Extract<WebIntent, { do: 'sum' | 'average' }>): StepGenerator<string> {
  const items = yield* find(way, of, [attribute])
  const numbers = items.map((item) => parseNumber(findFact(item, attribute)?.value))
  if (numbers.length === 0 || numbers.some((one) => one === undefined)) return stuck(`Not all of them tell their ${attribute}.`)
  const sum = sumRounded(numbers.map(Number))
  return String(how === 'sum' ? sum : sum / numbers.length)
}

type Order = Exclude<WebIntent, { do: 'count' | 'name' | 'value' | 'sum' | 'average' }>
function* change(way: SolverState, intent: Order): StepGenerator<void> {
  if (way.api && intent.do !== 'buy' && (yield* changeByApi(way.api, intent)) === 'done') return
  if (!way.mayBrowse) stuck('The API has no operation for this.')
  // The API finds a record in one call, pages need several steps.
  const on = 'on' in intent ? intent.on : intent.within
  const item = way.api && on ? yield* findSingle(way.api, on) : undefined
  const place = yield* stand(way, item?.url)
  yield* changeInPages(place, intent, (at, of) => openByPage(at, of, item))
}

function* openByPage(place: BrowserState, of: Selection, item: ApiRecord | undefined): StepGenerator<boolean> {
  if (item?.url) return true
  const name = of.name ?? item?.name
  if (name !== undefined || (!of.pick && of.filters.length === 0)) return yield* openRecord(place, { ...of, name })
  const found = yield* findInPages(place, of)
  const [only] = found ?? []
  if (!only?.url || found?.length !== 1) return false
  yield* openUrl(place, only.url)
  return true
}

/** Opens the browser when it is first needed. */
function* stand(way: SolverState, at?: string): StepGenerator<BrowserState> {
  if (way.place && at === undefined) return way.place
  const place: BrowserState = way.place ?? { page: nowhere }
  yield* openUrl(place, at ?? way.start)
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
  throw new DeadEnd(reason)
}
