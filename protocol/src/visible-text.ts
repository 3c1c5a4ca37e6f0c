/** Whether a text is visible: by the Unicode properties of its characters, because a list of blanks would be incomplete. */

/** Invisible characters: ignorable ones, controls, unassigned and private ones, and the Braille blank, a symbol without dots. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\u2800]/gu
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** A text without its invisible characters. */
export const removeInvisible = (text: string): string => text.replace(unseen, '')

/** The visible part of a text, trimmed. */
export function visibleText(text: string): string {
  const left = removeInvisible(text.replace(/\s+/gu, ' ')).trim()
  return seen.test(left) ? left : ''
}

/** A file name with each invisible character as an escape. */
export const shownName = (name: string): string =>
  name.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`)

/** Whether a reader sees any character of this text. */
export const isVisible = (text: string): boolean => visibleText(text) !== ''
