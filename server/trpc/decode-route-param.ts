import { textFault } from '@parley/protocol'

/**
 * Decodes a URL part as a page or route receives it. Some arrive decoded: if a percent sign is no valid escape, the part was decoded
 * before.
 */
export function decodeRouteParam(part: string): string {
  try {
    const text = decodeURIComponent(part)
    return textFault(text) === null ? text : part
  } catch {
    return part
  }
}
