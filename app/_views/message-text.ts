import { scalarText } from '@parley/protocol'
import type { Translate } from '../_messages/translate-types.ts'

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
