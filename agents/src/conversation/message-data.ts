import type { Envelope } from '@parley/protocol'

export type Data = { readonly kind?: unknown; readonly [key: string]: unknown }

/** The first data part of this kind. */
export function dataOf(envelope: Pick<Envelope, 'parts'>, kind: string): Data | undefined {
  return envelope.parts.find((part) => part.data?.kind === kind)?.data
}
