/** Deploys the contracts from the committed bytecode: for a chain that starts with the product, and for tests. */
import { type Address, type Chain, createPublicClient, createWalletClient, defineChain, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  planEscrowAbi,
  planEscrowBytecode,
  testUsdcAbi,
  testUsdcBytecode,
  voucherChannelsAbi,
  voucherChannelsBytecode,
} from '../abi/index.ts'

export type Deployment = {
  chainId: number
  token: Address
  escrow: Address
  /** VoucherChannels. */
  channels: Address
  /** The block of the first deployment: no log of ours is older. */
  block: bigint
}

/** A client that sends from one key and waits for what it makes. */
function deployerOf(rpcUrl: string, privateKey: Hex, chainId: number) {
  const transport = http(rpcUrl)
  const chain: Chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const reader = createPublicClient({ chain, transport, pollingInterval: 50 })
  const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport })

  async function created(hash: Hex): Promise<{ address: Address; block: bigint }> {
    const receipt = await reader.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success' || !receipt.contractAddress) {
      throw new Error(
        `Deployment ${hash} was mined and created nothing. Check the account's balance and the chain's hardfork (cancun or later).`,
      )
    }
    return { address: receipt.contractAddress, block: receipt.blockNumber }
  }
  return { wallet, created }
}

/** VoucherChannels alone: for a chain on which the others stand already. */
export async function deployChannels(input: { rpcUrl: string; privateKey: Hex; chainId: number }): Promise<Address> {
  const { wallet, created } = deployerOf(input.rpcUrl, input.privateKey, input.chainId)
  return (await created(await wallet.deployContract({ abi: voucherChannelsAbi, bytecode: voucherChannelsBytecode }))).address
}

export async function deployContracts(input: { rpcUrl: string; privateKey: Hex }): Promise<Deployment> {
  const chainId = await createPublicClient({ transport: http(input.rpcUrl) }).getChainId()
  const { wallet, created } = deployerOf(input.rpcUrl, input.privateKey, chainId)
  const token = await created(await wallet.deployContract({ abi: testUsdcAbi, bytecode: testUsdcBytecode }))
  const escrow = await created(await wallet.deployContract({ abi: planEscrowAbi, bytecode: planEscrowBytecode, args: [[token.address]] }))
  const channels = await deployChannels({ ...input, chainId })
  return { chainId, token: token.address, escrow: escrow.address, channels, block: token.block }
}
