import { getCall } from '@/app/_trpc/server.tsx'
import { answerTwin } from '@/server/trpc/machine-readable.ts'

export async function GET(_: Request, { params }: { params: Promise<{ handle: string }> }): Promise<Response> {
  const { handle } = await params
  return answerTwin(await getCall(), handle, 'did.json')
}
