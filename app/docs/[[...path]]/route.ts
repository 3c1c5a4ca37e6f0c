import { answerDocsFile } from '@/server/trpc/answer-docs-file.ts'

export async function GET(request: Request, { params }: { params: Promise<{ path?: string[] }> }): Promise<Response> {
  const { path = [] } = await params
  return answerDocsFile(request, path)
}
