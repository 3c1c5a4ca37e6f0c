import {
  type Abi,
  type Account,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  maxUint256,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { testUsdcAbi, voucherChannelsAbi } from '../../../contracts/abi/index.ts'
import { callChain } from '../../../server/embedded/chain/anvil.ts'
import type { ChannelWorld } from './channel-world.ts'

export type ChainWallet = {
  readonly address: Hex
  deploy(abi: unknown, bytecode: Hex, args?: readonly unknown[]): Promise<Hex>
  read(address: Hex, abi: unknown, functionName: string, args: readonly unknown[]): Promise<unknown>
  write(address: Hex, abi: unknown, functionName: string, args: readonly unknown[]): Promise<TransactionReceipt>
  /** A function of the channels contract. */
  channels(functionName: string, args: readonly unknown[]): Promise<TransactionReceipt>
}

/** An account that uses the contracts directly, without the server. */
export function chainWallet(place: ChannelWorld, who: number | Account): ChainWallet {
  const { chain: node, world } = place.world
  const chain = defineChain({
    id: world.market.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [node.rpcUrl] } },
  })
  const account = typeof who === 'number' ? privateKeyToAccount(node.keys[who] ?? '0x') : who
  const reader = createPublicClient({ chain, transport: http(node.rpcUrl), pollingInterval: 20, cacheTime: 0 })
  const wallet = createWalletClient({ account, chain, transport: http(node.rpcUrl) })
  const done = async (hash: Hex) => {
    const receipt = await reader.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
    return receipt
  }
  const write: ChainWallet['write'] = async (address, abi, functionName, args) =>
    done(await wallet.writeContract({ address, abi: abi as Abi, functionName, args }))
  return {
    address: account.address.toLowerCase() as Hex,
    deploy: async (abi, bytecode, args = []) =>
      (await done(await wallet.deployContract({ abi: abi as Abi, bytecode, args }))).contractAddress ?? '0x',
    read: (address, abi, functionName, args) => reader.readContract({ address, abi: abi as Abi, functionName, args }),
    write,
    channels: (functionName, args) => write(world.market.channels ?? '0x', voucherChannelsAbi, functionName, args),
  }
}

/** The same account with gas and an allowance for the channels contract. */
export async function withGas(place: ChannelWorld, account: Account): Promise<ChainWallet> {
  const wallet = chainWallet(place, account)
  const { market } = place.world.world
  await callChain(place.world.chain.rpcUrl, 'anvil_setBalance', [wallet.address, '0xde0b6b3a7640000'])
  await wallet.write(market.token, testUsdcAbi, 'approve', [market.channels, maxUint256])
  return wallet
}
