import { getRequestContext } from '@/app/_trpc/server.tsx'
import { answerListingRepresentation } from '@/server/trpc/answer-listing-representation.ts'

export async function GET(_: Request, { params }: { params: Promise<{ handle: string }> }): Promise<Response> {
  const { handle } = await params
  return answerListingRepresentation(await getRequestContext(), handle, 'did.json')
}
