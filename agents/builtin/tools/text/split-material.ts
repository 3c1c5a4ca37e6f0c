/** Separates the request of a goal from the text to work on: quoted, after a colon, below an empty line, or on the next lines. */
import { trimPoliteness } from '../strip-politeness.ts'
import type { ToolGoal } from '../tool.ts'

export type SplitMaterial = {
  /** The words that ask, with a mark such as `⟦0⟧` in place of each quotation. */
  readonly request: string
  /** The quotations of the request, in order. */
  readonly quotations: readonly string[]
  /** Text to work on that stands outside quotation marks. */
  readonly material: string | undefined
}

/** Text in quotation marks of any style, or in backticks. A single mark counts only around words, so that an apostrophe does not. */
const quoted = /["“”„«»]([^"“”„«»]{1,8000})["“”»«]|`([^`]{1,8000})`|(?<=^|[\s(])['‘]([^'‘’\n]{1,4000})['’](?=$|[\s).,;:!?])/g
const mark = /⟦(\d+)⟧/g

type Masked = { readonly text: string; readonly quotations: readonly string[]; readonly unmask: (part: string) => string }

function maskQuotations(text: string): Masked {
  const [originals, quotations]: [string[], string[]] = [[], []]
  const masked = text.replace(quoted, (whole: string, marks?: string, ticks?: string, single?: string) => {
    const inner = (marks ?? ticks ?? single ?? '').trim()
    if (inner === '') return ' '
    originals.push(whole)
    quotations.push(inner)
    return `⟦${quotations.length - 1}⟧`
  })
  const unmask = (part: string) => part.replace(mark, (_, index: string) => originals[Number(index)] ?? '')
  return { text: masked, quotations, unmask }
}

/** A request without the marks of its quotations. */
export const withoutMarks = (request: string): string => request.replace(mark, ' ')

/** The last paragraph or the end of a list that only thanks. */
const thanks = /^(?:please|pls|thanks?|thank you|thx|many thanks|cheers)(?: (?:in advance|a lot|so much|very much))?[\s!.]*$/i
const helloReply =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day))\b[^.?\n:]{0,30}[,!.:]?$|^(?:quick )?(?:question|task|request|goal|job)[^\p{L}]*$/iu
/** Words that point to a text after them. */
const pointsBelow = /\b(?:below|following|these|this|here|pasted|underneath)\b|:\s*$/i
/** The beginning of a line that asks or talks to the reader. */
const asksStart =
  /^[-*•\d.)\s]*(?:please|pls|can|could|would|what|whats|which|how|who|when|where|why|and|then|also|but|i|i'm|we|my|our|it|they|sort|remove|delete|count|show|give|tell|make|list|convert|replace|keep|number|extract|find|redact|summari[sz]e|compare|translate|write|send|use|do|don't|reverse|thanks|thank|regards|best|cheers|sincerely|kind)\b/i
/** A sentence after the material that asks for more work on it. */
const asksAgain =
  /^(?:and |then |please |also |finally |afterwards |next )*(?:sort|remove|count|give|show|make|tell|convert|reverse|number|replace|keep|delete|list|print|translate|how many|which|what)\b[^.!?]{0,80}\b(?:it|them|lists?|results?|texts?|words|lines|items|names|duplicates?|order|alphabetically|ones?)\b/i

/** Undefined if it is not certain where the material ends. A text file is the material if there is one. */
export function splitMaterial({ text, files }: ToolGoal): SplitMaterial | undefined {
  const hasFile = files.some(({ type }) => type === 'document.text')
  // The name of an attached file points to the file.
  const named = files.filter(({ name }) => name.length > 3).reduce((all, { name }) => all.replaceAll(name, 'file'), text)
  const plain = named.replace(/\r\n?/g, '\n').trim()
  const block = hasFile ? undefined : splitAtEmptyLine(plain)
  // Work is asked for again below the material.
  if (
    block?.material
      .split(/\n\s*\n/)
      .slice(1)
      .some((one) => asksAgain.test(one.trim()))
  )
    return undefined
  const masked = maskQuotations(block?.request ?? plain)
  if (block) return { request: masked.text, quotations: masked.quotations, material: block.material }
  const rest = hasFile ? undefined : (splitAtColon(masked.text) ?? splitAtLine(masked.text) ?? splitAtQuestion(masked.text))
  if (!rest) return { request: masked.text, quotations: masked.quotations, material: undefined }
  const material = masked.unmask(rest.material)
  if (asksForMore(material)) return undefined
  const count = rest.request.match(mark)?.length ?? 0
  return { request: rest.request, quotations: masked.quotations.slice(0, count), material: withoutThanks(material) }
}

