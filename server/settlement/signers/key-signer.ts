import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainSigner, SignerRole } from '../../ports.ts'

/** A key that this process holds. For chains without value: whoever reads the environment has it. */
export function createKeySigner(role: SignerRole, privateKey: Hex): ChainSigner {
  const account = privateKeyToAccount(privateKey)
  return {
    role,
    address: account.address.toLowerCase() as Hex,
    signTypedData: (data) => account.signTypedData(data),
    signTransaction: (transaction) => account.signTransaction({ type: 'eip1559', ...transaction }),
  }
}
