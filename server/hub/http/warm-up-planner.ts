import { getQuoteThreads } from '../../goals/index.ts'

/** Loads what the first request of a client would wait for: the planner that reads goals. Does not wait. */
export function warmUpPlanner(): void {
  void getQuoteThreads().warmUp()
}
