/** Reads a goal on an attached image from left to right. Every word has a meaning or is known to have none. */
import type { Json } from '@parley/protocol'
import { isEnglish } from '../numbers/is-english.ts'
import { phrasesWithoutEffect } from '../text/phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases } from '../text/scan-phrases.ts'
import type { ToolGoal, ToolReading } from '../tool.ts'
import { type ImageFormat, imageFileType, maxSide } from './image-request.ts'

/** `mentioned`: formats that may be those of the attached file. `by`: a percentage of change. `bare`: pixels of no named side. */
type Draft = { query: { [key: string]: Json }; isAsked: boolean; readonly mentioned: ImageFormat[]; by?: number; bare?: number }

/** Sets a value once. A second, different one makes the goal unreadable. */
function set(draft: Draft, key: string, value: Json): boolean {
  if (key in draft.query && draft.query[key] !== value) return false
  draft.query[key] = value
  draft.isAsked = true
  return true
}

const setsSide =
  (key: string) =>
  (draft: Draft, [, pixels = '']: RegExpExecArray) =>
    Number(pixels) >= 1 && Number(pixels) <= maxSide && set(draft, key, Number(pixels))

const setsScale = (draft: Draft, percent: number): boolean => percent >= 1 && percent <= 400 && set(draft, 'percent', percent)

const sets = (key: string, value: Json) => (draft: Draft) => set(draft, key, value)

const px = ' ?(?:px|pixels?)?'
const formatNames: { readonly [name: string]: ImageFormat } = { jpg: 'jpeg', jpeg: 'jpeg', png: 'png', webp: 'webp' }
const bytesOf = { b: 1, kb: 1_000, kib: 1_024, k: 1_000, mb: 1_000_000, mib: 1_048_576 } as const

