import { createHash } from 'node:crypto'
import { type ArtifactRef, type ArtifactUpload, limits, shownName } from '@parley/protocol'
import type { Artifact as Row } from '../../prisma/client/client.ts'
import type { Context } from '../context.ts'
import { getConversation, requireInsider, requireReader } from '../conversations/index.ts'
import { jsonBytes, limitPageBytes } from '../db/limit-page-bytes.ts'
import { artifactNotFound, fileDamaged, fileRefused } from './errors.ts'

/** `erased_at`: when its bytes were erased. */
export type ArtifactView = ArtifactRef & {
  readonly task_id: string | null
  readonly by: string
  readonly at: string
  readonly erased_at?: string
}

/**
 * Stores a file's bytes once per hash, if the content screen accepts them.
 * @throws task.artifact_invalid
 */
export async function storeFile(tx: Context, upload: ArtifactUpload): Promise<ArtifactRef> {
  const bytes = Buffer.from(upload.content, 'base64')
  const verdict = tx.ports.screen.file({ name: upload.name, mediaType: upload.media_type, bytes })
  if (verdict.answer === 'refuse') throw fileRefused(shownName(upload.name), verdict.reason)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const createdAt = tx.clock.now()
  await lockFile(tx, sha256)
  await tx.db.artifactBlob.createMany({ data: [{ sha256, size: bytes.length, bytes, createdAt }], skipDuplicates: true })
  return { sha256, name: upload.name, media_type: upload.media_type, size: bytes.length, artifact_type: upload.artifact_type }
}

/**
 * The bytes of a file. The caller checks access.
 * @throws artifact.not_found, server.unavailable
 */
export async function readFileUnchecked(ctx: Context, sha256: string): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await ctx.db.artifactBlob.findUnique({ where: { sha256 } })
  if (!blob) throw artifactNotFound(sha256)
  return verifiedBytes(ctx, sha256, blob.bytes)
}

/**
 * Never returns bytes that do not match their hash.
 * @throws server.unavailable
 */
function verifiedBytes(ctx: Context, sha256: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
  ctx.log.error({ event: 'artifact.hash_mismatched', sha256, size: bytes.length }, 'The stored bytes of a file do not match its hash.')
  throw fileDamaged(sha256)
}

/**
 * Attaches a file to a goal. `taskId`: null for the client's attachments, which only room members may read unless `isTeamOnly` is false.
 */
export async function attachArtifact(
  tx: Context,
  input: { goalId: string; upload: ArtifactUpload; taskId: string | null; by: string; isTeamOnly?: boolean },
): Promise<ArtifactRef> {
  const ref = await storeFile(tx, input.upload)
  const row = {
    goalId: input.goalId,
    sha256: ref.sha256,
    name: ref.name,
    mediaType: ref.media_type,
    artifactType: ref.artifact_type,
    size: ref.size,
    taskId: input.taskId,
    by: input.by,
    at: tx.clock.now(),
    isTeamOnly: input.isTeamOnly ?? true,
  }
  await tx.db.artifact.createMany({ data: [row], skipDuplicates: true })
  return ref
}

/** How many files a follow-up inherits: the newest of each type. */
const maxCarried = 16

/** Attaches the newest file of each type from one goal to another. The bytes are shared. */
export async function copyArtifacts(tx: Context, input: { from: string; to: string; by: string }): Promise<ArtifactRef[]> {
  const newest = new Map(
    (await listArtifactsUnchecked(tx, input.from)).filter((file) => file.erased_at === undefined).map((file) => [file.artifact_type, file]),
  )
  const carried = [...newest.values()].slice(-maxCarried)
  await tx.db.artifact.createMany({
    data: carried.map(({ sha256, name, media_type: mediaType, size, artifact_type: artifactType }) => ({
      goalId: input.to,
      sha256,
      name,
      mediaType,
      artifactType,
      size,
      taskId: null,
      by: input.by,
      at: tx.clock.now(),
    })),
    skipDuplicates: true,
  })
  return carried.map(({ sha256, name, media_type, size, artifact_type }) => ({ sha256, name, media_type, size, artifact_type }))
}

