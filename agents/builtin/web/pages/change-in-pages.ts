/** Changes through pages: finds the form or button for the task. */

import { stemWord } from '../../stem-word.ts'
import { findByRole, type TreeNode, visibleTextOf } from '../steps/accessibility-tree.ts'
import type { StepGenerator } from '../steps/step.ts'
import { findBestMatch, nameSimilarity } from '../task/name-similarity.ts'
import type { Selection, WebIntent } from '../task/parse-web-task.ts'
import { findMain, listLinks } from './extract-records-and-facts.ts'
import { type FilledForm, fillForm, findPressable } from './fill-form.ts'
import { type BrowserState, clickNode, DeadEnd, openSection, takeStep } from './find-in-pages.ts'

type Change = Extract<WebIntent, { do: 'make' | 'set' | 'put' | 'act' | 'buy' }>
/** Opens a record, by the pages alone or with the API's help. */
export type RecordOpener = (place: BrowserState, of: Selection) => StepGenerator<boolean>

const makingWords = ['new', 'create', 'start', 'add', 'write', 'post', 'open', 'ask', 'file', 'submit']
const towardsPaying = /\b(?:check ?out|proceed|continue|buy now)\b/i
const ordering = ['place order', 'order', 'buy', 'pay', 'confirm', 'submit']

/** @throws {DeadEnd} if no page offers the change, or the site reports an error */
export function* changeInPages(place: BrowserState, change: Change, open: RecordOpener): StepGenerator<void> {
  switch (change.do) {
    case 'make':
      return yield* make(place, change, open)
    case 'set':
      return yield* set(place, change, open)
    case 'act':
      yield* reach(place, change.on, open)
      return yield* press(place, change.verb, change.on.noun)
    case 'put':
      return yield* put(place, change, open)
    case 'buy':
      return yield* buy(place, change, open)
    default:
      return change satisfies never
  }
}

function* reach(place: BrowserState, of: Selection, open: RecordOpener): StepGenerator<void> {
  if (!(yield* open(place, of))) throw new DeadEnd(`No page of ${of.name ? `“${of.name}”` : `the ${of.noun}`} was found.`)
}

function* press(place: BrowserState, verb: string, noun: string): StepGenerator<void> {
  const node = findPressable(findMain(place.page), verb, noun)
  if (!node) throw new DeadEnd(`The page has nothing to ${verb} with.`)
  yield* clickNode(place, node)
  heedAlerts(place)
}

function* submit(place: BrowserState, form: FilledForm): StepGenerator<void> {
  for (const one of form.steps) yield* takeStep(place, one)
  yield* clickNode(place, form.button)
  heedAlerts(place)
}

function heedAlerts({ page }: BrowserState): void {
  const alert = findByRole(page.tree, 'alert').map(visibleTextOf).find(Boolean)
  if (alert) throw new DeadEnd(`The site says: ${alert.slice(0, 200)}`)
}

function* make(
  place: BrowserState,
  { verb, noun, fields, main, within }: Extract<Change, { do: 'make' }>,
  open: RecordOpener,
): StepGenerator<void> {
  const words = [`${verb} ${noun}`, noun, verb, ...makingWords]
  const wanted = { fields, main, words }
  if (within) yield* reach(place, within, open)
  let form = within && fillForm(findMain(place.page), wanted)
  if (!form) {
    const link = makingLink(place, verb, noun) ?? ((yield* openSection(place, noun)) ? makingLink(place, verb, noun) : undefined)
    if (link) yield* clickNode(place, link)
    form = fillForm(findMain(place.page), wanted)
  }
  if (!form) throw new DeadEnd(`No form takes a new ${noun} with ${Object.keys(fields).join(', ') || 'a text'}.`)
  yield* submit(place, form)
}

/** The link to a form for a new record: "New issue", "Start a thread". */
function makingLink({ page }: BrowserState, verb: string, noun: string): TreeNode | undefined {
  const able = [...listLinks(page.tree), ...findByRole(page.tree, 'button')]
  const score = (one: TreeNode) => Math.max(...[verb, ...makingWords].map((word) => nameSimilarity(`${word} ${noun}`, visibleTextOf(one))))
  return findBestMatch(able, score, 0.5)
}

function* set(place: BrowserState, { fields, verb, on }: Extract<Change, { do: 'set' }>, open: RecordOpener): StepGenerator<void> {
  yield* reach(place, on, open)
  const wanted = { fields, words: [verb, ...Object.keys(fields), on.noun] }
  let form = fillForm(findMain(place.page), wanted)
  if (!form) {
    const edit = findPressable(findMain(place.page), 'edit', on.noun)
    if (edit) yield* clickNode(place, edit)
    form = fillForm(findMain(place.page), wanted)
  }
  if (!form) throw new DeadEnd(`No form of the page takes ${Object.keys(fields).join(', ')}.`)
  yield* submit(place, form)
}

function* put(
  place: BrowserState,
  { into, fields, on }: Pick<Extract<Change, { do: 'put' }>, 'into' | 'fields' | 'on'>,
  open: RecordOpener,
): StepGenerator<void> {
  yield* reach(place, on, open)
  const form = Object.keys(fields).length > 0 ? fillForm(findMain(place.page), { fields, words: [`add ${into}`, into] }) : undefined
  if (form && nameSimilarity(into, visibleTextOf(form.button)) > 0) return yield* submit(place, form)
  if (form || Object.keys(fields).length > 0) throw new DeadEnd(`The page takes no ${Object.keys(fields).join(', ')} for the ${into}.`)
  yield* press(place, `add ${into}`, '')
}

/** Buys in a shop: cart, checkout, forms, and the final confirmation. */
function* buy(
  place: BrowserState,
  { fields: { quantity, ...rest }, on }: Extract<Change, { do: 'buy' }>,
  open: RecordOpener,
): StepGenerator<void> {
  yield* put(place, { into: 'cart', fields: quantity ? { quantity } : {}, on }, open)
  if (!payLink(place)) yield* openSection(place, 'cart')
  const link = payLink(place)
  if (!link) throw new DeadEnd('The site shows no way to its checkout.')
  yield* clickNode(place, link)
  const form = fillForm(findMain(place.page), { fields: rest, words: ordering })
  if (!form) throw new DeadEnd(`The checkout takes no ${Object.keys(rest).join(', ')}.`)
  yield* submit(place, form)
  const last = findByRole(findMain(place.page), 'button').find((one) =>
    ['place order', 'confirm order', 'pay'].some((word) => stemWord(word) === stemWord(visibleTextOf(one))),
  )
  if (last) yield* clickNode(place, last)
}

const payLink = ({ page }: BrowserState): TreeNode | undefined =>
  [...listLinks(findMain(page)), ...findByRole(findMain(page), 'button')].find((one) => towardsPaying.test(visibleTextOf(one)))
