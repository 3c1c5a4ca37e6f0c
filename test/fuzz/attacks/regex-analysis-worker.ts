/** Checks patterns for super-linear matching, in a thread of its own because the analysis takes seconds. */
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

export type Pattern = { readonly source: string; readonly flags: string; readonly file: string }
export type Suspect = Pattern & { readonly why: string }

type Diagnostics = {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  readonly complexity?: { readonly summary?: string; readonly type: string }
  readonly attack?: { readonly pattern: string }
}
type Recheck = { checkSync(source: string, flags: string, options: { readonly timeout: number }): Diagnostics }

// The build for browsers is one file: the other one starts processes.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as Recheck
const eachMs = 4_000

for (const pattern of workerData as readonly Pattern[]) {
  const { status, complexity, attack } = checkSync(pattern.source, pattern.flags, { timeout: eachMs })
  const why = `${complexity?.summary ?? complexity?.type ?? ''}: ${attack?.pattern ?? ''}`
  if (status === 'vulnerable') parentPort?.postMessage({ ...pattern, why } satisfies Suspect)
}
parentPort?.close()
