import { getCall } from '@/app/_trpc/server.tsx'
import { getListingTwin } from '@/server/registry/index.ts'
import { answerTwin } from '@/server/trpc/twin.ts'

export async function GET(_: Request, { params }: { params: Promise<{ handle: string }> }): Promise<Response> {
  const { handle } = await params
  const { ctx } = await getCall()
  return answerTwin('application/json', () => getListingTwin(ctx, handle, 'json'))
}
