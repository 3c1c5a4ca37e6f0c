/** Texts that are allowed and meant badly: each breaks some reader that trusts what it was given. */
import { badBytes } from './json-text.ts'

export type HostileText = { readonly name: string; readonly group: string; readonly text: string }

const times = (piece: string, length: number) => piece.repeat(Math.max(1, Math.ceil(length / piece.length))).slice(0, length)

/** Pieces whose repetition costs parsers of Markdown more than a text of its length should. */
export const markdownPieces: { readonly [name: string]: string } = {
  star: '*a_ ',
  quote: '>',
  bracket: '[',
  image: '![',
  link: '[a](',
  emphasis: '**a ',
  underscore: '_a*',
  tick: '`a``',
  angle: '<a ',
  comment: '<!--',
  list: '- ',
  number: '1) ',
  table: '|a',
  strike: '~~a~',
  address: 'www.a.b_',
  mail: 'a@b.',
  entity: '&#x1',
  reference: '[a]: b\n',
  footnote: '[^1]',
  fence: '```\n~~~\n',
  nested: '> - ',
  paren: '((',
  escape: '\\',
}

/** Characters whose long runs cost patterns that look for them at an end, or between others, more than their length. */
const runs: { readonly [name: string]: string } = {
  space: ' ',
  newline: '\n',
  tab: '\t',
  'wide-space': '\u00a0',
  dash: '-',
  dot: '.',
  zero: '0',
  slash: '/',
  comma: ',',
  backslash: '\\',
}
/** Whose repetition may cost more than its length. */
export const costlyPieces: readonly string[] = [
  ...Object.values(markdownPieces),
  ...Object.values(runs),
  'a',
  '1',
  'a@',
  '<',
  '&',
  '"',
  '://',
]
/** What breaks the run comes last, so that each start of it is tried. */
const run = (piece: string, length: number) => `x${times(piece, Math.max(1, length - 2))}x`

