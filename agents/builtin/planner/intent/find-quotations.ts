/** Separates a goal's request from the material that it quotes. */

/** Text in quotation marks of any style, or in backticks. A single mark counts only around words, so that an apostrophe does not. */
const quoted = /["“”„«»]([^"“”„«»]{1,8000})["“”»«]|`([^`]{1,8000})`|(?<=^|[\s(])['‘]([^'‘’\n]{1,4000})['’](?=$|[\s).,;:!?])/g

/** The text without quotations. A quotation is material, not part of the request. */
export const withoutQuotations = (text: string): string => text.replace(quoted, ' ')

/** Quoted material in order; without any, the text after a colon at the end. */
export function findQuotations(text: string): string[] {
  const found = [...text.matchAll(quoted)].map(([, marks, ticks, single]) => (marks ?? ticks ?? single ?? '').trim()).filter(Boolean)
  if (found.length > 0) return found
  const afterColon = /(?<!https?):\s+(\S[\s\S]{1,8000})$/.exec(text.trim())
  return afterColon?.[1] ? [afterColon[1].trim()] : []
}
