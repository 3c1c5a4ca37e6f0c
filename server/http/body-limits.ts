import { limits } from '@parley/protocol'

/** Bytes of a request's body at the web, by what it asks for. */
export const webBounds = {
  /** Before authentication, unless it is one of the next four. */
  unproven: 16_384,
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

const open: { readonly [procedure: string]: number } = { 'identity.signIn': webBounds.signIn, 'markdown.format': webBounds.markdown }
const routes: { readonly [path: string]: number } = { '/api/stripe': webBounds.stripe, '/api/chain': webBounds.chain }
const calls = '/api/trpc/'

/** `unproven`: for everyone. `proven`: for who is signed in. `target`: as it stands in the request line. */
export function bodyBoundsOf(target: string): { readonly unproven: number; readonly proven: number } {
  const [path = ''] = target.split('?', 1)
  if (!path.startsWith(calls)) {
    const most = Object.hasOwn(routes, path) ? (routes[path] ?? 0) : webBounds.unproven
    return { unproven: most, proven: most }
  }
  const procedures = path.slice(calls.length).split(',')
  const isOpen = procedures.every((name) => Object.hasOwn(open, name))
  const unproven = isOpen ? Math.max(...procedures.map((name) => open[name] ?? 0)) : webBounds.unproven
  return { unproven, proven: webBounds.signedIn }
}
