import { getRequestContext } from '@/app/_trpc/server.tsx'
import { answerProtocolFile } from '@/server/trpc/answer-protocol-file.ts'

export async function GET(_: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const { path } = await params
  return answerProtocolFile(await getRequestContext(), path)
}
