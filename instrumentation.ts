/** Runs once in each process of the web, before its first page. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { registerOwnLoginCheck } = await import('./server/trpc/request-context.ts')
  registerOwnLoginCheck()
  const { getQuoteThreads } = await import('./server/goals/planners/quote-threads/quote-threads.ts')
  // The first quote then needs no time to load the planner.
  void getQuoteThreads().warmUp()
}
