/** What the first byte of a packed value says. @see SPEC.md#packed-frames */

/** What this way of packing is called in `challenge`, `hello` and `welcome`. */
export const packing = '1'

/** The first byte of a value; what lies between is told by the number of the word, the integer, the items or the members. */
export const tag = {
  roomWord: 0x80,
  integer: 0xc0,
  array: 0xd0,
  object: 0xe0,
  null: 0xf0,
  false: 0xf1,
  true: 0xf2,
  natural: 0xf3,
  negative: 0xf4,
  double: 0xf5,
  text: 0xf6,
  farRoomWord: 0xf7,
  uuid: 0xf8,
  instant: 0xf9,
  id: 0xfa,
  base64url: 0xfb,
  hex: 0xfc,
  prefixedHex: 0xfd,
  traceparent: 0xfe,
} as const

export const nearRoomWords = tag.integer - tag.roomWord
export const nearIntegers = tag.array - tag.integer
/** Items or members that the first byte tells; more are counted in a number of their own. */
export const fewItems = 15

/** Longer strings are no words of a room. */
export const maxRoomWord = 128
/** Words that a room has at most. */
export const maxRoomWords = 256