const phrases: readonly Phrase<Draft>[] = [
  [
    phraseOf(`(\\d{1,5})${px}(?: wide)? ?(?:x|×|by|\\*) ?(\\d{1,5})${px}(?: (?:high|tall))?`),
    (draft, [, width, height]) =>
      [width, height].every((side) => Number(side) >= 1 && Number(side) <= maxSide) &&
      set(draft, 'width', Number(width)) &&
      set(draft, 'height', Number(height)),
  ],
  [phraseOf(`(\\d{1,5})${px} (?:wide|in width|of width|width)`), setsSide('width')],
  [phraseOf(`(\\d{1,5})${px} (?:high|tall|in height|of height|height)`), setsSide('height')],
  [phraseOf(`(?:a |the )?width (?:of |to |is |= ?)*(\\d{1,5})${px}`), setsSide('width')],
  [phraseOf(`(?:a |the )?height (?:of |to |is |= ?)*(\\d{1,5})${px}`), setsSide('height')],
  [
    phraseOf(`(?:the |a )?(?:longest|longer|long|largest|maximum|max) (?:side|edge|dimension)(?: (?:of|to|is|at))* (\\d{1,5})${px}`),
    setsSide('max_side'),
  ],
  [
    phraseOf('(\\d{1,3}) ?(?:%|percent|per cent) (smaller|less|bigger|larger|more)'),
    (draft, [, percent, direction = '']) =>
      setsScale(draft, /smaller|less/.test(direction) ? 100 - Number(percent) : 100 + Number(percent)),
  ],
  [
    phraseOf('by (\\d{1,3}) ?(?:%|percent|per cent)'),
    (draft, [, percent]) => {
      draft.by = Number(percent)
      draft.isAsked = true
      return true
    },
  ],
  [
    phraseOf(
      `(?:max(?:imum)?|at most|no more than|up to)? ?(\\d{1,5})${px} (?:on|at|for|along) (?:the |its )?(?:longest|longer|long|largest) (?:side|edge)`,
    ),
    setsSide('max_side'),
  ],
  [
    phraseOf('(\\d{1,3}) ?(?:%|percent|per cent)(?: of (?:its|the) (?:original |current )?size)?'),
    (draft, [, percent]) => setsScale(draft, Number(percent)),
  ],
  [phraseOf('(?:to |by )?half(?: of)?(?: (?:its|the|the original) size| as (?:big|large))?'), (draft) => setsScale(draft, 50)],
  [phraseOf('(?:to )?(?:a |one )?quarter(?: of)? (?:its|the) size'), (draft) => setsScale(draft, 25)],
  [phraseOf('(?:to )?(?:twice|double)(?: (?:its|the) size| as (?:big|large))?'), (draft) => setsScale(draft, 200)],
  [
    phraseOf(
      '(?:below|under|less than|smaller than|at most|no (?:more|larger|bigger) than|max(?:imum)?|up to) (\\d{1,4}(?:\\.\\d)?) ?(kb|kib|mb|mib|k)(?: in size)?',
    ),
    (draft, [, amount, unit]) => set(draft, 'max_bytes', Math.floor(Number(amount) * bytesOf[unit as keyof typeof bytesOf])),
  ],
  [
    phraseOf('(?:a |the |with )*quality(?: (?:of|at|to))? (\\d{1,3}) ?%?'),
    (draft, [, quality]) => Number(quality) >= 1 && Number(quality) <= 100 && set(draft, 'quality', Number(quality)),
  ],
  [
    phraseOf('(?:in|into|to|as|an?)(?: an?| the)* \\.?(jpe?g|png|webp)(?: (?:file|image|picture|photo|version|format))?'),
    (draft, [, name = '']) => set(draft, 'format', formatNames[name] ?? 'png'),
  ],
  [
    phraseOf('(?:(?:the|this|that|my|our|attached) )*\\.?(jpe?g|png|webp)(?: (?:file|image|picture|photo))?'),
    (draft, [, name = '']) => {
      draft.mentioned.push(formatNames[name] ?? 'png')
      return true
    },
  ],
  [
    phraseOf(
      '(?:in |into |to |a )*(?:grey ?scale|gray ?scale|black and white|black[- ]&[- ]white|black-and-white|monochrome|shades of gr[ae]y)',
    ),
    sets('greyscale', true),
  ],
  [
    phraseOf('(?:by )?(90|270) ?(?:°|degrees?|deg)? (?:to the left|left|counter-?clockwise|anti-?clockwise)'),
    (draft, [, degrees]) => set(draft, 'rotate', 360 - Number(degrees)),
  ],
  [
    phraseOf('(?:by )?(90|180|270) ?(?:°|degrees?|deg)?(?: (?:to the right|clockwise|right))?'),
    (draft, [, degrees]) => set(draft, 'rotate', Number(degrees)),
  ],
  [phraseOf('(?:to the right|clockwise|a quarter turn)'), sets('rotate', 90)],
  [phraseOf('(?:to the left|counter-?clockwise|anti-?clockwise)'), sets('rotate', 270)],
  [phraseOf('upside down'), sets('rotate', 180)],
  [
    phraseOf('(?:flip|mirror)(?:ped)?(?: (?:it|this|the (?:image|picture|photo)))?(?: (?:horizontally|left to right))?'),
    sets('mirror', 'horizontal'),
  ],
  [phraseOf('(?:flip|mirror)(?:ped)? (?:it |this |the (?:image|picture|photo) )?(?:vertically|top to bottom)'), sets('mirror', 'vertical')],
  [
    phraseOf('(?:crop|cut|trim)(?: (?:it|this|the (?:image|picture|photo)))?(?: (?:to|into|down to))?(?: (?:a|the))?(?: square)'),
    sets('crop', 'square'),
  ],
  [phraseOf('(?:a )?square(?: (?:image|picture|thumbnail|crop))?'), sets('crop', 'square')],
  [
    phraseOf('(?:a )?thumbnail(?: (?:image|version|picture))?'),
    (draft) => {
      draft.isAsked = true
      return true
    },
  ],
  [
    phraseOf(
      '(?:without|remove|strip|delete|drop)(?: (?:all|any|the|its))* (?:exif|meta ?data|location|gps|camera)(?: (?:data|information|tags|location))*(?: (?:and|or) (?:exif|meta ?data|location|gps)(?: data)?)?',
    ),
    sets('strip', true),
  ],
  [
    phraseOf(
      "(?:what(?:'s| is| are)|tell me|how (?:big|large|wide|high)|which|give me|read|show)?(?: (?:is|are|the|its))* ?(?:(?:image |picture |photo )?(?:dimensions?|resolution|size in pixels|pixel size|format)|how many pixels)(?: and (?:the )?(?:format|size|resolution))?(?: (?:of|does|has))*",
    ),
    sets('describe', true),
  ],
  [phraseOf('how (?:big|large|wide|high) (?:is|are)'), sets('describe', true)],
  [
    phraseOf(
      'resize|scale|shrink|enlarge|reduce|compress|convert|change|turn|rotate|make|crop|save|export|optimi[sz]e|scaled|resized|converted|bring|set|get',
    ),
    (draft) => {
      draft.isAsked = true
      return true
    },
  ],
  [
    phraseOf('(\\d{1,5}) ?(?:px|pixels?)?'),
    (draft, [, pixels]) => {
      if (draft.bare !== undefined || Number(pixels) < 1 || Number(pixels) > maxSide) return false
      draft.bare = Number(pixels)
      draft.isAsked = true
      return true
    },
  ],
  ...(phrasesWithoutEffect as readonly Phrase<Draft>[]),
  [
    phraseOf(
      '(?:the |this |that |my |our |attached |uploaded |following )*(?:png|jpe?g|webp)?(?: ?(?:image|picture|photo|photograph|pic|screenshot|logo|icon|file|drawing|scan|snapshot|attachment)s?)(?: (?:attached|i attached|above|below|here))?',
    ),
    () => true,
  ],
  [
    phraseOf('(?:keep|keeping|preserve|preserving|maintain|maintaining|with)(?: (?:the|its|same))* (?:aspect ratio|proportions)'),
    () => true,
  ],
  [
    phraseOf(
      "to|down|into|in|as|it|its|it's|is|of|the|a|an|and|then|so|that|for|me|us|i|we|need|want|would|like|can|could|you|please|give|back|send|return|smaller|bigger|larger|file|size|pixels?|px|version|new|with|by|at|on|be|should|must|has|have|this|my|our|attached|only|web|email|website|use|from|off|out",
    ),
    () => true,
  ],
]

