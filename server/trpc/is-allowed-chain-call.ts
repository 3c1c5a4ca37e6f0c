import { z } from 'zod'

const hex = (digits: string) => z.string().regex(new RegExp(`^0x[0-9a-f]${digits}$`, 'i'))
const Quantity = hex('{1,64}')
/** A number that a node may use as a count or as gas. */
const Count = hex('{1,16}')
const Address = hex('{40}')
const Hash = hex('{64}')
const Bytes = hex('*').max(131_074)
const Block = z.union([z.enum(['latest', 'earliest', 'pending', 'safe', 'finalized']), Count])
const Topic = z.union([Hash, z.null(), z.array(Hash).max(20)])
const AccessList = z.array(z.strictObject({ address: Address, storageKeys: z.array(Hash).max(64) })).max(64)

const Call = z.strictObject({
  from: Address.optional(),
  to: Address.nullable().optional(),
  gas: Count.optional(),
  gasPrice: Quantity.optional(),
  maxFeePerGas: Quantity.optional(),
  maxPriorityFeePerGas: Quantity.optional(),
  value: Quantity.optional(),
  data: Bytes.optional(),
  input: Bytes.optional(),
  nonce: Count.optional(),
  chainId: Count.optional(),
  type: hex('{1,2}').optional(),
  accessList: AccessList.optional(),
})
const Filter = z.strictObject({
  address: z.union([Address, z.array(Address).max(64)]).optional(),
  fromBlock: Block.optional(),
  toBlock: Block.optional(),
  blockHash: Hash.optional(),
  topics: z.array(Topic).max(4).optional(),
})
/** Blocks of a fee history, at most 1,024: a node computes a row for each. */
const FeeBlocks = z.string().regex(/^0x0{0,12}(400|[0-3]?[0-9a-f]{1,2})$/i)

const none = z.tuple([])
const ofBlock = (First: z.ZodType) => z.union([z.tuple([First]), z.tuple([First, Block])])

/** The parameters of each method that pages and wallets may send to the node of a local chain. */
const paramsOf: { readonly [method: string]: z.ZodType } = {
  eth_blockNumber: none,
  eth_call: z.tuple([Call, Block]),
  eth_chainId: none,
  eth_estimateGas: ofBlock(Call),
  eth_feeHistory: z.union([
    z.tuple([FeeBlocks, Block]),
    z.tuple([FeeBlocks, Block, z.array(z.number().min(0).max(100)).max(20).nullable()]),
  ]),
  eth_gasPrice: none,
  eth_getBalance: ofBlock(Address),
  eth_getBlockByHash: z.tuple([Hash, z.boolean()]),
  eth_getBlockByNumber: z.tuple([Block, z.boolean()]),
  eth_getCode: ofBlock(Address),
  eth_getLogs: z.tuple([Filter]),
  eth_getTransactionByHash: z.tuple([Hash]),
  eth_getTransactionCount: ofBlock(Address),
  eth_getTransactionReceipt: z.tuple([Hash]),
  eth_maxPriorityFeePerGas: none,
  eth_sendRawTransaction: z.tuple([Bytes]),
  net_version: none,
}

/** What pages and wallets need: reads, estimates, and sending signed transactions. */
export const isAllowedChainCall = (method: string): boolean => Object.hasOwn(paramsOf, method)

/**
 * Whether a node can read the parameters. A node for development may end at values that it does not expect. A call overrides no state,
 * which would be a third parameter.
 */
export const hasValidChainParams = (method: string, params: unknown): boolean => paramsOf[method]?.safeParse(params).success ?? false
