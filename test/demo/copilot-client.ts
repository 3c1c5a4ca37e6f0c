/**
 * The client of a copilot goal. It refuses the first charter with a reason, confirms the next charter with one step, and the other steps
 * when it is asked.
 */
import { draftOf } from '../../app/goals/[id]/_run/to-run-view.ts'
import type { Answers, DemoClient } from './client.ts'
import { paint, print } from './screen.ts'

export const refusal = 'Please draw the chart as an SVG picture too.'

/** Looks at what waits for the client and posts its word; repeated looks answer nothing twice. */
export function clientWord({ api }: DemoClient, goal_id: string): (run: Answers['goals']['getPage']) => Promise<void> {
  const printed = new Set<string>()
  return async (run) => {
    const draft = draftOf(run)
    if (!draft?.asks) return
    const ready = draft.lines.filter((line) => line.status === 'ready').map((line) => line.step)
    const key = `${draft.charterHash} ${draft.asks} ${ready.join()}`
    if (printed.has(key)) return
    printed.add(key)
    const charter = { goal_id: goal_id as never, charter_hash: draft.charterHash }
    if (draft.asks === 'charter' && draft.number === 1) {
      print(paint('yellow', `  The client refuses charter 1: ${refusal}`))
      await api.charters.refuse.mutate({ ...charter, reason: refusal })
      return
    }
    const steps = draft.asks === 'charter' ? [1] : ready
    print(
      paint(
        'green',
        `  The client confirms ${draft.asks === 'charter' ? `charter ${draft.number} and step 1` : `step ${steps.join(', ')}`}.`,
      ),
    )
    await api.charters.confirm.mutate({ ...charter, steps })
  }
}
