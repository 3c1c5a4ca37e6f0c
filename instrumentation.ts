/** Runs once in each process of the web, before its first page. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { registerOwnLoginCheck } = await import('./server/trpc/request-context.ts')
  registerOwnLoginCheck()
  const { warmUpWeb } = await import('./server/trpc/warm-up-web.ts')
  warmUpWeb()
}
