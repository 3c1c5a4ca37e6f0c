/** Colours: reads their notations, converts between them, and measures their contrast. */
import { cssColours } from './css-colours.ts'

/** Channels from 0 to 255, possibly with fractions, and opacity from 0 to 1. */
export type Colour = {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
  readonly written: string
}

const value = '[-+]?\\d{1,3}(?:\\.\\d{1,4})?'
const between = '\\s*[,/ ]\\s*'
const colourPattern = new RegExp(
  `#(?:[\\da-f]{8}|[\\da-f]{6}|[\\da-f]{3,4})(?![\\w])` +
    `|\\b(?:rgb|hsl|hsv|hsb)a?\\s*[(:=]?\\s*${value}(?:deg|%|°)?${between}${value}%?${between}${value}%?(?:${between}[\\d.]{1,6}%?)?\\s*\\)?` +
    `|\\bcmyk\\s*[(:=]?\\s*${value}%?${between}${value}%?${between}${value}%?${between}${value}%?\\s*\\)?` +
    `|(?<![\\w#.,])\\(?\\d{1,3}\\s*,\\s*\\d{1,3}\\s*,\\s*\\d{1,3}\\)?(?![\\w,.]\\d)` +
    `|\\b[a-z]{3,20}\\b|(?<![\\w#])(?=[a-f]*\\d)[\\da-f]{6}(?!\\w)`,
  'gi',
)

export type ColourReading = { readonly colours: readonly Colour[]; readonly words: string; readonly fault?: string }

/** All colours of a text, and the words around them. A bare name counts only if CSS has it. */
export function readColours(text: string): ColourReading {
  const colours: Colour[] = []
  let fault: string | undefined
  const words = joinNames(text).replace(colourPattern, (written) => {
    if (/^[a-z]+$/i.test(written) && !cssColours.has(written.toLowerCase())) return written
    const colour = parseColour(written)
    if (!colour)
      fault ??= `${written.trim()} is no colour: red, green and blue go from 0 to 255, a hue from 0 to 360, and shares from 0 to 100 %.`
    else colours.push(colour)
    return ' '
  })
  return { colours, words, ...(fault !== undefined && { fault }) }
}

/** `dark olive green` is `darkolivegreen`. */
function joinNames(text: string): string {
  const words = text.split(/(?<=\s)(?=\S)/)
  for (let at = 0; at < words.length; at++)
    for (const count of [3, 2]) {
      const joined = words
        .slice(at, at + count)
        .map((word) => word.trim())
        .join('')
      const [, name = '', mark = ''] = /^([a-z]+)([.,?!]*)$/i.exec(joined) ?? []
      if (words.length >= at + count && cssColours.has(name.toLowerCase())) words.splice(at, count, `${name}${mark} `)
    }
  return words.join('')
}

/** Undefined if a channel is outside its range. */
export function parseColour(written: string): Colour | undefined {
  const text = written.trim().toLowerCase()
  const named = cssColours.get(text)
  if (named) return { red: named[0], green: named[1], blue: named[2], alpha: 1, written: text }
  const hex = /^#?([\da-f]{3,8})$/.exec(text)?.[1]
  if (hex !== undefined) return parseHex(hex, text)
  const kind = /^[a-z]+/.exec(text)?.[0].replace(/a$/, '') ?? 'rgb'
  const numbers = (text.match(/[-+]?\d+(?:\.\d+)?%?/g) ?? []).map((part) => ({
    number: Number(part.replace('%', '')),
    isShare: part.endsWith('%'),
  }))
  if (numbers.some(({ number }) => number < 0)) return undefined
  const [first, second, third, fourth] = numbers
  if (!first || !second || !third) return undefined
  if (kind === 'cmyk') return fourth && parseCmyk([first.number, second.number, third.number, fourth.number], text)
  const alpha = fourth ? (fourth.isShare ? fourth.number / 100 : fourth.number) : 1
  if (alpha > 1) return undefined
  if (kind === 'rgb') {
    const [red = 0, green = 0, blue = 0] = [first, second, third].map(({ number, isShare }) => (isShare ? (number / 100) * 255 : number))
    return Math.max(red, green, blue) > 255 ? undefined : { red, green, blue, alpha, written: text }
  }
  if (first.number > 360 || second.number > 100 || third.number > 100) return undefined
  const [hue, saturation, last] = [first.number, second.number / 100, third.number / 100]
  const channels = kind === 'hsl' ? fromHsl(hue, saturation, last) : fromHsv(hue, saturation, last)
  return { ...channels, alpha, written: text }
}

