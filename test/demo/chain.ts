/** What the chain itself says, asked over JSON-RPC. Nothing here comes from the server's own books. */
import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem'
import { planEscrowAbi } from '../../contracts/abi/index.ts'

type Hex = `0x${string}`
export type Moved = { readonly tx: Hex; readonly from: string; readonly to: string; readonly amount: bigint }
export type Chain = Awaited<ReturnType<typeof openChain>>
export type EscrowLog = ReturnType<typeof readEscrowLogs>[number]

function readEscrowLogs(logs: Parameters<typeof parseEventLogs>[0]['logs']) {
  return parseEventLogs({ abi: planEscrowAbi, logs })
}

function readTransfers(logs: Parameters<typeof parseEventLogs>[0]['logs']): Moved[] {
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ args, transactionHash }) => ({
    tx: transactionHash ?? '0x',
    from: args.from.toLowerCase(),
    to: args.to.toLowerCase(),
    amount: args.value,
  }))
}

export function openChain(rpcUrl: string) {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 2 }) })
  return {
    id: () => client.getChainId(),
    /** The escrow's own events in one transaction, which must have succeeded. */
    async readChainTransaction(hash: Hex, escrow: Hex) {
      const receipt = await client.getTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`The transaction ${hash} was reverted.`)
      const logs = receipt.logs.filter((log) => log.address.toLowerCase() === escrow.toLowerCase())
      return { block: receipt.blockNumber, events: readEscrowLogs(logs) }
    },
    /** All that the token moved in a block. */
    async transfersIn(block: bigint, token: Hex): Promise<Moved[]> {
      return readTransfers(await client.getLogs({ address: token, fromBlock: block, toBlock: block }))
    },
    /** All that the token moved in a transaction. */
    async transfersOf(hash: Hex, token: Hex): Promise<Moved[]> {
      const { logs } = await client.getTransactionReceipt({ hash })
      return readTransfers(logs.filter((log) => log.address.toLowerCase() === token.toLowerCase()))
    },
    /** How credits in the escrow changed in a block. */
    async creditsIn(block: bigint, escrow: Hex): Promise<Moved[]> {
      const logs = await client.getLogs({ address: escrow, fromBlock: block, toBlock: block })
      return readEscrowLogs(logs).flatMap((log): Moved[] => {
        const tx = log.transactionHash
        if (log.eventName === 'FeeCredited') return [{ tx, from: '', to: log.args.feeTo.toLowerCase(), amount: log.args.amount }]
        if (log.eventName === 'Credited') return [{ tx, from: '', to: log.args.account.toLowerCase(), amount: log.args.amount }]
        if (log.eventName === 'CreditWithdrawn') return [{ tx, from: log.args.account.toLowerCase(), to: '', amount: log.args.amount }]
        return []
      })
    },
    balanceOf: (token: Hex, who: Hex, blockNumber?: bigint) =>
      client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [who],
        ...(blockNumber === undefined ? {} : { blockNumber }),
      }),
    creditOf: (escrow: Hex, token: Hex, who: Hex, blockNumber: bigint) =>
      client.readContract({ address: escrow, abi: planEscrowAbi, functionName: 'credit', args: [token, who], blockNumber }),
    async plan(escrow: Hex, planId: Hex) {
      const [status, remaining] = await client.readContract({
        address: escrow,
        abi: planEscrowAbi,
        functionName: 'plan',
        args: [planId],
      })
      return { status, remaining }
    },
  }
}
