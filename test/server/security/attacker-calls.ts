import { encodeFunctionData, type Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { attestationTypes, escrowDomainAt, planEscrowAbi, releaseTypes, settledCharter } from '../../../contracts/abi/index.ts'
import { type EscrowHold, requireEscrowHold } from '../../../server/settlement/holds/hold.ts'
import { escrowCharter, listCharters, loadHold } from '../../../server/settlement/holds/hold-store.ts'
import { conclusionHash, type MoneyWorld } from '../settlement/money-world.ts'

// What an attacker with a stolen key sends, and how the escrow answers. Nothing is sent: the chain is asked what it would do.

export const keyOf = (world: MoneyWorld, role: 'settler' | 'evaluator' | 'client' | 'arbitrator'): PrivateKeyAccount =>
  privateKeyToAccount(world.chain.keys[{ settler: 0, evaluator: 1, client: 2, arbitrator: 3 }[role]] ?? '0x')

export async function planOf(world: MoneyWorld, goalId: string): Promise<EscrowHold> {
  return requireEscrowHold(await loadHold(world.system, goalId))
}

/** The refusal's sentence; null where the escrow would do it. The settler sends it, as anyone could. */
export async function answerTo(world: MoneyWorld, data: Hex): Promise<string | null> {
  const refused = await world.system.ports.rail.simulate({ to: world.system.market.escrow, data, value: 0n, gas: 3_000_000n })
  return refused?.refused ?? null
}

/** A settlement, or a release, of these steps under the newest charter, by whose word it is signed with; none for an empty one. */
export async function settlementCall(
  world: MoneyWorld,
  goalId: string,
  by: PrivateKeyAccount | null,
  { bits = 0b111n, close = true, call = 'settle' }: { bits?: bigint; close?: boolean; call?: 'settle' | 'release' } = {},
): Promise<Hex> {
  const { planId, chainId, escrow, terms } = await planOf(world, goalId)
  const [charter] = await listCharters(world.system, goalId)
  const domain = escrowDomainAt({ chainId, escrow })
  const message = { planId, charter: settledCharter(escrowCharter(charter ?? null)), bits, close, conclusionHash }
  const signature = by
    ? call === 'settle'
      ? await by.signTypedData({ domain, types: attestationTypes, primaryType: 'Attestation', message })
      : await by.signTypedData({ domain, types: releaseTypes, primaryType: 'Release', message })
    : '0x'
  const args = [{ terms, charter: escrowCharter(charter ?? null), bits, close, conclusionHash, signature }] as const
  return encodeFunctionData({ abi: planEscrowAbi, functionName: call, args })
}
