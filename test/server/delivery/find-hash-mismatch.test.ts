import {
  canonicalize,
  type Did,
  type Envelope,
  type Json,
  type RoomId,
  randomSeed,
  signEnvelope,
  signerFromSeed,
  tombstoneKind,
  transcriptStart,
  uuidv7,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { corruptionOf, findCorruptMessages } from '../../../server/delivery/find-corrupt-messages.ts'
import { attachSignature, canonicalizeEnvelope, sequenceMessage } from '../../../server/delivery/index.ts'
import type { StoredMessage } from '../../../server/delivery/read-stored-messages.ts'

const roomId = `rom_${'0'.repeat(32)}` as RoomId

/** Messages as they are stored, each after the one before it. */
async function storedOf(drafts: readonly object[]): Promise<StoredMessage[]> {
  const signer = await signerFromSeed(randomSeed())
  let tail = { head: 0, hash: transcriptStart as string }
  const rows: StoredMessage[] = []
  for (const draft of drafts) {
    const id = uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
    const envelope = await signEnvelope(signer, {
      ...{ id, room_id: roomId, sender_id: signer.did as Did, state: 'discussion', type: 'discussion', parts: [{ text: 'Hello.' }] },
      ...draft,
    } as never)
    const numbered = sequenceMessage(tail, attachSignature(canonicalizeEnvelope(envelope), envelope.sig as never), new Date())
    tail = numbered
    rows.push({ seq: numbered.head, body: numbered.body.toString(), hash: numbered.hash, bodyHash: numbered.canonical.bodyHash })
  }
  return rows
}

const changed = (row: StoredMessage, change: (body: string) => string): StoredMessage => ({ ...row, body: change(row.body) })
const envelopeOf = ({ body }: StoredMessage) => JSON.parse(body) as Envelope

describe('a stored message', () => {
  it('is sound as it was written, for all fields and texts', async () => {
    const rows = await storedOf([
      {},
      { parts: [{ text: '"seq":1,"sig":{},"received_at":"x"' }, { data: { kind: 'x', seq: 2, sig: { a: 1 } } }] },
      { to: ['did:web:a.example'], task_desc: 'Ü "quoted"', 'z-later': { seq: 3, sig: 'none', received_at: 'x' } },
      { parts: [{ data: { received_at: '2020-01-01T00:00:00.000Z', seq: 4 } }], 'x-early': '€' },
    ])
    // A text behind the server's fields that looks like one of them forces a rewrite.
    const own = envelopeOf(rows[2] as StoredMessage)
    const [tricky = null] = await storedOf([{ 'z-copy': { received_at: own.received_at, seq: 1, sig: own.sig } }])
    expect(findCorruptMessages(rows, roomId)).toEqual([null, null, null, null])
    expect(corruptionOf(tricky as StoredMessage, roomId)).toBeNull()
  })

  it('is not, where its text was changed, and where its hash was changed with it', async () => {
    const rows = await storedOf([{}, {}, {}])
    const [first, second, third] = rows as [StoredMessage, StoredMessage, StoredMessage]
    const forged = changed(second, (body) => body.replace('Hello.', 'Help!!'))
    expect(findCorruptMessages([first, forged, third], roomId)).toEqual([
      null,
      expect.stringContaining('does not match the stored hash'),
      null,
    ])
    const rehashed = { ...forged, bodyHash: canonicalizeEnvelope(envelopeOf(forged)).bodyHash }
    expect(findCorruptMessages([first, rehashed, third], roomId)).toEqual([null, expect.stringContaining('chain'), null])
    const rechained = changed(second, (body) =>
      canonicalize({ ...(JSON.parse(body) as object), sig: { alg: 'EdDSA', kid: 'x', value: 'y' } } as Json),
    )
    expect(findCorruptMessages([first, rechained], roomId)).toEqual([null, expect.stringContaining('chain')])
    expect(
      corruptionOf(
        changed(first, (body) => body.replace('"v":"1"', '"v": "1"')),
        roomId,
      ),
    ).not.toBeNull()
  })

  it('stands in the chain by the hash of what it was, where it was erased', async () => {
    const [first, second, third] = (await storedOf([{}, {}, {}])) as [StoredMessage, StoredMessage, StoredMessage]
    const [placeholder] = (await storedOf([{ parts: [{ data: { kind: tombstoneKind } }] }])) as [StoredMessage]
    const erased = { ...placeholder, seq: 2, hash: second.hash, body: canonicalize({ ...envelopeOf(placeholder), seq: 2 } as Json) }
    expect(findCorruptMessages([first, erased, third], roomId)).toEqual([null, null, null])
  })
})
