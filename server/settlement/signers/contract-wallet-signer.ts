import { encodeAbiParameters, type Hex, hashTypedData, keccak256, type PublicClient, parseAbi, type TypedDataDefinition, toHex } from 'viem'
import type { ChainSigner, Eip712TypedData } from '../../ports.ts'
import { signerUnavailable } from '../errors.ts'

const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const magicValue = '0x1626ba7e'
/** How a wallet expects its owner's signature: over the hash, or over a Safe message that contains the hash. */
export type SignatureStyle = 'plain' | 'safe'
const signatureStyles: readonly SignatureStyle[] = ['plain', 'safe']

export type WalletSignerOptions = {
  readonly wallet: Hex
  /** The owner's signer. The wallet must accept this single signature. */
  readonly owner: ChainSigner
  readonly chainId: number
  readonly client: Pick<PublicClient, 'readContract'>
}

/**
 * A contract wallet (ERC-1271) as evaluator or arbitrator. The terms name the wallet, and its owner's key signs for it. One query
 * detects the wallet's signature style.
 */
export function createContractWalletSigner(options: WalletSignerOptions): ChainSigner {
  const { owner } = options
  const wallet = options.wallet.toLowerCase() as Hex
  let style: Promise<SignatureStyle> | null = null

  async function ask(): Promise<SignatureStyle> {
    const found = await detectSignatureStyle(options)
    if (found === null) throw signerUnavailable(owner.role, `the wallet ${wallet} does not accept the signature of ${owner.address}`)
    return found
  }

  return {
    role: owner.role,
    address: wallet,
    async signTypedData(data) {
      style ??= ask().catch((error: unknown) => {
        style = null
        throw error
      })
      return signAs(options, await style, data)
    },
    signTransaction: () => Promise.reject(signerUnavailable(owner.role, 'a contract wallet cannot send transactions')),
  }
}

/** Detects the signature style of the wallet; null if it accepts none. @throws hold.signer_unavailable if the chain does not respond */
export async function detectSignatureStyle(options: WalletSignerOptions): Promise<SignatureStyle | null> {
  const { owner, chainId, client, wallet } = options
  const probe = probeMessage(chainId, wallet)
  for (const one of signatureStyles) {
    const signature = await signAs(options, one, probe)
    const answer = await client
      .readContract({ address: wallet, abi: walletAbi, functionName: 'isValidSignature', args: [hashOf(probe), signature] })
      .catch((error: unknown) => {
        // A wallet that reverts, or an address without code, counts as a negative answer.
        if (isUnreachable(error)) throw signerUnavailable(owner.role, 'the chain does not answer', error)
        return null
      })
    if (answer === magicValue) return one
  }
  return null
}

function signAs({ owner, chainId, wallet }: WalletSignerOptions, style: SignatureStyle, data: Eip712TypedData): Promise<Hex> {
  return owner.signTypedData(style === 'plain' ? data : safeMessage(chainId, wallet, hashOf(data)))
}

/** A test message without meaning to any contract. */
function probeMessage(chainId: number, wallet: Hex): Eip712TypedData {
  return {
    domain: { name: 'Parley signer check', version: '1', chainId, verifyingContract: wallet },
    types: { Check: [{ name: 'about', type: 'bytes32' }] },
    primaryType: 'Check',
    message: { about: keccak256(toHex('whether this wallet takes the signature of its owner')) },
  }
}

/** Safe's EIP-712 message for a hash. */
function safeMessage(chainId: number, wallet: Hex, hash: Hex): Eip712TypedData {
  return {
    domain: { chainId, verifyingContract: wallet },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message: encodeAbiParameters([{ type: 'bytes32' }], [hash]) },
  }
}

function hashOf(data: Eip712TypedData): Hex {
  return hashTypedData(data as TypedDataDefinition)
}

function isUnreachable(error: unknown): boolean {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one.name === 'HttpRequestError' || one.name === 'TimeoutError') return true
  }
  return false
}
