/** Getting about in a site by its pages: to a thing by its name, and to the list of all that are meant. Pure. */

import { all, buttonsBeside, type TreeNode, textOf } from '../steps/accessibility-tree.ts'
import type { BrowseStep, Course, Page } from '../steps/step.ts'
import type { Filter, Selection } from '../task/intent.ts'
import { fits, type Item, pickOf } from '../task/records.ts'
import { likeliest, likeness, sameText, tokens } from '../task/text-similarity.ts'
import { factsOn, itemsOn, linksIn } from './page-extract.ts'

/** Where the browser is. */
export type Place = { page: Page }

/** The way can't be gone; the sentence says why. */
export class Stuck extends Error {
  override readonly name = 'Stuck'
}

const maxPages = 60
const next = /^(?:next|older|more)\b|^[›»>]+$/i

export function* step(place: Place, one: BrowseStep): Course<Page> {
  const seen = yield one
  if ('refused' in seen) throw new Stuck(seen.refused)
  if (!('page' in seen)) throw new Stuck('The browser gave no page.')
  place.page = seen.page
  return seen.page
}

export const goto = (place: Place, url: string): Course<Page> => step(place, { kind: 'browse', act: 'goto', url })
export const click = (place: Place, node: TreeNode): Course<Page> =>
  step(place, { kind: 'browse', act: 'click', ref: node.ref ?? '', name: textOf(node) })

/** Opens the page of the one thing that is meant; false where it is nowhere to be found. */
export function* openThing(place: Place, of: Selection): Course<boolean> {
  const { noun, name } = of
  if (name === undefined) return yield* openPlace(place, noun)
  if (sameText(factsOn(place.page).name, name)) return true
  if (yield* follow(place, name, noun)) return true
  if ((yield* search(place, name)) && (yield* followInPages(place, name, noun))) return true
  if (noun === '' || !(yield* openPlace(place, noun))) return false
  if (yield* follow(place, name, noun)) return true
  if (yield* search(place, name)) return yield* followInPages(place, name, noun)
  return yield* followInPages(place, name, noun)
}

/** What the navigation calls so. */
export function* openPlace(place: Place, called: string): Course<boolean> {
  const link = linkLike(place.page, called)
  if (link) yield* click(place, link)
  return link !== undefined
}

export function linkLike({ tree }: Page, called: string): TreeNode | undefined {
  const links = linksIn(tree)
  return likeliest(links, (one) => likeness(called, textOf(one)))
}

function* follow(place: Place, name: string, noun: string): Course<boolean> {
  const links = linksIn(place.page.tree)
  const isWhole = (one: TreeNode) => sameText(textOf(one), name) || sameText(textOf(one), `${noun} ${name}`)
  const isNumber = /^#?\d+$/.test(name)
  const link = links.find(isWhole) ?? (isNumber ? links.find((one) => tokens(textOf(one)).includes(name.replace('#', ''))) : undefined)
  if (link) yield* click(place, link)
  return link !== undefined
}

function* followInPages(place: Place, name: string, noun: string): Course<boolean> {
  for (let page = 0; page < maxPages; page++) {
    if (yield* follow(place, name, noun)) return true
    if (!(yield* turnPage(place))) return false
  }
  return false
}

function* turnPage(place: Place): Course<boolean> {
  const link = linksIn(place.page.tree).find((one) => next.test(textOf(one)))
  if (link) yield* click(place, link)
  return link !== undefined
}

function* search(place: Place, words: string): Course<boolean> {
  const box = all(place.page.tree, 'searchbox')[0] ?? all(place.page.tree, 'textbox').find((one) => likeness('search', one.name) > 0)
  if (!box?.ref) return false
  yield* step(place, { kind: 'browse', act: 'fill', ref: box.ref, name: box.name, value: words })
  const [button] = buttonsBeside(all(place.page.tree, 'search')[0] ?? place.page.tree, box)
  if (button) yield* click(place, button)
  else yield* step(place, { kind: 'browse', act: 'press', ref: box.ref, name: 'Enter' })
  return true
}

/** All that are meant, or with a pick the one; undefined where the pages don't say. `facts`: what has to be told of each. */
export function* findByPage(place: Place, of: Selection, facts: readonly string[] = []): Course<readonly Item[] | undefined> {
  if (of.name !== undefined) {
    if (!(yield* openThing(place, of))) return undefined
    return [factsOn(place.page)]
  }
  const unmet = yield* narrow(place, of)
  if (!unmet) return undefined
  let items = yield* gather(place)
  const needed = [...unmet.flatMap(({ field }) => (field === undefined ? [] : [field])), ...(of.pick ? [of.pick.by] : []), ...facts]
  const tells = (item: Item) => needed.every((field) => fits(item, { field, value: '', is: 'equal' }) !== undefined)
  if (!items.every(tells)) items = yield* visitEach(place, items)
  if (!items.every(tells)) return undefined
  const meant = items.filter((item) => unmet.every((filter) => fits(item, filter) === true))
  if (!of.pick) return meant
  const picked = pickOf(meant, of.pick)
  return picked && [picked]
}

/** Goes to the list of such things, made as short as the site can. Gives the filters that are still to be held against each thing. */
function* narrow(place: Place, { noun, filters }: Selection): Course<readonly Filter[] | undefined> {
  let unmet = filters
  const met = (filter: Filter) => {
    unmet = unmet.filter((one) => one !== filter)
  }
  const exact = (value: string) => linksIn(place.page.tree).find((one) => sameText(textOf(one), value))
  let isThere = false
  for (const filter of filters.filter((one) => one.is === 'equal' && one.field !== undefined)) {
    if (!exact(filter.value)) {
      const menu = linkLike(place.page, filter.field ?? '')
      if (menu) yield* click(place, menu)
    }
    const link = exact(filter.value)
    if (!link) continue
    yield* click(place, link)
    met(filter)
    isThere = true
  }
  if (!isThere && noun !== '') isThere = yield* openPlace(place, noun)
  if (!isThere && !itemsOn(place.page).length) return undefined
  yield* chooseFilters(place, unmet, met)
  return unmet
}

/** Sets the fields of the list that ask for what is wanted. */
function* chooseFilters(place: Place, filters: readonly Filter[], met: (filter: Filter) => void): Course<void> {
  let last: TreeNode | undefined
  const root = place.page.tree
  for (const filter of filters.filter((one) => one.is === 'equal')) {
    const boxes = all(root, 'combobox', 'listbox').filter((one) =>
      all(one, 'option').some((option) => sameText(textOf(option), filter.value)),
    )
    const box = filter.field === undefined ? boxes[0] : likeliest(boxes, (one) => likeness(filter.field ?? '', one.name))
    if (!box?.ref) continue
    yield* step(place, { kind: 'browse', act: 'select', ref: box.ref, name: box.name, value: filter.value })
    met(filter)
    last = box
  }
  const [button] = last ? buttonsBeside(root, last) : []
  if (button) yield* click(place, button)
}

function* gather(place: Place): Course<readonly Item[]> {
  const items: Item[] = []
  for (let page = 0; page < maxPages; page++) {
    items.push(...itemsOn(place.page))
    if (!(yield* turnPage(place))) break
  }
  return items
}

/** Their own pages may say more than the list did. */
function* visitEach(place: Place, items: readonly Item[]): Course<readonly Item[]> {
  const visited: Item[] = []
  for (const item of items) {
    if (!item.url) return items
    yield* goto(place, item.url)
    visited.push({ ...item, facts: { ...factsOn(place.page).facts, ...item.facts } })
  }
  return visited
}
