// Elements that can run code, load content, or contain another language. The comparison ignores prefixes.
const refusedElements = new Set([
  'script',
  'foreignobject',
  'iframe',
  'embed',
  'object',
  'audio',
  'video',
  'handler',
  'listener',
  'html',
  'body',
  'link',
  'meta',
  'base',
])
/** Animations can change any attribute later, including `href`. */
const animations = new Set(['animate', 'set', 'animatetransform', 'animatemotion', 'animatecolor'])

const name = '[\\p{L}_][\\p{L}\\p{N}._:-]*'
const opening = new RegExp(`<(${name})`, 'uy')
const closing = new RegExp(`</${name}\\s*>`, 'uy')
const attribute = new RegExp(`\\s+(${name})\\s*=\\s*("[^"<]*"|'[^'<]*')`, 'uy')
const tagEnd = /\s*\/?>/y

const malformed = 'The drawing is not well-formed XML.'
const reachesOut = 'The styles of the drawing load external content.'

/**
 * Why an SVG is unsafe, in one sentence; null if it is safe. A safe drawing refers to nothing outside itself, runs nothing and has no
 * document type. Anything unknown is refused. One pass over the text.
 */
export function inspectSvg(text: string): string | null {
  let at = take(/\ufeff?\s*(?:<\?xml\s[^>]*\?>)?\s*/y, text, 0)?.[0].length ?? 0
  let hasRoot = false
  let isStyle = false
  let css = ''
  while (at < text.length) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at)
      if (end < 0) return malformed
      at = end + 3
      continue
    }
    if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at)
      if (end < 0) return malformed
      if (isStyle) css += text.slice(at + 9, end)
      at = end + 3
      continue
    }
    if (text[at] !== '<') {
      const next = text.indexOf('<', at)
      const end = next < 0 ? text.length : next
      if (isStyle) css += decoded(text.slice(at, end))
      at = end
      continue
    }
    if (text[at + 1] === '!') return 'The drawing has a document type. Remove it.'
    if (text[at + 1] === '?') return 'The drawing has a processing instruction. Remove it.'
    if (text[at + 1] === '/') {
      const end = take(closing, text, at)
      if (!end) return malformed
      at += end[0].length
      isStyle = false
      continue
    }
    const head = take(opening, text, at)
    if (!head) return malformed
    const element = localName(head[1] ?? '')
    if (!hasRoot && element !== 'svg') return 'The file is declared as SVG and does not begin with <svg>.'
    hasRoot = true
    if (refusedElements.has(element)) return `The drawing has a <${element}> element, which is not allowed.`
    at += head[0].length
    for (let pair = take(attribute, text, at); pair; pair = take(attribute, text, at)) {
      const fault = faultOfAttribute(element, localName(pair[1] ?? ''), decoded((pair[2] ?? '').slice(1, -1)).trim())
      if (fault) return fault
      at += pair[0].length
    }
    const end = take(tagEnd, text, at)
    if (!end) return malformed
    at += end[0].length
    isStyle = element === 'style' && !end[0].includes('/')
  }
  if (!hasRoot) return 'The file is declared as SVG and does not begin with <svg>.'
  return isActiveCss(css) ? reachesOut : null
}

function take(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1).toLowerCase()
}

function faultOfAttribute(element: string, key: string, value: string): string | null {
  if (key.startsWith('on')) return `The drawing has an event handler (${key}), which is not allowed.`
  if (key === 'base') return 'The drawing sets a base address, which is not allowed.'
  if ((key === 'href' || key === 'src') && !isInside(value)) return 'The drawing has an external reference.'
  if (key === 'attributename' && animations.has(element) && /href$|^on/i.test(value))
    return 'The drawing animates a reference, which is not allowed.'
  if (/^(java|vb)script:/i.test(value.replace(/[\s\p{Cc}]/gu, ''))) return 'The drawing has a script URL.'
  // Accessible text is never parsed as a style.
  if (key.startsWith('aria-') || key.startsWith('data-')) return null
  return isActiveCss(value) ? reachesOut : null
}

/** A reference within the drawing, or an embedded raster image. */
function isInside(value: string): boolean {
  return value === '' || value.startsWith('#') || /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=\s]*$/.test(value)
}

/** A style that loads external content. Escapes are refused too, because they hide the searched words. */
function isActiveCss(css: string): boolean {
  if (/@import|@namespace|image-set\s*\(|expression\s*\(|-moz-binding|behavior\s*:|\\/i.test(css)) return true
  for (const [, target = ''] of css.matchAll(/url\(\s*["']?([^"')]*)/gi)) if (!isInside(target.trim())) return true
  return false
}

const named: { readonly [entity: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#[0-9]+|amp|lt|gt|quot|apos);/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return named[entity.toLowerCase()] ?? whole
    const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number.parseInt(entity.slice(1), 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
