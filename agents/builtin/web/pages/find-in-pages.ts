/** Navigation in a site by its pages: to a record by name, and to the list of all matching records. */

import { findButtonsNear, findByRole, type TreeNode, visibleTextOf } from '../steps/accessibility-tree.ts'
import type { BrowseStep, Page, StepGenerator } from '../steps/step.ts'
import { findBestMatch, isSameText, nameSimilarity, tokens } from '../task/name-similarity.ts'
import type { Filter, Selection } from '../task/parse-web-task.ts'
import { matchesFilter, pickRecord, type SiteRecord } from '../task/site-record.ts'
import { extractFacts, extractRecords, listLinks } from './extract-records-and-facts.ts'

/** The current page. */
export type BrowserState = { page: Page }

/** The pages offer no way to continue; the message is the reason. */
export class DeadEnd extends Error {
  override readonly name = 'Stuck'
}

const maxPages = 60
const next = /^(?:next|older|more)\b|^[›»>]+$/i

export function* takeStep(place: BrowserState, one: BrowseStep): StepGenerator<Page> {
  const seen = yield one
  if ('refused' in seen) throw new DeadEnd(seen.refused)
  if (!('page' in seen)) throw new DeadEnd('The browser gave no page.')
  place.page = seen.page
  return seen.page
}

export const openUrl = (place: BrowserState, url: string): StepGenerator<Page> => takeStep(place, { kind: 'browse', act: 'goto', url })
export const clickNode = (place: BrowserState, node: TreeNode): StepGenerator<Page> =>
  takeStep(place, { kind: 'browse', act: 'click', ref: node.ref ?? '', name: visibleTextOf(node) })

/** Opens the page of the selected record; false if it is not found. */
export function* openRecord(place: BrowserState, of: Selection): StepGenerator<boolean> {
  const { noun, name } = of
  if (name === undefined) return yield* openSection(place, noun)
  if (isSameText(extractFacts(place.page).name, name)) return true
  if (yield* follow(place, name, noun)) return true
  if ((yield* search(place, name)) && (yield* followInPages(place, name, noun))) return true
  if (noun === '' || !(yield* openSection(place, noun))) return false
  if (yield* follow(place, name, noun)) return true
  if (yield* search(place, name)) return yield* followInPages(place, name, noun)
  return yield* followInPages(place, name, noun)
}

/** Opens the page that a link with a similar name leads to. */
export function* openSection(place: BrowserState, called: string): StepGenerator<boolean> {
  const link = findSimilarLink(place.page, called)
  if (link) yield* clickNode(place, link)
  return link !== undefined
}

export function findSimilarLink({ tree }: Page, called: string): TreeNode | undefined {
  const links = listLinks(tree)
  return findBestMatch(links, (one) => nameSimilarity(called, visibleTextOf(one)))
}

function* follow(place: BrowserState, name: string, noun: string): StepGenerator<boolean> {
  const links = listLinks(place.page.tree)
  const isWhole = (one: TreeNode) => isSameText(visibleTextOf(one), name) || isSameText(visibleTextOf(one), `${noun} ${name}`)
  const isNumber = /^#?\d+$/.test(name)
  const link =
    links.find(isWhole) ?? (isNumber ? links.find((one) => tokens(visibleTextOf(one)).includes(name.replace('#', ''))) : undefined)
  if (link) yield* clickNode(place, link)
  return link !== undefined
}

function* followInPages(place: BrowserState, name: string, noun: string): StepGenerator<boolean> {
  for (let page = 0; page < maxPages; page++) {
    if (yield* follow(place, name, noun)) return true
    if (!(yield* turnPage(place))) return false
  }
  return false
}

function* turnPage(place: BrowserState): StepGenerator<boolean> {
  const link = listLinks(place.page.tree).find((one) => next.test(visibleTextOf(one)))
  if (link) yield* clickNode(place, link)
  return link !== undefined
}

function* search(place: BrowserState, words: string): StepGenerator<boolean> {
  const box =
    findByRole(place.page.tree, 'searchbox')[0] ??
    findByRole(place.page.tree, 'textbox').find((one) => nameSimilarity('search', one.name) > 0)
  if (!box?.ref) return false
  yield* takeStep(place, { kind: 'browse', act: 'fill', ref: box.ref, name: box.name, value: words })
  const [button] = findButtonsNear(findByRole(place.page.tree, 'search')[0] ?? place.page.tree, box)
  if (button) yield* clickNode(place, button)
  else yield* takeStep(place, { kind: 'browse', act: 'press', ref: box.ref, name: 'Enter' })
  return true
}

