import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { eraseFile, type FileErasure, listArtifactsUnchecked } from '../../tasks/index.ts'
import type { Goal } from '../goal.ts'

/** Erases a file of a goal, and notifies its room unless another party's copy of the same bytes remains. */
export async function eraseGoalFile(tx: Context, { id: goalId, roomId }: Goal, file: Omit<FileErasure, 'goalId'>): Promise<void> {
  await eraseFile(tx, { goalId, ...file })
  const { sha256 } = file
  const files = await listArtifactsUnchecked(tx, goalId)
  if (files.some((one) => one.sha256 === sha256 && one.erased_at === undefined)) return
  const text = `The file ${sha256.slice(0, 12)}… was erased.`
  await postSystemMessage(tx, { roomId, kind: 'artifact.erased', data: { sha256 }, text })
}
