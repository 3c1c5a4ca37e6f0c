import { fileNameFault, isUnescaped } from '@parley/protocol'
import type { ContentScreen, ScreenVerdict } from '../ports.ts'
import { checkFileType } from './check-file-type.ts'

/** The maximum size of one text in bytes of UTF-8. */
export const maxTextBytes = 65_536

// Tab, line feed and carriage return are text. The rest of C0, DEL and C1 can rewrite a terminal or end a C string.
// biome-ignore lint/suspicious/noControlCharactersInRegex: every text comes through here, and by their class they cost three times as much
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
// Bidirectional controls: they could make a payee or a price look like another.
const directional = /[\u202a-\u202e\u2066-\u2069]/

const refuse = (reason: string): ScreenVerdict => ({ answer: 'refuse', reason })
const allow: ScreenVerdict = { answer: 'allow' }

/** The built-in content screen. It rejects with a reason, or accepts unchanged: signed content is never rewritten. */
export function createContentScreen(): ContentScreen {
  return {
    text(text) {
      if (text.length <= maxTextBytes && isPlain(text)) return allow
      if (text.length > maxTextBytes || Buffer.byteLength(text) > maxTextBytes)
        return refuse(`A text is at most ${maxTextBytes} bytes; send it as a file.`)
      if (!text.isWellFormed()) return refuse('The text has half of a surrogate pair, which is not a character.')
      const unwanted = control.exec(text) ?? directional.exec(text)
      if (unwanted) return refuse(`The text has ${nameOf(unwanted[0])} at position ${unwanted.index}. Remove it.`)
      return allow
    },
    file({ name, mediaType, bytes }) {
      const fault = fileNameFault(name) ?? checkFileType(mediaType, bytes)
      return fault === null ? allow : refuse(fault)
    },
  }
}

/**
 * The fast path: ASCII that JSON does not escape has none of the forbidden characters. The platform checks this in a third of the time.
 */
function isPlain(text: string): boolean {
  return Buffer.byteLength(text) === text.length && !text.includes('\u007f') && isUnescaped(text)
}

function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return directional.test(character) ? `the direction mark U+${code}` : `the control character U+${code}`
}
