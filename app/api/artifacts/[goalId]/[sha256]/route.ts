import { GoalId, Sha256 } from '@parley/protocol'
import { getRequestContext } from '@/app/_trpc/server.tsx'
import { isDomainError } from '@/app/api/is-domain-error.ts'
import { erasedFile, missingFile, refusedFile, serveFile } from '@/app/api/serve-file.ts'
import { getGoal } from '@/server/goals/index.ts'
import { admitRate } from '@/server/policy/index.ts'
import { readArtifact } from '@/server/tasks/index.ts'

export const dynamic = 'force-dynamic'

type Props = { params: Promise<{ goalId: string; sha256: string }> }

export async function GET(request: Request, { params }: Props): Promise<Response> {
  const asked = await params
  const goalId = GoalId.safeParse(asked.goalId)
  const sha256 = Sha256.safeParse(asked.sha256)
  if (!goalId.success || !sha256.success) return missingFile()
  try {
    const { ctx, source } = await getRequestContext()
    await admitRate(ctx, 'read', source)
    const { roomId } = await getGoal(ctx, goalId.data)
    const { artifact, bytes, erasedAt } = await readArtifact(ctx, { roomId, sha256: sha256.data })
    if (erasedAt) return erasedFile()
    return serveFile(request, artifact, bytes)
  } catch (error) {
    if (isDomainError(error)) return refusedFile(error)
    throw error
  }
}
