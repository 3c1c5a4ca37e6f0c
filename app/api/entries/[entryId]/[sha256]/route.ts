import { EntryId, Sha256 } from '@parley/protocol'
import { getApi } from '@/app/_trpc/server.tsx'
import { isDomainError } from '@/app/api/is-domain-error.ts'
import { missingFile, refusedFile, serveFile } from '@/app/api/serve-file.ts'

export const dynamic = 'force-dynamic'

type Props = { params: Promise<{ entryId: string; sha256: string }> }

export async function GET(request: Request, { params }: Props): Promise<Response> {
  const asked = await params
  const entry_id = EntryId.safeParse(asked.entryId)
  const sha256 = Sha256.safeParse(asked.sha256)
  if (!entry_id.success || !sha256.success) return missingFile()
  try {
    const api = await getApi()
    const file = await api.contests.getFile({ entry_id: entry_id.data, sha256: sha256.data })
    return serveFile(request, file.artifact, Buffer.from(file.content, 'base64'))
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    if (isDomainError(cause)) return refusedFile(cause)
    throw error
  }
}
