import { getQuoteThreads } from '../goals/index.ts'

/** Loads what the first request would wait for: the planner that reads goals. Does not wait. */
export function warmUpWeb(): void {
  void getQuoteThreads().warmUp()
}
