import { textFault } from '@parley/protocol'

/**
 * A part of an address, as a page or route is given it. Some come decoded, some as they were written: where a percent sign is no
 * escape, or stands for what no text here has, it was decoded before.
 */
export function readAddressPart(part: string): string {
  try {
    const text = decodeURIComponent(part)
    return textFault(text) === null ? text : part
  } catch {
    return part
  }
}