/**
 * All matching records, or the one that a superlative selects; undefined if the pages cannot answer this. @param facts attributes that the
 * records must have
 */
export function* findInPages(
  place: BrowserState,
  of: Selection,
  facts: readonly string[] = [],
): StepGenerator<readonly SiteRecord[] | undefined> {
  if (of.name !== undefined) {
    if (!(yield* openRecord(place, of))) return undefined
    return [extractFacts(place.page)]
  }
  const unmet = yield* narrow(place, of)
  if (!unmet) return undefined
  let items = yield* gather(place)
  const needed = [...unmet.flatMap(({ field }) => (field === undefined ? [] : [field])), ...(of.pick ? [of.pick.by] : []), ...facts]
  const hasNeededFacts = (item: SiteRecord) => needed.every((field) => matchesFilter(item, { field, value: '', is: 'equal' }) !== undefined)
  if (!items.every(hasNeededFacts)) items = yield* visitEach(place, items)
  if (!items.every(hasNeededFacts)) return undefined
  const meant = items.filter((item) => unmet.every((filter) => matchesFilter(item, filter) === true))
  if (!of.pick) return meant
  const picked = pickRecord(meant, of.pick)
  return picked && [picked]
}

/** Opens the list of records and applies the site's filters. Returns the filters that are still to be checked. */
function* narrow(place: BrowserState, { noun, filters }: Selection): StepGenerator<readonly Filter[] | undefined> {
  let unmet = filters
  const met = (filter: Filter) => {
    unmet = unmet.filter((one) => one !== filter)
  }
  const exact = (value: string) => listLinks(place.page.tree).find((one) => isSameText(visibleTextOf(one), value))
  let isThere = false
  for (const filter of filters.filter((one) => one.is === 'equal' && one.field !== undefined)) {
    if (!exact(filter.value)) {
      const menu = findSimilarLink(place.page, filter.field ?? '')
      if (menu) yield* clickNode(place, menu)
    }
    const link = exact(filter.value)
    if (!link) continue
    yield* clickNode(place, link)
    met(filter)
    isThere = true
  }
  if (!isThere && noun !== '') isThere = yield* openSection(place, noun)
  if (!isThere && !extractRecords(place.page).length) return undefined
  yield* chooseFilters(place, unmet, met)
  return unmet
}

/** Sets filter fields of the list. */
function* chooseFilters(place: BrowserState, filters: readonly Filter[], met: (filter: Filter) => void): StepGenerator<void> {
  let last: TreeNode | undefined
  const root = place.page.tree
  for (const filter of filters.filter((one) => one.is === 'equal')) {
    const boxes = findByRole(root, 'combobox', 'listbox').filter((one) =>
      findByRole(one, 'option').some((option) => isSameText(visibleTextOf(option), filter.value)),
    )
    const box = filter.field === undefined ? boxes[0] : findBestMatch(boxes, (one) => nameSimilarity(filter.field ?? '', one.name))
    if (!box?.ref) continue
    yield* takeStep(place, { kind: 'browse', act: 'select', ref: box.ref, name: box.name, value: filter.value })
    met(filter)
    last = box
  }
  const [button] = last ? findButtonsNear(root, last) : []
  if (button) yield* clickNode(place, button)
}

function* gather(place: BrowserState): StepGenerator<readonly SiteRecord[]> {
  const items: SiteRecord[] = []
  for (let page = 0; page < maxPages; page++) {
    items.push(...extractRecords(place.page))
    if (!(yield* turnPage(place))) break
  }
  return items
}

/** Reads each record's own page, which may have more facts. */
function* visitEach(place: BrowserState, items: readonly SiteRecord[]): StepGenerator<readonly SiteRecord[]> {
  const visited: SiteRecord[] = []
  for (const item of items) {
    if (!item.url) return items
    yield* openUrl(place, item.url)
    visited.push({ ...item, facts: { ...extractFacts(place.page).facts, ...item.facts } })
  }
  return visited
}
