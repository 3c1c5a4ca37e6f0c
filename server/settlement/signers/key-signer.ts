import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainSigner, SignerRole } from '../../ports.ts'

/**
 * Signs with a key in this process's memory. Only for chains without real money, because anyone who reads the environment has the
 * key.
 */
export function createKeySigner(role: SignerRole, privateKey: Hex): ChainSigner {
  const account = privateKeyToAccount(privateKey)
  return {
    role,
    address: account.address.toLowerCase() as Hex,
    signTypedData: (data) => account.signTypedData(data),
    signTransaction: (transaction) => account.signTransaction({ type: 'eip1559', ...transaction }),
  }
}
