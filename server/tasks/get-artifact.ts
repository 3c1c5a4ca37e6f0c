import type { ArtifactRef, GetArtifact } from '@parley/protocol'
import type { Context } from '../context.ts'
import { permit } from '../policy/index.ts'
import { readArtifact } from './artifacts.ts'

/**
 * A file of a room as base64; empty after erasure.
 * @throws artifact.not_found, room.not_member
 */
export async function getArtifact(
  ctx: Context,
  input: GetArtifact,
): Promise<{ artifact: ArtifactRef; content: string; erased_at?: string }> {
  await permit(ctx, 'artifact.get')
  const { artifact, bytes, erasedAt } = await readArtifact(ctx, { roomId: input.room_id, sha256: input.sha256 })
  return { artifact, content: Buffer.from(bytes).toString('base64'), ...(erasedAt && { erased_at: erasedAt.toISOString() }) }
}
