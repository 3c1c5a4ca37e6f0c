/** Allowed file names. Pure. Invisible characters could disguise a name, such as `invoice.pdf.exe` as `invoice.pdf`. */
import { maxFileNameLength } from './max-file-name-length.ts'

/** As in names of listings, plus the kinds of blanks that operating systems put into file names. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800]/u
/** Scripts in which a joiner between two letters changes their form (UAX #31, A1 and A2). */
const joined =
  '[\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}]'
const honest = new RegExp(
  // A joiner within a word of those scripts, and joiners of emoji sequences.
  `(?<=${joined}\\p{M}*)[\\u200c\\u200d](?=${joined})|(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?)\\ufe0f|(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})`,
  'gu',
)

/** Why a file cannot have this name, and what to do; null if it can. */
export function fileNameFault(name: string): string | null {
  if (name.length > maxFileNameLength) return `The name has ${name.length} characters. Shorten it to ${maxFileNameLength}.`
  if (/^[.\s]*$/.test(name)) return 'The name is empty, or has only dots. Rename the file.'
  const refused = /[/\\]/.exec(name)?.[0]
  if (refused !== undefined) return `The name has a ${refused}. Rename the file without / and \\.`
  const code = hiddenCharacter(name)
  return code === null ? null : `The name has the invisible character ${code}. Rename the file without it.`
}

/** The first invisible character of a name or title, such as `U+202E`; null if there is none. */
export function hiddenCharacter(text: string): string | null {
  const hidden = unseen.exec(text.replace(honest, ''))?.[0]
  return hidden === undefined ? null : `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
