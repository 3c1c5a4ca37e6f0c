import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deployChannels, deployContracts } from '../../../contracts/deploy/deploy.ts'
import { hashSources } from '../install/build-stamps.ts'
import { runSql } from '../postgres/postgres.ts'
import { root, ToolFailure } from '../processes/run-script.ts'
import { callChain } from './anvil.ts'
import { chainStateBlock } from './restore-and-copy-chain-state.ts'

/**
 * The addresses of the contracts, and their chain. All local chains have the same id, so the hash of the block of our first contract
 * identifies one. The genesis does not, because anvil creates it at every start.
 */
export type EmbeddedDeployment = {
  chainId: number
  escrow: Address
  token: Address
  channels?: Address
  block: number
  blockHash: Hex
  contracts: string
}

export type ChainFacts = {
  /** As recorded at the deployment. */
  recorded: EmbeddedDeployment | null
  /** What the running chain has at the recorded block, and whether the recorded address has code. */
  blockHash: Hex | null
  hasCode: boolean
  /** The block hash that the database is bound to, if any. */
  boundTo: string | null
}

const wayOn =
  'Put the .parley/chain folder back that belongs to it, or start over with "npm start -- --fresh-chain", which moves the present database and chain aside and deletes nothing.'

/**
 * What to do about the contracts.
 * @throws if the database belongs to another chain
 */
export function decideDeployment({ recorded, blockHash, hasCode, boundTo }: ChainFacts): 'keep' | 'deploy' {
  const stands = recorded !== null && recorded.blockHash === blockHash && hasCode
  if (boundTo === null) return stands ? 'keep' : 'deploy'
  if (!stands)
    throw new ToolFailure(
      `The database holds rows about a chain (known by block ${boundTo}) that is gone: the one that runs is new.\n${wayOn}`,
    )
  if (recorded.blockHash === boundTo) return 'keep'
  throw new ToolFailure(
    `The database holds rows about another chain (known by block ${boundTo}) than the one that runs (${recorded.blockHash}).\n${wayOn}`,
  )
}

function deploymentFile(chainDir: string): string {
  return path.join(chainDir, 'deployment.json')
}

function readDeployment(chainDir: string): EmbeddedDeployment | null {
  const file = deploymentFile(chainDir)
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as EmbeddedDeployment) : null
}

function writeDeployment(chainDir: string, deployment: EmbeddedDeployment): void {
  fs.mkdirSync(chainDir, { recursive: true })
  fs.writeFileSync(`${deploymentFile(chainDir)}.new`, `${JSON.stringify(deployment, null, 2)}\n`)
  fs.renameSync(`${deploymentFile(chainDir)}.new`, deploymentFile(chainDir))
}

/**
 * Deploys the channels contract on an older chain, or if the chain lost it before its state was saved. No database row can refer to it.
 */
async function withChannels({ rpcUrl, chainDir, deployerKey }: LocalChain, recorded: EmbeddedDeployment): Promise<EmbeddedDeployment> {
  const code = recorded.channels ? await callChain(rpcUrl, 'eth_getCode', [recorded.channels, 'latest']) : '0x'
  if (code !== '0x') return recorded
  const channels = await deployChannels({ rpcUrl, privateKey: deployerKey, chainId: recorded.chainId })
  const completed = { ...recorded, channels }
  writeDeployment(chainDir, completed)
  return completed
}

// A setting of the database itself, independent of migrations and tables.
const mark = 'parley chain known by block '

async function readMark(databaseUrl: string): Promise<string | null> {
  const [row] = await runSql(
    databaseUrl,
    `select shobj_description(oid, 'pg_database') as mark from pg_database where datname = current_database()`,
  )
  const text = row?.mark
  return typeof text === 'string' && text.startsWith(mark) ? text.slice(mark.length) : null
}

/** Binds the database to the chain. Rows may be written only after this. */
async function writeMark(databaseUrl: string, blockHash: string): Promise<void> {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1)).replaceAll('"', '""')
  await runSql(databaseUrl, `comment on database "${name}" is '${mark}${blockHash}'`)
}

export type LocalChain = { rpcUrl: string; chainDir: string; databaseUrl: string; deployerKey: Hex; funded: readonly Hex[] }

export type Deployed = EmbeddedDeployment & {
  isNew: boolean
  /** Deployed from other contracts than those of this checkout. */
  isOutdated: boolean
  /** Binds the database to this chain once the chain is saved. Await it before any row is written. */
  bindDatabase: () => Promise<void>
}

/** Ensures the contracts of the local chain, and funds the accounts that send transactions. */
export async function ensureContractDeployment(chain: LocalChain): Promise<Deployed> {
  const { rpcUrl, chainDir, databaseUrl } = chain
  const recorded = readDeployment(chainDir)
  const code = recorded ? await callChain(rpcUrl, 'eth_getCode', [recorded.escrow, 'latest']) : '0x'
  const blockHash = recorded ? await blockHashAt(rpcUrl, recorded.block) : null
  const boundTo = await readMark(databaseUrl)
  const decision = decideDeployment({ recorded, blockHash, hasCode: code !== '0x', boundTo })
  for (const key of [chain.deployerKey, ...chain.funded]) await giveEther(rpcUrl, key)
  const contracts = hashOfContracts()
  if (decision === 'keep' && recorded) {
    if (boundTo === null) await writeMark(databaseUrl, recorded.blockHash)
    const kept = await withChannels(chain, recorded)
    return { ...kept, isNew: false, isOutdated: recorded.contracts !== contracts, bindDatabase: async () => {} }
  }
  const made = await deployContracts({ rpcUrl, privateKey: chain.deployerKey })
  const block = Number(made.block)
  const madeIn = await blockHashAt(rpcUrl, block)
  if (madeIn === null) throw new Error(`the chain does not know block ${block}, in which it has just made a contract`)
  const { chainId, escrow, token, channels } = made
  const deployment: EmbeddedDeployment = { chainId, escrow, token, channels, block, blockHash: madeIn, contracts }
  writeDeployment(chainDir, deployment)
  const height = Number(await callChain(rpcUrl, 'eth_blockNumber'))
  const bindDatabase = async (): Promise<void> => {
    // A chain that is killed before its first save would return as another chain, while the database is bound to this one.
    while (chainStateBlock(chainDir) < height) await new Promise((done) => setTimeout(done, 50))
    await writeMark(databaseUrl, madeIn)
  }
  return { ...deployment, isNew: true, isOutdated: false, bindDatabase }
}

async function blockHashAt(rpcUrl: string, number: number): Promise<Hex | null> {
  const block = (await callChain(rpcUrl, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])) as { hash: Hex } | null
  return block?.hash ?? null
}

function hashOfContracts(): string {
  return createHash('sha256')
    .update(hashSources(root, ['contracts/abi/plan-escrow.ts', 'contracts/abi/test-usdc.ts']))
    .digest('hex')
    .slice(0, 16)
}

const enough = 10n ** 18n
const gift = 1_000n * enough

async function giveEther(rpcUrl: string, key: Hex): Promise<void> {
  const { address } = privateKeyToAccount(key)
  const balance = BigInt(String(await callChain(rpcUrl, 'eth_getBalance', [address, 'latest'])))
  if (balance < enough) await callChain(rpcUrl, 'anvil_setBalance', [address, `0x${gift.toString(16)}`])
}
