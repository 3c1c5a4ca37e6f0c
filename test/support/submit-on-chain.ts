import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { planEscrowAbi } from '../../contracts/abi/index.ts'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { escrowCharter, listCharters, loadHold } from '../../server/settlement/holds/hold-store.ts'
import type { TestPerson, TestWorld } from './world.ts'

/** The wallet of a person that sends its own transactions, with ether for gas. */
export async function walletWithGas(world: TestWorld, { account }: TestPerson) {
  await callChain(world.chain.rpcUrl, 'anvil_setBalance', [account.address, '0xde0b6b3a7640000'])
  const chain = defineChain({
    id: world.chain.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [world.chain.rpcUrl] } },
  })
  return createWalletClient({ account, chain, transport: http() })
}

/** The payee submits steps to the escrow directly, without the server and without any work. Bit `step - 1` of each. */
export async function submitOnChain(
  world: TestWorld,
  payee: TestPerson,
  { goalId, bits }: { goalId: string; bits: bigint },
): Promise<void> {
  const wallet = await walletWithGas(world, payee)
  const hold = await loadHold(world.system, goalId)
  if (hold.rail !== 'escrow') throw new Error('paid by card')
  const [inForce] = await listCharters(world.system, goalId)
  const hash = await wallet.writeContract({
    address: world.chain.escrow,
    abi: planEscrowAbi,
    functionName: 'submit',
    args: [hold.terms, escrowCharter(inForce ?? null), bits, `0x${'11'.repeat(32)}`, payee.account.address, '0x'],
  })
  await createPublicClient({ chain: wallet.chain, transport: http() }).waitForTransactionReceipt({ hash })
}
