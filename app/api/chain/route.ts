import { getRequestContext } from '@/app/_trpc/server.tsx'
import { forwardToChain } from '@/server/trpc/forward-to-chain.ts'

export const dynamic = 'force-dynamic'

/** The local chain's JSON-RPC for the page: reads, and signed transactions of a wallet. */
export async function POST(request: Request): Promise<Response> {
  const { ctx, source, services } = await getRequestContext()
  return forwardToChain(ctx, { body: request.body, source, rpcUrl: services.env.CHAIN_RPC_URL })
}
