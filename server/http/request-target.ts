/** Validates the request target for all entry points: path and query must decode to text that the database can store. */
import { textFault } from '@parley/protocol'

/** Why a target is invalid, in one sentence; null if valid. `target`: from the request line. */
export function requestTargetFault(target: string): string | null {
  for (const piece of target.split(/[/?&=]/)) {
    const text = decoded(piece)
    if (text === null) return 'The address has an escape that stands for no text.'
    if (textFault(text) !== null) return 'The address has a character in it that no text here has.'
  }
  return null
}

function decoded(piece: string): string | null {
  try {
    return decodeURIComponent(piece.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** The URL of a request; null if its target is invalid. */
export function parseRequestTarget(target: string | undefined, base: string): URL | null {
  return URL.parse(target ?? '/', base)
}
