import { fileContentFault } from '@parley/protocol'
import { inspectSvg } from './inspect-svg.ts'

/** Why a file does not match its media type, in one sentence; null if it does. */
export function checkFileType(mediaType: string, bytes: Uint8Array): string | null {
  const fault = fileContentFault(mediaType, bytes)
  return fault === null && /^\s*image\/svg\+xml\s*(;|$)/i.test(mediaType) ? inspectSvg(new TextDecoder().decode(bytes)) : fault
}