const plain: readonly (readonly [group: string, name: string, text: string])[] = [
  ['nul', 'nul', 'a\0b'],
  ['nul', 'nul-only', '\0'],
  ['surrogate', 'high', 'a\ud800b'],
  ['surrogate', 'low-last', 'ab\udc00'],
  ['utf8', 'bad-bytes', `a${badBytes}b`],
  ['control', 'escape', 'a\u001b[2Jb\u0007\u0085\u2028\u2029'],
  ['invisible', 'zero-width', '\u200b\u200d\u2060\ufeff'],
  ['invisible', 'tags', '\u{e0041}\u{e0042}'],
  ['invisible', 'hangul-filler', '\u3164\u115f'],
  ['invisible', 'spaces', '   \u00a0\u2003  '],
  ['bidi', 'override', 'abc\u202egnp.exe\u2066'],
  ['confusable', 'cyrillic', 'Р\u0430rl\u0435y'],
  ['confusable', 'fullwidth', '\uff30\uff41\uff52\uff4c\uff45\uff59'],
  ['confusable', 'greek', 'Ρ\u03b1rley'],
  ['confusable', 'joined', 'Par\u200cley'],
  ['reserved', 'parley', 'Parley'],
  ['reserved', 'support', 'Parley Support'],
  ['reserved', 'admin', 'admin'],
  ['reserved', 'new', 'new'],
  ['key', 'constructor', 'constructor'],
  ['key', 'proto', '__proto__'],
  ['key', 'prototype', 'prototype'],
  ['key', 'to-string', 'toString'],
  ['key', 'value-of', 'valueOf'],
  ['key', 'has-own', 'hasOwnProperty'],
  ['date', 'year-9999', '9999-12-31T23:59:59Z'],
  ['date', 'year-0001', '0001-01-01T00:00:00Z'],
  ['date', 'year-275760', '+275760-09-13T00:00:00.000Z'],
  ['date', 'beyond', '+999999-01-01T00:00:00Z'],
  ['date', 'epoch', '1970-01-01T00:00:00Z'],
  ['number', 'zero', '0'],
  ['number', 'minus', '-1'],
  ['number', 'largest', '9999999999999999999'],
  ['number', 'uint256', '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
  ['number', 'int31', '2147483648'],
  ['number', 'int53', '9007199254740993'],
  ['number', 'below-int63', '9223372036854775807'],
  ['number', 'int63', '9223372036854775808'],
  ['number', 'uint64', '18446744073709551616'],
  ['number', 'exponent', '1e999'],
  ['number', 'hex', '0x10'],
  ['number', 'arabic', '\u0663\u0664'],
  ['number', 'half', '0.5'],
  ['number', 'short-exponent', '1e0'],
  ['number', 'padded', ' 1 '],
  ['cursor', 'letters', 'AAA'],
  ['cursor', 'base64', Buffer.from('{"a":99999999999}').toString('base64url')],
  ['cursor', 'null', Buffer.from('null').toString('base64url')],
  ['cursor', 'array', Buffer.from('[[],{},"x"]').toString('base64url')],
  ['path', 'up', '../../../etc/passwd'],
  ['path', 'encoded', '%2e%2e%2f%00'],
  // Escapes that are none, beside words, so that they pass for a name.
  ['escape', 'percent', 'About 50% more %zz of it %'],
  ['escape', 'backslash', 'A word \\u00zz and \\x'],
  ['escape', 'entity', 'A word &#x110000; &amp &'],
  ['escape', 'format', 'A word %s %d {0} {{a}}'],
  ['search', 'wildcards', '%_\\%'],
  ['search', 'operators', "a' | !(b & ) :* <-> \\"],
  ['search', 'quote', `'";--`],
  ['script', 'tag', '</script><script>alert(1)</script>'],
  ['script', 'element', '"><zqmark onload=alert(1)>\'><zqmark>'],
  ['script', 'link', '[a](javascript:alert(1)) <javascript:alert(1)> ![b](data:text/html,c) [d]( \tjava\nscript:e)'],
  ['script', 'formula', '=HYPERLINK("http://x","y")'],
  ['script', 'template', `$${'{'}7*7}{{7*7}}`],
  ['line', 'breaks', 'a\r\nset-cookie: b=c\r\n\r\nd'],
  ['empty', 'empty', ''],
  ['emoji', 'family', '👨‍👩‍👧‍👦🏳️‍🌈'],
  ['combining', 'zalgo', `z${'\u0301'.repeat(60)}`],
]

/** `longest`: what the place allows, or null where it says nothing. */
export function hostileTexts(longest: number | null): HostileText[] {
  const length = longest ?? 20_000
  const named = plain.map(([group, name, text]) => ({ group, name, text }))
  const bombs = Object.entries(markdownPieces).map(([name, piece]) => ({
    group: 'markdown',
    name: `md-${name}`,
    text: times(piece, Math.min(length, 65_536)),
  }))
  const long = Object.entries(runs).map(([name, piece]) => ({
    group: 'run',
    name: `run-${name}`,
    text: run(piece, Math.min(length, 65_536)),
  }))
  return [
    ...named,
    ...(length >= 200 ? [...bombs, ...long] : []),
    // Looked at before its length is.
    { group: 'huge', name: 'run-space-huge', text: run(' ', 120_000) },
    { group: 'huge', name: 'run-newline-huge', text: run('\n', 120_000) },
    { group: 'size', name: 'longest', text: times('Ab ', Math.min(length, 2_000_000)) },
    // Three bytes a letter: a limit in letters is not one in bytes.
    { group: 'size', name: 'longest-wide', text: times('\u6f22', Math.min(length, 2_000_000)) },
    { group: 'size', name: 'one-too-long', text: times('x', Math.min(length + 1, 2_000_001)) },
    // Limits that the schema does not state lie between these.
    ...(longest === null ? [5_000, 20_000, 60_000] : []).map((letters) => ({
      group: 'size',
      name: `letters-${letters}`,
      text: times('Ab ', letters),
    })),
    { group: 'size', name: 'megabyte', text: times('x', 1_000_000) },
  ]
}
