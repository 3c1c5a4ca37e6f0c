/** What a request's target may be, for all doors: a path and a query that have a reading, and that the database can hold. */
import { textFault } from '@parley/protocol'

/** Why a target can't be read, or null where it can. `target`: as it stands in the request line. */
export function targetFault(target: string): string | null {
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