function parseHex(hex: string, written: string): Colour | undefined {
  const size = hex.length <= 4 ? 1 : 2
  if (![3, 4, 6, 8].includes(hex.length)) return undefined
  const parts = (hex.match(new RegExp(`.{${size}}`, 'g')) ?? []).map((part) => Number.parseInt(size === 1 ? part + part : part, 16))
  const [red = 0, green = 0, blue = 0, alpha = 255] = parts
  return { red, green, blue, alpha: alpha / 255, written }
}

function parseCmyk(shares: readonly number[], written: string): Colour | undefined {
  if (shares.some((share) => share > 100)) return undefined
  const [cyan = 0, magenta = 0, yellow = 0, key = 0] = shares.map((share) => share / 100)
  const channel = (ink: number) => 255 * (1 - ink) * (1 - key)
  return { red: channel(cyan), green: channel(magenta), blue: channel(yellow), alpha: 1, written }
}

type Channels = { readonly red: number; readonly green: number; readonly blue: number }

function fromHsl(hue: number, saturation: number, lightness: number): Channels {
  const part = (n: number): number => {
    const k = (n + hue / 30) % 12
    return 255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return { red: part(0), green: part(8), blue: part(4) }
}

function fromHsv(hue: number, saturation: number, brightness: number): Channels {
  const part = (n: number): number => {
    const k = (n + hue / 60) % 6
    return 255 * (brightness - brightness * saturation * Math.max(0, Math.min(k, 4 - k, 1)))
  }
  return { red: part(5), green: part(3), blue: part(1) }
}

/** The colour as screens show it. */
export const roundColour = (colour: Colour): Colour => ({
  ...colour,
  red: Math.round(colour.red),
  green: Math.round(colour.green),
  blue: Math.round(colour.blue),
})

export const colourSpaces = ['hex', 'rgb', 'hsl', 'hsv', 'cmyk'] as const
export type ColourSpace = (typeof colourSpaces)[number]

const percent = (share: number): string => `${Math.round(share * 100)}%`

/** The colour in a notation of CSS. HSV and CMYK are no CSS. */
export function writeColour(colour: Colour, space: ColourSpace): string {
  const { red, green, blue, alpha } = roundColour(colour)
  const isOpaque = alpha === 1
  const opacity = Number(alpha.toFixed(3))
  if (space === 'hex')
    return `#${[red, green, blue, ...(isOpaque ? [] : [Math.round(alpha * 255)])].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  if (space === 'rgb') return isOpaque ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${opacity})`
  const [max, min] = [Math.max(red, green, blue) / 255, Math.min(red, green, blue) / 255]
  const range = max - min
  if (space === 'cmyk') {
    const ink = (part: number): string => percent(max === 0 ? 0 : (max - part / 255) / max)
    return `cmyk(${ink(red)}, ${ink(green)}, ${ink(blue)}, ${percent(1 - max)})`
  }
  const hue = Math.round(hueOf([red / 255, green / 255, blue / 255], max, range)) % 360
  if (space === 'hsv') return `hsv(${hue}, ${percent(max === 0 ? 0 : range / max)}, ${percent(max)})`
  const lightness = (max + min) / 2
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1))
  const inner = `${hue}, ${percent(saturation)}, ${percent(lightness)}`
  return isOpaque ? `hsl(${inner})` : `hsla(${inner}, ${opacity})`
}

function hueOf([red, green, blue]: readonly [number, number, number], max: number, range: number): number {
  if (range === 0) return 0
  const sector = max === red ? ((green - blue) / range + 6) % 6 : max === green ? (blue - red) / range + 2 : (red - green) / range + 4
  return sector * 60
}

/** The CSS name of exactly this colour. */
export function nameOfColour(colour: Colour): string | undefined {
  const { red, green, blue, alpha } = roundColour(colour)
  if (alpha !== 1) return undefined
  return [...cssColours].find(([, channels]) => channels[0] === red && channels[1] === green && channels[2] === blue)?.[0]
}

/** Relative luminance by WCAG 2.2. */
function luminanceOf(colour: Colour): number {
  const { red, green, blue } = roundColour(colour)
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** From 1 to 21, by WCAG 2.2. */
export function contrastRatio(a: Colour, b: Colour): number {
  const [first, second] = [luminanceOf(a), luminanceOf(b)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}
