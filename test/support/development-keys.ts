import { pbkdf2Sync } from 'node:crypto'
import { type Hex, toHex } from 'viem'
import { HDKey } from 'viem/accounts'

const phrase = 'test test test test test test test test test test test junk'
// As BIP-39 has it, with Node's own functions: each test file derives these again, and in JavaScript it takes half a second.
const wallet = HDKey.fromMasterSeed(pbkdf2Sync(phrase, 'mnemonic', 2048, 64, 'sha512')).derive("m/44'/60'/0'/0")

/** The private key of one of the development accounts, which hold ether on every local chain and are known to everyone. */
export function developmentKey(index: number): Hex {
  return toHex(wallet.deriveChild(index).privateKey ?? new Uint8Array())
}

/** Those of anvil's ten. */
export const developmentKeys: Hex[] = Array.from({ length: 10 }, (_, index) => developmentKey(index))
