import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { admitToRoom } from '../../policy/index.ts'

/** Why a room takes no more talk just now; null where it does. */
export function tooLoud(ctx: Context, groupId: string): DomainError | null {
  try {
    admitToRoom(ctx, groupId)
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
