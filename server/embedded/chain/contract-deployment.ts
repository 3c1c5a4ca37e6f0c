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
import { chainStateBlock } from './chain-state.ts'

/**
 * Where the contracts stand, and on which chain. Local chains all have the same id; one is told from another by the hash of
 * the block that our first contract was made in. Not by its genesis, which anvil makes anew at every start.
 */
export type Deployment = {
  chainId: number
  escrow: Address
  token: Address
  channels?: Address
  block: number
  blockHash: Hex
  contracts: string
}

export type ChainFacts = {
  /** As written down when the contracts were deployed. */
  recorded: Deployment | null
  /** What the running chain has at the recorded block, and whether code stands at the recorded address. */
  blockHash: Hex | null
  hasCode: boolean
  /** The block hash by which the database knows the chain that its rows are about, if it has met one. */
  boundTo: string | null
}

const wayOn =
  'Put the .parley/chain folder back that belongs to it, or begin anew with "npm start -- --fresh-chain", which moves the present database and chain aside and deletes nothing.'

/** What to do about the contracts. Throws where the database's rows are about another chain than the one that runs: the two are never mixed. */
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

function readDeployment(chainDir: string): Deployment | null {
  const file = deploymentFile(chainDir)
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Deployment) : null
}

function writeDeployment(chainDir: string, deployment: Deployment): void {
  fs.mkdirSync(chainDir, { recursive: true })
  fs.writeFileSync(`${deploymentFile(chainDir)}.new`, `${JSON.stringify(deployment, null, 2)}\n`)
  fs.renameSync(`${deploymentFile(chainDir)}.new`, deploymentFile(chainDir))
}

/**
 * A chain from before there were channels gets them now. No row speaks of them yet, or they stand: a chain that was killed
 * before it was saved, and has lost them, has lost nothing that was in them either.
 */
async function withChannels({ rpcUrl, chainDir, deployerKey }: LocalChain, recorded: Deployment): Promise<Deployment> {
  const code = recorded.channels ? await callChain(rpcUrl, 'eth_getCode', [recorded.channels, 'latest']) : '0x'
  if (code !== '0x') return recorded
  const channels = await deployChannels({ rpcUrl, privateKey: deployerKey, chainId: recorded.chainId })
  const completed = { ...recorded, channels }
  writeDeployment(chainDir, completed)
  return completed
}

// Kept on the database itself, where no migration and no table of the product is concerned by it.
const mark = 'parley chain known by block '

async function readMark(databaseUrl: string): Promise<string | null> {
  const [row] = await runSql(
    databaseUrl,
    `select shobj_description(oid, 'pg_database') as mark from pg_database where datname = current_database()`,
  )
  const text = row?.mark
  return typeof text === 'string' && text.startsWith(mark) ? text.slice(mark.length) : null
}

/** Says on the database which chain its rows are about. Only now may rows be written. */
async function writeMark(databaseUrl: string, blockHash: string): Promise<void> {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1)).replaceAll('"', '""')
  await runSql(databaseUrl, `comment on database "${name}" is '${mark}${blockHash}'`)
}

export type LocalChain = { rpcUrl: string; chainDir: string; databaseUrl: string; deployerKey: Hex; funded: readonly Hex[] }

export type Deployed = Deployment & {
  isNew: boolean
  /** Deployed from other contracts than this checkout's. */
  isOutdated: boolean
  /** To be awaited before anything writes rows: ties the database to this chain, once the chain is safe on disk. */
  bindDatabase: () => Promise<void>
}

/** The contracts of the local chain, deployed now if they were not, with the accounts that send from it holding ether. */
export async function ensureDeployment(chain: LocalChain): Promise<Deployed> {
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
  const deployment: Deployment = { chainId, escrow, token, channels, block, blockHash: madeIn, contracts }
  writeDeployment(chainDir, deployment)
  const height = Number(await callChain(rpcUrl, 'eth_blockNumber'))
  const bindDatabase = async (): Promise<void> => {
    // A chain that was killed before it was first saved would come back as another one, with the database bound to none.
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
