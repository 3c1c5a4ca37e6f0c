/** Reads how much paint the walls of a rectangular room need. */

const metres = '(?:m|metres?|meters?)\\b'
const amount = '(\\d+(?:\\.\\d+)?)'
const counts: { readonly [word: string]: string } = { one: '1', a: '1', single: '1', two: '2', three: '3', four: '4' }
const measures = [
  new RegExp(`\\b${amount} ?(?:${metres})? ?(?:by|x|×) ?${amount} ?${metres}`),
  new RegExp(`\\b${amount} ?${metres} (?:high|tall|in height)\\b|\\b(?:height|high)(?: of| is)? ${amount} ?${metres}`),
  /\b(\d|one|a single|two|three|four) coats?\b/,
  new RegExp(
    `\\b(?:if )?(?:a|one|1|each|every|the) (?:litre|liter|l)(?: of (?:the )?paint)? (?:covers|does|is enough for|reaches) (?:about )?${amount} ?(?:square (?:metres?|meters?)|m2|m²|sqm|sq m)`,
  ),
] as const
const fillers = new Set(
  (
    'how many much litres liters litre liter paint of do does i we need needed to for the a an walls wall room all four in with and if it is are my our that has have ' +
    'painting which what give calculate that’s size sized measuring bedroom kitchen office living around per'
  ).split(' '),
)

/** `2 * (4.2 + 3.6) * 2.5 * 2 / 10`, in litres. Undefined if a word, such as “windows”, is not understood. */
export function readWallPaint(text: string): string | undefined {
  if (!/\bpaint/.test(text) || !/\bwalls?\b/.test(text)) return undefined
  const found = measures.map((pattern) => pattern.exec(text))
  const [size, height, coats, coverage] = found
  if (!size || !height || !coverage) return undefined
  const rest = measures.reduce((words, pattern) => words.replace(pattern, ' '), text)
  if ((rest.match(/[\p{L}\d]+/gu) ?? []).some((word) => !fillers.has(word))) return undefined
  const count = counts[(coats?.[1] ?? 'one').replace('a single', 'single')] ?? coats?.[1] ?? '1'
  return `2 * (${size[1]} + ${size[2]}) * ${height[1] ?? height[2]} * ${count} / ${coverage[1]}`
}
