/** Whether a text shows anything: by what Unicode says of its characters, not by a list of blanks that would never be complete. */

/** Characters that leave the page as it is: ignorable ones, controls, unassigned and private ones, and the Braille blank, a symbol without dots. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\u2800]/gu
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The text as far as it can be seen, without blanks at its ends. */
export function visibleText(text: string): string {
  const left = text.replace(/\s+/gu, ' ').replace(unseen, '').trim()
  return seen.test(left) ? left : ''
}

/** A file name with each character that cannot be seen written as an escape. */
export const shownName = (name: string): string =>
  name.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`)

export const isVisible = (text: string): boolean => visibleText(text) !== ''