type Parts = { readonly request: string; readonly material: string }

/** The material below the first empty line after the request. */
function splitAtEmptyLine(text: string): Parts | undefined {
  const paragraphs = text.split(/\n[^\S\n]*\n/)
  const start = paragraphs.findIndex((one) => !helloReply.test(one.trim()))
  const request = paragraphs.slice(0, start + 1).join('\n')
  const rest = paragraphs.slice(start + 1)
  // Thanks, perhaps with a name, below a list.
  while (
    rest.length > 1 &&
    /^[^\n]{1,40}(?:\n[^\n]{1,30})?$/.test(rest.at(-1)?.trim() ?? '') &&
    thanks.test(rest.at(-1)?.trim().split('\n')[0] ?? '')
  )
    rest.pop()
  const material = rest
    .join('\n\n')
    .replace(/^\s*\n/, '')
    .trimEnd()
  // A quotation that continues over the empty line.
  const isInQuotation = (request.match(/["“”]/g)?.length ?? 0) % 2 === 1
  if (start < 0 || material.trim() === '' || isInQuotation || thanks.test(material.trim())) return undefined
  // Material that begins in the line of the request, after its colon. Wishes after a colon are a part of the request.
  const afterColon = /:\s+(\S[\s\S]*)/.exec(request.replace(quoted, ''))?.[1]
  if (afterColon !== undefined && !/:\s*$/.test(request.trim()) && !isWishList(afterColon)) return undefined
  return pointsBelow.test(request) || !asksStart.test(material.trim()) ? { request, material } : undefined
}

/** `only the addresses, one per line, lower case` in the line of the request, above the material. */
const isWishList = (text: string): boolean =>
  text.length < 300 &&
  !text.trim().includes('\n') &&
  /\b(?:only|just|per line|each line|lower ?case|upper ?case|sorted|alphabetical(?:ly)?|in order|duplicates|doubles|once|unique|without|please|sort|remove|no|what|which|how|can you|could you|would)\b/i.test(
    text,
  )

/** The material after the first colon that ends a request. */
function splitAtColon(text: string): Parts | undefined {
  const closeColon = /\b(?:list|text|lines|words|names|items|sentence|string|following|below|this|these|numbers|log):(?=[^\s/])/i
  for (const { index, 0: colon } of text.matchAll(/(?<!https?):(?=\s+\S)/g)) {
    const request = text.slice(0, index)
    if (helloReply.test(request.trim())) continue
    const material = text.slice(index + colon.length).trim()
    return material.startsWith('⟦') ? undefined : { request, material }
  }
  const close = closeColon.exec(text)
  if (!close) return undefined
  const end = close.index + close[0].length
  const material = text.slice(end).trim()
  return material.startsWith('⟦') ? undefined : { request: text.slice(0, end - 1), material }
}

/** The material in the lines after the first one, as when a question for the text was answered. */
function splitAtLine(text: string): Parts | undefined {
  const at = text.indexOf('\n')
  if (at < 0) return undefined
  const [request, material] = [text.slice(0, at), text.slice(at + 1).trim()]
  const isText = material.includes('\n') || /[,;]/.test(material) || material.split(/\s+/).length > 3
  const lines = material.split('\n')
  if (helloReply.test(request.trim()) || material.startsWith('⟦') || !isText || lines.some((line) => asksStart.test(line))) return undefined
  return { request, material }
}

/** A list after a question. */
function splitAtQuestion(text: string): Parts | undefined {
  const at = text.indexOf('? ')
  const material = text.slice(at + 2).trim()
  const isList = at > 0 && /^[^?:.;]*,[^?:.;]*[.]?$/.test(material) && !asksStart.test(material) && !thanks.test(material)
  return isList ? { request: text.slice(0, at + 1), material } : undefined
}

/** True if the last sentence after a colon asks for something again. */
function asksForMore(material: string): boolean {
  const sentences = material.split(/(?<=[.!?;])\s+|\n/)
  return sentences.length > 1 && sentences.slice(1).some((sentence) => asksAgain.test(trimPoliteness(sentence)))
}

/** A list without the thanks after it. In prose, thanks may be part of the text. */
function withoutThanks(material: string): string {
  const end = /(?<![\s,.!;-])[\s,.!;-]+(?:please|pls|thanks?(?: in advance| a lot| so much)?|thank you|thx)[\s!.]*$/i
  return /[.!?]\s+\S+\s+\S+/.test(material.replace(end, '')) ? material : material.replace(end, '')
}
