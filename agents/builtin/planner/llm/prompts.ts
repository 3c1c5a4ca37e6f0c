/** Prompts, versioned as files. A used file is never changed; its successor has the next version. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

export type Prompt = { readonly name: string; readonly text: string }

const read = (name: string): Prompt => ({
  name,
  text: readFileSync(path.join(import.meta.dirname, 'prompts', `${name}.md`), 'utf8').trim(),
})

export const prompts = {
  discover: read('discover.v2'),
  plan: read('plan.v2'),
  critique: read('critique.v1'),
  revise: read('revise.v1'),
} as const
