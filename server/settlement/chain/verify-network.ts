import type { Context } from '../../context.ts'
import { networkMismatch } from '../errors.ts'

/** How far back the first reading begins on a chain with a past that isn't ours. No plan is older than its hold's row. */
const initialLookbackBlocks = 5_000

/**
 * Makes sure that the node speaks of the chain, and we of the escrow, that the rows were written for; the first time it
 * writes down which those are. Nothing is sent and nothing is read otherwise.
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
