/** The worker thread in which the built-in planner reads the goals of strangers. It has no environment. */
import type { MessagePort } from 'node:worker_threads'
import { type ExampleRequest, findExampleGoals } from '../../../../agents/builtin/planner/quote/examples/find-example-goals.ts'
import { type QuoteRequest, quoteGoal } from '../../../../agents/builtin/planner/quote/quote-goal.ts'

/** `started`: receives one message when the thread begins with the request, after it has loaded the planner. */
type Task<Request> = { readonly request: Request; readonly started: MessagePort }

export const quote = (task: Task<QuoteRequest>) => quoteGoal(begin(task))
export const examples = (task: Task<ExampleRequest>) => findExampleGoals(begin(task))

function begin<Request>({ request, started }: Task<Request>): Request {
  started.postMessage(null)
  started.close()
  return request
}

const samples = ['Compare the revenue of 2022 and 2023 by region', 'Translate this to German', 'What is 12 % of 80 EUR?']

/** Plans sample goals without any agent, so that the first client need not wait until the planner is loaded and compiled. */
export function warmUp(task: Task<null>): void {
  begin(task)
  for (const text of samples)
    quoteGoal({
      goal: { text, criteria: [], attachments: [], answers: [] },
      listings: [],
      planner: { agent_id: '', price: 0n },
      payable: null,
      decimals: 6,
      isSuggesting: true,
    })
}
