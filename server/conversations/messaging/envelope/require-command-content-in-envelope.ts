import { canonicalize, type Envelope, type Json, scalarText } from '@parley/protocol'
import { senderMismatch } from '../../errors.ts'

/** `data`: fields of the data part with this `kind`. `text`: all text parts, joined by line breaks. */
export type RecordedContent = { readonly data: { readonly kind: string; readonly [field: string]: unknown } } | { readonly text: string }

/**
 * The sender signs the envelope and not the command. Without this check, the log could show another content than the one that took effect.
 * @throws envelope.sender_mismatch
 */
export function requireCommandContentInEnvelope({ parts }: Pick<Envelope, 'parts'>, content: RecordedContent): void {
  if ('text' in content) {
    const text = parts.flatMap((part) => part.text ?? []).join('\n')
    if (text !== content.text) throw senderMismatch('text', 'that of the command', 'another')
    return
  }
  const { kind, ...fields } = content.data
  const signed = parts.find((part) => part.data?.kind === kind)?.data
  if (!signed) throw senderMismatch('parts', `a data part of the kind ${kind}`, 'without it')
  for (const [field, value] of Object.entries(fields)) {
    const given = signed[field]
    if (given !== undefined && canonicalize(given as Json) === canonicalize(value as Json)) continue
    const isScalar = typeof value === 'string' || typeof value === 'number'
    throw senderMismatch(`${kind} ${field}`, isScalar ? String(value) : 'that of the command', scalarText(given) || 'another')
  }
}
