import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { charterMessage, charterTypes, escrowDomainAt } from '../../contracts/abi/index.ts'
import type { Context } from '../../server/context.ts'
import { inTransaction } from '../../server/db.ts'
import { authorizationTypedData } from '../../server/settlement/charters/authorization-and-veto-typed-data.ts'
import { requireEscrowHold } from '../../server/settlement/holds/hold.ts'
import { escrowCharter, listCharters, loadHold } from '../../server/settlement/holds/hold-store.ts'
import { authorizeCharter, type RecordCharter, verifyCharterApproval } from '../../server/settlement/index.ts'

export type UnsignedCharter = Omit<RecordCharter, 'memberSignatures'>

/** Every payee's signature under a charter, in order of first appearance, by those of the keys that are theirs. */
export async function signCharterAs(
  ctx: Context,
  { goalId, version, charterHash: hash, steps }: UnsignedCharter,
  keys: readonly Hex[],
): Promise<{ signer: Hex; signature: Hex }[]> {
  const hold = requireEscrowHold(await loadHold(ctx, goalId))
  const unposted = { memberSignatures: [], createdAt: new Date(0), authorization: null, veto: null, sealDueAt: null }
  const typedData = {
    domain: escrowDomainAt({ chainId: hold.chainId, escrow: hold.escrow }),
    types: charterTypes,
    primaryType: 'Charter',
    message: charterMessage(hold.planId, version, escrowCharter({ goalId, version, hash, steps, ...unposted })),
  } as const
  const accounts = keys.map((key) => privateKeyToAccount(key))
  const signed: { signer: Hex; signature: Hex }[] = []
  for (const payee of new Set([...steps].sort((a, b) => a.step - b.step).map((step) => step.payee))) {
    const account = accounts.find((one) => one.address.toLowerCase() === payee.toLowerCase())
    if (!account) throw new Error(`nobody here holds the key of ${payee}`)
    signed.push({ signer: payee.toLowerCase() as Hex, signature: await account.signTypedData(typedData) })
  }
  return signed
}

/** The client approves a charter with its wallet. `ctx`: acting as the client. */
export async function approveCharter(
  ctx: Context,
  client: PrivateKeyAccount,
  { goalId, version }: { goalId: string; version: number },
): Promise<void> {
  const hold = requireEscrowHold(await loadHold(ctx, goalId))
  const charter = (await listCharters(ctx, goalId)).find((one) => one.version === version)
  if (!charter) throw new Error(`there is no charter ${version}`)
  const typedData = authorizationTypedData(hold, charter) as Parameters<PrivateKeyAccount['signTypedData']>[0]
  const asked = { goalId, version, signature: await client.signTypedData(typedData) }
  const given = await verifyCharterApproval(ctx, asked)
  await inTransaction(ctx, (tx) => authorizeCharter(tx, asked, given))
}
