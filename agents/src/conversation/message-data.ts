import type { Envelope } from '@parley/protocol'

/** A data part of a message. `kind` states what it holds, for example `charter.accept`. */
export type MessageData = { readonly kind?: unknown; readonly [key: string]: unknown }

/** The first data part of this kind. */
export function findMessageData(envelope: Pick<Envelope, 'parts'>, kind: string): MessageData | undefined {
  return envelope.parts.find((part) => part.data?.kind === kind)?.data
}
