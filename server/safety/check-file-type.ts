import { fileContentFault } from '@parley/protocol'
import { inspectSvg } from './inspect-svg.ts'

/** What is wrong with a file that claims to be of this media type; null where nothing is. */
export function checkFileType(mediaType: string, bytes: Uint8Array): string | null {
  const fault = fileContentFault(mediaType, bytes)
  return fault === null && /^\s*image\/svg\+xml\s*(;|$)/i.test(mediaType) ? inspectSvg(new TextDecoder().decode(bytes)) : fault
}
