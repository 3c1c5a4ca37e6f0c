/** CSV that is safe against formula injection. RFC 4180 quoting, CRLF. */

import { scalarText } from '@parley/protocol'
import type { Translate } from '../_messages/translate.ts'

const plainNumber = /^-?\d+(\.\d+)?$/

/** A cell that a spreadsheet would read as a formula gets a leading apostrophe. Numbers are unchanged. */
export function csvCell(value: string | number | bigint | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value)
  const guarded = /^[\s]*[=+\-@\t\r]/.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

type Part = { readonly text?: string | undefined; readonly data?: { readonly [field: string]: unknown } | undefined }

/** The text of a message, including the criteria of a goal. */
export function messageText(parts: readonly Part[], t: Translate<'views.message'>): string {
  return parts
    .flatMap(({ text, data }) => {
      const criteria = data?.kind === 'goal' && Array.isArray(data.criteria) ? data.criteria : []
      return [
        ...(text ? [text] : []),
        ...criteria.map((one: { text?: unknown } | null) => t('acceptedWhen', { criteria: scalarText(one?.text) })),
      ]
    })
    .join('\n')
}

export function csvRow(cells: readonly (string | number | bigint | null | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
