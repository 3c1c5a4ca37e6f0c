import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { chainHash, type DeliveredEnvelope, type Envelope, signEnvelope, transcriptStart, uuidv7 } from '@parley/protocol'
import type { Context } from '../../server/context.ts'
import { appendMessage, createPartitions, openLog, readStoredMessages } from '../../server/delivery/index.ts'

/** A confirmed message: its id and its sequence number in its room. */
export type Place = { readonly id: string; readonly seq: number }
type Signed = Envelope & { sig: NonNullable<Envelope['sig']> }

/** Posts one message in one of the rooms, which are opened at the first post, and records the confirmed ones. */
export async function postInAnyRoom(
  ctx: Context,
  posted: Map<string, Place[]>,
  { rooms, random, lateMs }: { rooms: number; random: () => number; lateMs: number },
): Promise<void> {
  const roomId = `rom_${String(Math.floor(random() * rooms) + 1).padStart(32, '0')}`
  const places = posted.get(roomId) ?? []
  if (places.length === 0) {
    await createPartitions(ctx)
    await openLog(ctx, { id: roomId, kind: 'room' })
    posted.set(roomId, places)
  }
  if (places.length % 16 === 0) await createPartitions(ctx)
  const { signer } = ctx.ports
  const id = uuidv7(ctx.clock.now().getTime() - lateMs, crypto.getRandomValues(new Uint8Array(10)))
  const text = `word ${places.length}`
  const draft = { id, room_id: roomId, sender_id: signer.did, state: 'discussion', type: 'discussion', parts: [{ text }] }
  const envelope = (await signEnvelope(signer, draft as never)) as Signed
  const { seq } = await ctx.db.$transaction((db) => appendMessage({ ...ctx, db }, envelope, { isOurs: false, from: 'chaos' }))
  places.push({ id, seq })
}

/**
 * Reads a room in pages of the given size. Returns the ids in order, or the fault: a gap, a duplicate, a broken hash chain, or a temporary
 * refusal.
 */
export async function checkArchivedRoom(ctx: Context, roomId: string, page: number): Promise<string[] | 'broken' | 'put off'> {
  const ids: string[] = []
  let hash = transcriptStart as string
  try {
    for (let after = 0; ; ) {
      const { head } = await ctx.db.room.findUniqueOrThrow({ where: { id: roomId }, select: { head: true } })
      const rows = await readStoredMessages(ctx, { roomId, after, limit: page })
      for (const row of rows) {
        const envelope = JSON.parse(row.body) as DeliveredEnvelope
        hash = await chainHash(hash, envelope)
        if (envelope.seq !== ++after || row.seq !== after || row.hash !== hash) return 'broken'
        ids.push(envelope.id)
      }
      if (rows.length < page) return after >= head ? ids : 'broken'
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'server.unavailable') return 'put off'
    throw error
  }
}

export type FoundFiles = {
  readonly files: number
  /** Incomplete files. */
  readonly halves: number
  /** Recorded files that are missing or have other bytes; and files without a record. */
  readonly damaged: number
  readonly not_noted: number
}

export async function checkArchiveFiles(ctx: Context, folder: string): Promise<FoundFiles> {
  const filed = await ctx.db.messagePartition.findMany({ where: { state: 'archived' } })
  const names = readdirSync(folder)
  const nameOf = (one: (typeof filed)[number]) => `${one.name}-${one.sha256?.slice(0, 16)}.jsonl.zst`
  const isSound = (one: (typeof filed)[number]) =>
    names.includes(nameOf(one)) &&
    createHash('sha256')
      .update(readFileSync(path.join(folder, nameOf(one))))
      .digest('hex') === one.sha256
  const known = new Set(filed.map(nameOf))
  return {
    files: filed.length,
    halves: names.filter((name) => name.endsWith('.part')).length,
    damaged: filed.filter((one) => !isSound(one)).length,
    not_noted: names.filter((name) => !name.endsWith('.part') && !known.has(name)).length,
  }
}
