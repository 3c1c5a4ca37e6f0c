import { limits } from '@parley/protocol'

/** Bytes of a request's body at the web, by what it asks for. */
export const bodyLimits = {
  /** Before authentication, unless it is one of the next four. */
  unauthenticated: 16_384,
  /** A message and its signature, which a contract wallet makes long. */
  signIn: 32_768,
  /** The texts of one page of a room, which everyone may read. */
  markdown: limits.pageBytes,
  /** Stripe signs what it sends; its largest notices are far smaller. */
  stripe: 262_144,
  /** Calls for the node of a local chain. */
  chain: 65_536,
  signedIn: limits.requestBytes,
} as const

const open: { readonly [procedure: string]: number } = { 'identity.signIn': bodyLimits.signIn, 'markdown.format': bodyLimits.markdown }
const routes: { readonly [path: string]: number } = { '/api/stripe': bodyLimits.stripe, '/api/chain': bodyLimits.chain }
const calls = '/api/trpc/'

/** `unproven`: for everyone. `proven`: for who is signed in. `target`: as it stands in the request line. */
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
