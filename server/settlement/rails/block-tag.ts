import { BaseError, BlockNotFoundError, InvalidInputRpcError, InvalidParamsRpcError, type PublicClient } from 'viem'

/**
 * The newest block that carries a mark of the chain. Where the node knows no such mark, so many blocks on top count instead;
 * null: then it is an error.
 */
export async function getTaggedBlock(client: PublicClient, tag: 'safe' | 'finalized', fallback: number | null): Promise<number> {
  try {
    return Number((await client.getBlock({ blockTag: tag })).number)
  } catch (error) {
    if (!isUnknownTag(error)) throw error
    if (fallback === null)
      throw new Error(`the node knows no block called ${tag}: set CHAIN_FINALITY=confirmations and CHAIN_CONFIRMATIONS`)
    return Number(await client.getBlockNumber()) - fallback
  }
}

/** Whether the node has blocks with this mark. */
export async function supportsTag(client: PublicClient, tag: 'safe' | 'finalized'): Promise<boolean> {
  try {
    await client.getBlock({ blockTag: tag })
    return true
  } catch (error) {
    if (!isUnknownTag(error)) throw error
    return false
  }
}

/** The node is there and has no block of that name: it says that the request is wrong, or answers with none. */
function isUnknownTag(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const kinds = [BlockNotFoundError, InvalidParamsRpcError, InvalidInputRpcError]
  return error.walk((one) => kinds.some((kind) => one instanceof kind)) !== null
}
