import type { Context } from '../../context.ts'
import { networkMismatch } from '../errors.ts'

/** How many blocks back indexing starts on a chain with earlier history. No plan is older than its hold's row. */
const initialLookbackBlocks = 5_000

/**
 * Verifies that the node serves the chain, and that the settings name the escrow, for which the rows were written. The first call
 * stores both.
 * @throws hold.chain_unavailable
 */
export async function verifyNetwork(ctx: Context): Promise<void> {
  const { chainId, escrow, isLocalChain } = ctx.market
  const genesis = await ctx.ports.rail.genesis()
  const known = await ctx.db.chainCursor.findUnique({ where: { chainId } })
  if (known) {
    if (known.genesis !== genesis) throw networkMismatch('genesis block', genesis, known.genesis)
    if (known.escrow !== escrow.toLowerCase()) throw networkMismatch('escrow contract', escrow.toLowerCase(), known.escrow)
    return
  }
  const head = await ctx.ports.rail.head()
  const block = isLocalChain ? 0 : Math.max(0, head.number - initialLookbackBlocks)
  const blockHash = (await ctx.ports.rail.blockHash(block)) ?? genesis
  await ctx.db.chainCursor.createMany({
    data: [{ chainId, genesis, escrow: escrow.toLowerCase(), block, blockHash }],
    skipDuplicates: true,
  })
}
