/** Changing things by the pages of a site: the form or button that does what the task says. Pure. */

import { all, type TreeNode, textOf } from '../steps/accessibility-tree.ts'
import type { Course } from '../steps/step.ts'
import type { Intent, Selection } from '../task/intent.ts'
import { likeliest, likeness, stem } from '../task/text-similarity.ts'
import { type FilledForm, fillForm, pressable } from './forms.ts'
import { linksIn, mainOf } from './page-extract.ts'
import { click, openPlace, type Place, Stuck, step } from './page-navigation.ts'

type Change = Extract<Intent, { do: 'make' | 'set' | 'put' | 'act' | 'buy' }>
/** How the thing that is meant is reached: by the pages alone, or with the API's help. */
export type Opener = (place: Place, of: Selection) => Course<boolean>

const makingWords = ['new', 'create', 'start', 'add', 'write', 'post', 'open', 'ask', 'file', 'submit']
const towardsPaying = /\b(?:check ?out|proceed|continue|buy now)\b/i
const ordering = ['place order', 'order', 'buy', 'pay', 'confirm', 'submit']

/** @throws {Stuck} where no page offers it, or the site says that something was wrong. */
export function* changeByPage(place: Place, change: Change, open: Opener): Course<void> {
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

function* reach(place: Place, of: Selection, open: Opener): Course<void> {
  if (!(yield* open(place, of))) throw new Stuck(`No page of ${of.name ? `“${of.name}”` : `the ${of.noun}`} was found.`)
}

function* press(place: Place, verb: string, noun: string): Course<void> {
  const node = pressable(mainOf(place.page), verb, noun)
  if (!node) throw new Stuck(`The page has nothing to ${verb} with.`)
  yield* click(place, node)
  heedAlerts(place)
}

function* submit(place: Place, form: FilledForm): Course<void> {
  for (const one of form.steps) yield* step(place, one)
  yield* click(place, form.button)
  heedAlerts(place)
}

function heedAlerts({ page }: Place): void {
  const alert = all(page.tree, 'alert').map(textOf).find(Boolean)
  if (alert) throw new Stuck(`The site says: ${alert.slice(0, 200)}`)
}

function* make(place: Place, { verb, noun, fields, main, within }: Extract<Change, { do: 'make' }>, open: Opener): Course<void> {
  const words = [`${verb} ${noun}`, noun, verb, ...makingWords]
  const wanted = { fields, main, words }
  if (within) yield* reach(place, within, open)
  let form = within && fillForm(mainOf(place.page), wanted)
  if (!form) {
    const link = makingLink(place, verb, noun) ?? ((yield* openPlace(place, noun)) ? makingLink(place, verb, noun) : undefined)
    if (link) yield* click(place, link)
    form = fillForm(mainOf(place.page), wanted)
  }
  if (!form) throw new Stuck(`No form takes a new ${noun} with ${Object.keys(fields).join(', ') || 'a text'}.`)
  yield* submit(place, form)
}

/** "New issue", "Start a thread", "Ask a question". */
function makingLink({ page }: Place, verb: string, noun: string): TreeNode | undefined {
  const able = [...linksIn(page.tree), ...all(page.tree, 'button')]
  const score = (one: TreeNode) => Math.max(...[verb, ...makingWords].map((word) => likeness(`${word} ${noun}`, textOf(one))))
  return likeliest(able, score, 0.5)
}

function* set(place: Place, { fields, verb, on }: Extract<Change, { do: 'set' }>, open: Opener): Course<void> {
  yield* reach(place, on, open)
  const wanted = { fields, words: [verb, ...Object.keys(fields), on.noun] }
  let form = fillForm(mainOf(place.page), wanted)
  if (!form) {
    const edit = pressable(mainOf(place.page), 'edit', on.noun)
    if (edit) yield* click(place, edit)
    form = fillForm(mainOf(place.page), wanted)
  }
  if (!form) throw new Stuck(`No form of the page takes ${Object.keys(fields).join(', ')}.`)
  yield* submit(place, form)
}

function* put(
  place: Place,
  { into, fields, on }: Pick<Extract<Change, { do: 'put' }>, 'into' | 'fields' | 'on'>,
  open: Opener,
): Course<void> {
  yield* reach(place, on, open)
  const form = Object.keys(fields).length > 0 ? fillForm(mainOf(place.page), { fields, words: [`add ${into}`, into] }) : undefined
  if (form && likeness(into, textOf(form.button)) > 0) return yield* submit(place, form)
  if (form || Object.keys(fields).length > 0) throw new Stuck(`The page takes no ${Object.keys(fields).join(', ')} for the ${into}.`)
  yield* press(place, `add ${into}`, '')
}

/** As shops have it: into the cart, to the checkout, and through its forms until nothing is left to confirm. */
function* buy(place: Place, { fields: { quantity, ...rest }, on }: Extract<Change, { do: 'buy' }>, open: Opener): Course<void> {
  yield* put(place, { into: 'cart', fields: quantity ? { quantity } : {}, on }, open)
  if (!payLink(place)) yield* openPlace(place, 'cart')
  const link = payLink(place)
  if (!link) throw new Stuck('The site shows no way to its checkout.')
  yield* click(place, link)
  const form = fillForm(mainOf(place.page), { fields: rest, words: ordering })
  if (!form) throw new Stuck(`The checkout takes no ${Object.keys(rest).join(', ')}.`)
  yield* submit(place, form)
  const last = all(mainOf(place.page), 'button').find((one) =>
    ['place order', 'confirm order', 'pay'].some((word) => stem(word) === stem(textOf(one))),
  )
  if (last) yield* click(place, last)
}

const payLink = ({ page }: Place): TreeNode | undefined =>
  [...linksIn(mainOf(page)), ...all(mainOf(page), 'button')].find((one) => towardsPaying.test(textOf(one)))
