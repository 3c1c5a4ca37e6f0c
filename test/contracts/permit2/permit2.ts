/** Permit2 itself, deployed on a chain in memory as on every other: see README.md for where its code comes from. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { concat, getContractAddress, type Hex, keccak256, parseAbi } from 'viem'

/** What the constructor runs and leaves behind; anybody can check it by the address that it comes out at. */
export const permit2CreationCode: Hex = `0x${readFileSync(path.join(import.meta.dirname, 'creation-code.hex'), 'utf8').replace(/\s/g, '')}`

/** The errors that a funding can meet, and what its nonces and its domain are. */
export const permit2Abi = parseAbi([
  'error SignatureExpired(uint256 signatureDeadline)',
  'error InvalidAmount(uint256 maxAmount)',
  'error InvalidNonce()',
  'error InvalidSigner()',
  'error InvalidSignature()',
  'error InvalidSignatureLength()',
  'error InvalidContractSignature()',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** The deployer that stands at one address on every chain: creates what follows the first word of its calldata, that word being the salt. */
const deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const deployerCode =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
const salt = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000'

/** Where that deployer puts this code, and no other. */
export const placeOf = (creationCode: Hex) =>
  getContractAddress({ opcode: 'CREATE2', from: deployer, salt, bytecodeHash: keccak256(creationCode) })

type Provider = { request: (call: { method: string; params: unknown[] }) => Promise<unknown> }

/** Deploys Permit2 where `permit2Address` says, by a transaction of the chain's first account. */
export async function deployPermit2(provider: Provider): Promise<void> {
  await provider.request({ method: 'hardhat_setCode', params: [deployer, deployerCode] })
  const [from] = (await provider.request({ method: 'eth_accounts', params: [] })) as [Hex]
  await provider.request({ method: 'eth_sendTransaction', params: [{ from, to: deployer, data: concat([salt, permit2CreationCode]) }] })
}
