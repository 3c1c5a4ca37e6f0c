import { GoalId, Sha256 } from '@parley/protocol'
import { getCall } from '@/app/_trpc/server.tsx'
import { isFailure } from '@/app/_views/failure.ts'
import { getGoal } from '@/server/goals/index.ts'
import { readArtifact } from '@/server/tasks/index.ts'

export const dynamic = 'force-dynamic'

type Props = { params: Promise<{ goalId: string; sha256: string }> }

/** Strangers' files: they may be looked at, and do nothing. */
const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
/** What a browser may show in place; everything else is handed over as a file. */
const shown = /^(text\/(plain|csv|markdown)|application\/json|image\/(svg\+xml|png|jpeg|webp))(;|$)/

export async function GET(request: Request, { params }: Props): Promise<Response> {
  const asked = await params
  const goalId = GoalId.safeParse(asked.goalId)
  const sha256 = Sha256.safeParse(asked.sha256)
  if (!goalId.success || !sha256.success) return missing()
  try {
    const { ctx } = await getCall()
    const { groupId } = await getGoal(ctx, goalId.data)
    const { artifact, bytes } = await readArtifact(ctx, { groupId, sha256: sha256.data })
    const isShown = shown.test(artifact.media_type) && !new URL(request.url).searchParams.has('download')
    const type = artifact.media_type.startsWith('text/markdown') ? 'text/plain' : artifact.media_type
    const isText = /^text\/|json/.test(type)
    return new Response(bytes, {
      headers: {
        'content-type': isText && !type.includes('charset') ? `${type}; charset=utf-8` : type,
        'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(artifact.name)}`,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        // The address names the bytes, so they never change; whether one may read them can.
        'cache-control': 'private, max-age=0, must-revalidate',
        etag: `"${sha256.data}"`,
      },
    })
  } catch (error) {
    if (isFailure(error)) return missing()
    throw error
  }
}

function missing(): Response {
  return new Response('There is no such file, or it is not yours to read.\n', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}