/** The reading of a goal with one attached image. Words that are not known leave the goal to others. */
export function readImageGoal(goal: ToolGoal): ToolReading {
  const [file] = goal.files
  if (goal.files.length !== 1 || file?.type !== imageFileType || !isEnglish(goal.words)) return undefined
  const text = goal.text.replaceAll(file.name, 'the image').toLowerCase()
  const draft: Draft = { query: {}, isAsked: false, mentioned: [] }
  if (scanPhrases(text, phrases, draft) < text.length || !draft.isAsked) return undefined
  const { query } = draft
  // A format beside that of the file is wanted in words that are not understood.
  const own = formatNames[/\.(\w+)$/.exec(file.name.toLowerCase())?.[1] ?? '']
  if (draft.mentioned.some((one) => one !== own && one !== query.format)) return undefined
  const question = questionOf(draft, text)
  if (question !== undefined) return { confidence: 0.9, question }
  return { confidence: 0.93, query, summary: summaryOf(query, file.name) }
}

/** What only the client knows. Completes the query where the whole goal says what a number means. */
function questionOf({ query, by, bare }: Draft, text: string): string | undefined {
  const isSmaller = /\b(?:reduce|shrink|compress|scale down|make .{0,40}smaller)\b/.test(text)
  const isLarger = /\b(?:enlarge|increase|scale up|make .{0,40}(?:bigger|larger))\b/.test(text)
  if (by !== undefined) {
    if (isSmaller === isLarger || (isSmaller && by > 99))
      return `By ${by} %: smaller or larger? Name the size that the image should have, for example 50 % of its size.`
    query.percent = isSmaller ? 100 - by : 100 + by
  }
  if (bare !== undefined && query.crop === 'square' && query.width === undefined) query.width = bare
  else if (bare !== undefined) return `Are the ${bare} pixels the width, the height or the longer side?`
  if ('percent' in query && ('width' in query || 'height' in query || 'max_side' in query))
    return 'The goal names a percentage and a size in pixels. Which one is meant?'
  if (Object.keys(query).length > 0) return undefined
  return 'What should the image be? Name a size in pixels, a percentage, a largest file size, a format (JPEG, PNG or WebP) or a rotation.'
}

function summaryOf(query: { readonly [key: string]: Json }, name: string): string {
  const shown = `“${name.slice(0, 80)}”`
  if (Object.keys(query).every((key) => key === 'describe')) return `I read the size and the format of ${shown}.`
  const { width, height, max_side, percent, format, greyscale, rotate, mirror, crop, max_bytes, quality } = query
  const parts = [
    crop !== undefined && 'cropped to a square',
    width !== undefined && height !== undefined && `${width} × ${height} pixels`,
    width !== undefined && height === undefined && `${width} pixels wide`,
    height !== undefined && width === undefined && `${height} pixels high`,
    max_side !== undefined && `at most ${max_side} pixels on its longer side`,
    percent !== undefined && `${percent} % of its size`,
    rotate !== undefined && `turned by ${rotate}° clockwise`,
    mirror !== undefined && `mirrored ${mirror === 'vertical' ? 'top to bottom' : 'left to right'}`,
    greyscale !== undefined && 'in shades of grey',
    format !== undefined && `as ${format === 'webp' ? 'WebP' : String(format).toUpperCase()}`,
    quality !== undefined && `quality ${quality}`,
    max_bytes !== undefined && `at most ${Number(max_bytes).toLocaleString('en-US')} bytes`,
    'without metadata',
  ].filter((part) => part !== false)
  return `I make ${shown} ${parts.join(', ')}.`
}
