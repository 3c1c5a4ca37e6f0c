import { limits } from '@parley/protocol'

/** The maximum size of a request body at the web, by target. Bytes. */
export const bodyLimits = {
  /** Without authentication, except for the next five. */
  unauthenticated: 16_384,
  /** A message and its signature, which can be long for a contract wallet. */
  signIn: 32_768,
  /** The texts of one page of a public room. */
  markdown: limits.pageBytes,
  /** The text of a goal and the beginnings of its files. */
  quote: 131_072,
  /** Stripe signs its webhooks; its largest events are far smaller. */
  stripe: 262_144,
  /** JSON-RPC requests to the node of a local chain. */
  chain: 65_536,
  signedIn: limits.requestBytes,
} as const

const open: { readonly [procedure: string]: number } = {
  'identity.signIn': bodyLimits.signIn,
  'markdown.format': bodyLimits.markdown,
  'goals.quote': bodyLimits.quote,
}
const routes: { readonly [path: string]: number } = { '/api/stripe': bodyLimits.stripe, '/api/chain': bodyLimits.chain }
const calls = '/api/trpc/'

/** `unproven`: without a login. `proven`: with a login. `target`: from the request line. */
export function bodyLimitsOf(target: string): { readonly unproven: number; readonly proven: number } {
  const [path = ''] = target.split('?', 1)
  if (!path.startsWith(calls)) {
    const maxBytes = Object.hasOwn(routes, path) ? (routes[path] ?? 0) : bodyLimits.unauthenticated
    return { unproven: maxBytes, proven: maxBytes }
  }
  const procedures = path.slice(calls.length).split(',')
  const isOpen = procedures.every((name) => Object.hasOwn(open, name))
  const unproven = isOpen ? Math.max(...procedures.map((name) => open[name] ?? 0)) : bodyLimits.unauthenticated
  return { unproven, proven: bodyLimits.signedIn }
}
