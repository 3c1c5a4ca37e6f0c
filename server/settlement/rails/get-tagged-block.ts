import { BaseError, BlockNotFoundError, InvalidInputRpcError, InvalidParamsRpcError, type PublicClient } from 'viem'

/**
 * The newest block with this tag. If the node does not support the tag, the head minus `fallback` confirmations; null: throws
 * instead.
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

/** Whether the node supports this block tag. */
export async function supportsTag(client: PublicClient, tag: 'safe' | 'finalized'): Promise<boolean> {
  try {
    await client.getBlock({ blockTag: tag })
    return true
  } catch (error) {
    if (!isUnknownTag(error)) throw error
    return false
  }
}

/** The node is up but does not support the tag: it reports an invalid request or returns no block. */
function isUnknownTag(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const kinds = [BlockNotFoundError, InvalidParamsRpcError, InvalidInputRpcError]
  return error.walk((one) => kinds.some((kind) => one instanceof kind)) !== null
}
