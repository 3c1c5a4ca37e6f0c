/** What is planted, where, and what of the fuzzer has to find it. */
export const plantedFaults = {
  'reserved key': { find: 'trpc:registry\\.publish|command:message\\.post' },
  'markdown on the request thread': { find: 'trpc:conversations\\.post|command:message\\.post' },
  'missing byte limit': { find: 'trpc:conversations\\.' },
  'forwarded addresses': { find: 'forged' },
  'no limit before authentication': { find: 'bytes before' },
  'cursor beyond the head': { find: 'cursors' },
  NUL: { find: 'page:/agents' },
  'ignored body of a repeated key': { find: 'keys used' },
  'private id': { find: 'page:/goals|trpc:goals\\.' },
  'webhook of the future': { find: 'signed times' },
  'memory that is never given back': { find: 'trpc:registry\\.' },
  'work that nobody bounds': { find: 'command:message\\.post|command:memory\\.keep' },
  'a slow neighbour': { find: 'trpc:market' },
  'outbound calls without an end': { find: 'a node that' },
  'a route for everything': { find: 'unknown routes' },
  'any name': { find: 'names' },
} as const
export type PlantedFault = keyof typeof plantedFaults
