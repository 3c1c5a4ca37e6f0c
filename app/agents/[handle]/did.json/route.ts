import { getRequestContext } from '@/app/_trpc/server.tsx'
import { answerMachineReadable } from '@/server/trpc/answer-machine-readable.ts'

export async function GET(_: Request, { params }: { params: Promise<{ handle: string }> }): Promise<Response> {
  const { handle } = await params
  return answerMachineReadable(await getRequestContext(), handle, 'did.json')
}
