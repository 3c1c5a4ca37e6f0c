import { getRequestContext } from '@/app/_trpc/server.tsx'
import { answerPackageIndex } from '@/server/trpc/answer-package.ts'

export async function GET(): Promise<Response> {
  return answerPackageIndex(await getRequestContext())
}
