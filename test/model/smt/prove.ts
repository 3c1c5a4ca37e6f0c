/**
 * A process of its own: proves what it is sent, answers, and ends. The solver's start keeps its process alive, and its finalizers can
 * end one that continues.
 */
import type { Theorem } from './slot-theorems.ts'

export type Verdict = { readonly name: string; readonly ms: number; readonly verdict: 'proved' | 'refuted' | 'unknown' }

globalThis.FinalizationRegistry = class {
  register(): void {}
  unregister(): boolean {
    return false
  }
} as unknown as typeof FinalizationRegistry

const { init } = await import('z3-solver')

const { Context } = await init()
const { Solver } = Context('main')

async function prove({ name, declare, given, claim }: Theorem): Promise<Verdict> {
  const startedAt = performance.now()
  const solver = new Solver()
  solver.set('timeout', 60_000)
  // What is claimed holds if there is no way for it not to.
  solver.fromString(`${declare} ${given.map((one) => `(assert ${one})`).join(' ')} (assert (not ${claim}))`)
  const found = await solver.check()
  return {
    name,
    ms: Math.round(performance.now() - startedAt),
    verdict: found === 'unsat' ? 'proved' : found === 'sat' ? 'refuted' : 'unknown',
  }
}

process.once('message', async (theorems: Theorem[]) => {
  const verdicts: Verdict[] = []
  for (const theorem of theorems) verdicts.push(await prove(theorem))
  process.send?.(verdicts, () => process.exit(0))
})
