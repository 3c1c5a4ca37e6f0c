/** Deploys the contracts from the committed bytecode: for a chain that starts with the product, and for tests. */
import { type Address, type Chain, createPublicClient, createWalletClient, defineChain, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { jobEscrow8183Abi, jobEscrow8183Bytecode, planEscrowAbi, planEscrowBytecode, testUsdcAbi, testUsdcBytecode } from '../abi/index.ts'

export type Deployment = {
  chainId: number
  token: Address
  escrow: Address
  /** JobEscrow8183, over the escrow and the token. */
  jobs: Address
  /** The block of the first deployment: no log of ours is older. */
  block: bigint
}

export async function deployContracts(input: { rpcUrl: string; privateKey: Hex }): Promise<Deployment> {
  const transport = http(input.rpcUrl)
  const chainId = await createPublicClient({ transport }).getChainId()
  const chain: Chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [input.rpcUrl] } },
  })
  const account = privateKeyToAccount(input.privateKey)
  const reader = createPublicClient({ chain, transport, pollingInterval: 50 })
  const wallet = createWalletClient({ account, chain, transport })

  async function created(hash: Hex): Promise<{ address: Address; block: bigint }> {
    const receipt = await reader.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success' || !receipt.contractAddress) {
      throw new Error(
        `Deployment ${hash} was mined and created nothing. Check the account's balance and the chain's hardfork (cancun or later).`,
      )
    }
    return { address: receipt.contractAddress, block: receipt.blockNumber }
  }

  const token = await created(await wallet.deployContract({ abi: testUsdcAbi, bytecode: testUsdcBytecode }))
  const escrow = await created(await wallet.deployContract({ abi: planEscrowAbi, bytecode: planEscrowBytecode, args: [[token.address]] }))
  const jobs = await created(
    await wallet.deployContract({ abi: jobEscrow8183Abi, bytecode: jobEscrow8183Bytecode, args: [escrow.address, token.address] }),
  )
  return { chainId, token: token.address, escrow: escrow.address, jobs: jobs.address, block: token.block }
}
