/** Finds the form of a page that takes a task's values, and the steps that fill it. */

import { fieldRoles, findByRole, findForm, pathTo, type TreeNode, visibleTextOf } from '../steps/accessibility-tree.ts'
import type { BrowseStep } from '../steps/step.ts'
import { findBestMatch, isSameText, nameSimilarity } from '../task/name-similarity.ts'
import type { FieldValues } from '../task/parse-web-task.ts'

export type FormValues = {
  readonly fields: FieldValues
  /** A value without a field, such as the text of a reply. */
  readonly main?: string | undefined
  /** Words that the button may contain. */
  readonly words: readonly string[]
}
export type FilledForm = { readonly steps: readonly BrowseStep[]; readonly button: TreeNode }

const choices = ['combobox', 'listbox']
const texts = ['textbox', 'spinbutton', 'searchbox']
/** Buttons that do the opposite. */
const undoing = /^(?:stop|un\w+|don'?t|cancel|remove|reset|clear|discard)\b/i
const sending = /^(?:save|submit|send|post|ok|apply|update|confirm|done|go)\b/i

/** The smallest form with a field for every value, and a button that matches. */
export function fillForm(root: TreeNode, wanted: FormValues): FilledForm | undefined {
  const forms = findByRole(root, 'button').flatMap((button) => {
    if (!button.ref) return []
    const form = findForm(root, button)
    const steps = stepsFor(form, wanted)
    if (!steps) return []
    const likely = Math.max(0, ...wanted.words.map((word) => nameSimilarity(word, visibleTextOf(button))))
    const size = findByRole(form, ...fieldRoles).length
    return [{ steps, button, score: likely * 2 + (sending.test(visibleTextOf(button)) ? 0.5 : 0) + 1 / (1 + size) }]
  })
  return findBestMatch(forms, (one) => one.score)
}

function stepsFor(form: TreeNode, { fields, main }: FormValues): BrowseStep[] | undefined {
  const free = new Set(findByRole(form, ...fieldRoles).filter((one) => one.ref))
  const steps: BrowseStep[] = []
  const put = (place: TreeNode | undefined, value: string): boolean => {
    const one = place && stepFor(place, value)
    if (!place || !one) return false
    free.delete(place)
    steps.push(one)
    return true
  }
  const left: string[] = []
  for (const [field, value] of Object.entries(fields)) {
    const able = [...free].filter((one) => stepFor(one, value))
    const place = findBestMatch(able, (one) => nameSimilarity(field, labelOf(form, one)) + (one.role === 'radio' ? 0.1 : 0), 0.15)
    if (place && put(place, value)) continue
    // A field for a long text may have a label that only explains it.
    if (nameSimilarity('text', field) === 0) return undefined
    left.push(value)
  }
  for (const value of main === undefined ? left : [...left, main]) {
    const open = [...free].filter((one) => one.role === 'textbox')
    const place = findBestMatch(open, (one) => nameSimilarity('text', one.name)) ?? open[0]
    if (!put(place, value)) return undefined
  }
  return steps
}

/** The label of a radio button is the name of its group. */
function labelOf(form: TreeNode, field: TreeNode): string {
  if (field.role !== 'radio') return field.name
  return pathTo(form, field).findLast((one) => /^(?:group|radiogroup)$/.test(one.role))?.name ?? field.name
}

function stepFor(field: TreeNode, value: string): BrowseStep | undefined {
  const { role, ref = '', name } = field
  if (texts.includes(role))
    return role === 'spinbutton' && !/^-?[\d.]+$/.test(value) ? undefined : { kind: 'browse', act: 'fill', ref, name, value }
  if (choices.includes(role)) {
    const option = findByRole(field, 'option')
      .map(visibleTextOf)
      .find((one) => isSameText(one, value))
    return option === undefined ? undefined : { kind: 'browse', act: 'select', ref, name, value: option }
  }
  if (role === 'radio') return isSameText(name, value) ? { kind: 'browse', act: 'check', ref, name } : undefined
  return /^(?:yes|true|on)$/i.test(value) ? { kind: 'browse', act: 'check', ref, name } : undefined
}

/** The button or link that matches a verb. */
export function findPressable(root: TreeNode, verb: string, noun: string): TreeNode | undefined {
  const able = findByRole(root, 'button', 'link', 'menuitem').filter(
    (one) => one.ref && (!undoing.test(visibleTextOf(one)) || undoing.test(verb)),
  )
  const score = (one: TreeNode) =>
    Math.max(nameSimilarity(verb, visibleTextOf(one)), noun ? nameSimilarity(`${verb} ${noun}`, visibleTextOf(one)) : 0) +
    (one.role === 'button' ? 0.05 : 0)
  return findBestMatch(able, (one) => (score(one) > 0.05 ? score(one) : 0), 0.3)
}