/** The files of a goal, oldest first. The caller checks access. */
export async function listArtifactsUnchecked(ctx: Context, goalId: string): Promise<ArtifactView[]> {
  return (await ctx.db.artifact.findMany({ where: { goalId }, orderBy: { at: 'asc' } })).map(viewOf)
}

/** The maximum number of files per answer. */
const maxShown = 500

/** The newest files of a goal, oldest first. `isWhole`: the list is complete. The caller checks access. */
export async function listNewestArtifactsUnchecked(ctx: Context, goalId: string): Promise<{ artifacts: ArtifactView[]; isWhole: boolean }> {
  const rows = await ctx.db.artifact.findMany({ where: { goalId }, orderBy: { at: 'desc' }, take: maxShown + 1 })
  const artifacts = limitPageBytes(rows.slice(0, maxShown).map(viewOf), jsonBytes, limits.pageBytes / 2)
  return { artifacts: artifacts.toReversed(), isWhole: artifacts.length === rows.length }
}

function viewOf(row: Row): ArtifactView {
  return {
    sha256: row.sha256,
    name: row.name,
    media_type: row.mediaType,
    size: row.size,
    artifact_type: row.artifactType,
    task_id: row.taskId,
    by: row.by,
    at: row.at.toISOString(),
    ...(row.erasedAt && { erased_at: row.erasedAt.toISOString() }),
  }
}

/** Serializes storing and erasing of the same bytes. */
async function lockFile(tx: Context, sha256: string): Promise<void> {
  await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`file:${sha256}`}, 0))`
}

/** `by`: erases only this author's copies. `isNeeded`: whether anything outside of goals has the file. */
export type FileErasure = {
  readonly goalId: string
  readonly sha256: string
  readonly by?: string
  readonly isNeeded: () => Promise<boolean>
}

/** Erases a file from a goal, and its bytes unless a goal still has them or `isNeeded` returns true. */
export async function eraseFile(tx: Context, input: FileErasure): Promise<void> {
  const { goalId, sha256, by } = input
  await lockFile(tx, sha256)
  const where = { goalId, sha256, erasedAt: null, ...(by !== undefined && { by }) }
  await tx.db.artifact.updateMany({ where, data: { erasedAt: tx.clock.now() } })
  await eraseUnusedFile(tx, sha256, input.isNeeded)
}

/** Deletes the bytes of a file that no goal has. `isNeeded`: whether anything else has the file. */
export async function eraseUnusedFile(tx: Context, sha256: string, isNeeded: () => Promise<boolean>): Promise<void> {
  await lockFile(tx, sha256)
  const others = await tx.db.artifact.count({ where: { sha256, erasedAt: null } })
  if (others === 0 && !(await isNeeded())) await tx.db.artifactBlob.deleteMany({ where: { sha256 } })
}

/**
 * The bytes of a file, for readers of the room; the client's attachments only for the team, unless they are public. Empty after erasure.
 * @throws artifact.not_found, room.not_member, server.unavailable
 */
export async function readArtifact(
  ctx: Context,
  input: { roomId: string; sha256: string },
): Promise<{ artifact: ArtifactRef; bytes: Uint8Array<ArrayBuffer>; erasedAt: Date | null }> {
  await requireReader(ctx, input.roomId)
  const { goalId } = await getConversation(ctx, input.roomId)
  const rows = await ctx.db.artifact.findMany({ where: { goalId, sha256: input.sha256 } })
  const left = rows.filter((one) => one.erasedAt === null)
  const copies = left.length > 0 ? left : rows
  const row = copies.find((one) => one.taskId !== null || !one.isTeamOnly) ?? copies[0] ?? null
  if (row?.taskId === null && row.isTeamOnly) await requireInsider(ctx, input.roomId)
  if (!row) throw artifactNotFound(input.sha256)
  const bytes = row.erasedAt ? new Uint8Array() : await readFileUnchecked(ctx, input.sha256)
  return {
    artifact: { sha256: row.sha256, name: row.name, media_type: row.mediaType, size: row.size, artifact_type: row.artifactType },
    bytes,
    erasedAt: row.erasedAt,
  }
}
