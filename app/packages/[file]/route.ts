import { getRequestContext } from '@/app/_trpc/server.tsx'
import { answerPackage } from '@/server/trpc/answer-package.ts'

export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file } = await params
  return answerPackage(await getRequestContext(), file)
}
