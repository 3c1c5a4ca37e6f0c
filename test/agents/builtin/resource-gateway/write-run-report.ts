import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { canonicalBytes, type DeliveredEnvelope, type Json, type Listing, sha256 } from '@parley/protocol'
import type { PayoutView } from '../../../../server/settlement/index.ts'

export type Run = {
  readonly text: string
  readonly proxy: Listing
  readonly asked: readonly string[]
  readonly messages: readonly DeliveredEnvelope[]
  readonly payouts: readonly PayoutView[]
  readonly nameOf: (did: string) => string
  /** Of its file in docs/dawn. */
  readonly name: string
}

const longest = 400
const folder = path.join(import.meta.dirname, '../../../../docs/dawn')

/** A run as a small document for docs/dawn: the messages, what was hired through whom, who was paid; no keys, addresses or clocks. */
export async function writeRun({ text, proxy, asked, messages, payouts, nameOf, name }: Run): Promise<void> {
  const record = {
    goal: { text },
    gateways_asked: asked,
    proxy: {
      handle: proxy.handle,
      name: proxy.name,
      kind: proxy.proxy?.kind,
      state: proxy.proxy?.state,
      tested_by: proxy.proxy?.gateway.handle,
      skills: proxy.skills.map(({ id, price }) => ({ id, price })),
      paid_to: 'the operator that the admission names',
    },
    payouts: payouts.map(({ step, amount, state }) => ({ step, amount: amount.toString(), state })),
    messages: messages.map(({ seq, sender_id, type, parts }) => {
      const words = parts
        .map((part) => part.text ?? '')
        .join(' ')
        .trim()
      const kind = parts.find((part) => part.data)?.data?.kind
      return { seq, from: nameOf(sender_id), type, ...(kind !== undefined && { kind }), ...(words && { text: words.slice(0, longest) }) }
    }),
    transcript_sha256: await sha256(canonicalBytes(messages as unknown as Json)),
  }
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(record, null, 1)}\n`)
}
