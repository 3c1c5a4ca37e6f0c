import { getRequestContext } from '@/app/_trpc/server.tsx'
import { forwardToLocalNode } from '@/server/trpc/forward-to-local-node.ts'

export const dynamic = 'force-dynamic'

/** The local chain's JSON-RPC for the page: reads, and signed transactions of a wallet. */
export async function POST(request: Request): Promise<Response> {
  const { ctx, source, services } = await getRequestContext()
  return forwardToLocalNode(ctx, { body: request.body, source, rpcUrl: services.env.CHAIN_RPC_URL })
}
