import type { IncomingHttpHeaders } from 'node:http'

/** Longer than any browser's, in characters. */
const maxUserAgent = 512

/**
 * Cuts a long user agent. The page framework tests it with patterns of quadratic time: 12,000 characters take 0.3 s of the main thread.
 */
export function truncateUserAgent({ headers }: { readonly headers: IncomingHttpHeaders }): void {
  const agent = headers['user-agent']
  if (agent !== undefined && agent.length > maxUserAgent) headers['user-agent'] = agent.slice(0, maxUserAgent)
}
