/** Prompts, versioned as files. A used file is never changed; its successor has the next version. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

export type Prompt = { readonly name: string; readonly text: string }

const read = (name: string): Prompt => ({
  name,
  text: readFileSync(path.join(import.meta.dirname, 'prompts', `${name}.md`), 'utf8').trim(),
})

/** Of the planner. */
export const plannerPrompts = {
  discover: read('discover.v3'),
  plan: read('plan.v4'),
  critique: read('critique.v2'),
  revise: read('revise.v2'),
} as const

/** Of the agents that work with a model. */
export const taskPrompts = {
  write: read('write.v1'),
  summarise: read('summarise.v1'),
  translate: read('translate.v1'),
  extract: read('extract.v1'),
  classify: read('classify.v1'),
  answerDocument: read('answer-document.v1'),
  tableQuery: read('table-query.v1'),
  toolQuery: read('tool-query.v1'),
  route: read('route.v1'),
  researchSearch: read('research-search.v1'),
  researchReport: read('research-report.v1'),
  code: read('code.v1'),
  review: read('review.v1'),
  repair: read('repair.v1'),
  webStep: read('web-step.v1'),
} as const
