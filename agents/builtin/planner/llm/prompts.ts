/** Prompts, versioned as files. A used file is never changed; its successor has the next version. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

export type Prompt = { readonly name: string; readonly text: string }

const read = (name: string): Prompt => ({
  name,
  text: readFileSync(path.join(import.meta.dirname, 'prompts', `${name}.md`), 'utf8').trim(),
})

export const prompts = {
  discover: read('discover.v3'),
  plan: read('plan.v3'),
  critique: read('critique.v2'),
  revise: read('revise.v2'),
} as const
