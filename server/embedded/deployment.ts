import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deployContracts } from '../../contracts/deploy/deploy.ts'
import { callChain } from './anvil.ts'
import { chainStateBlock } from './chain-state.ts'
import { runSql } from './postgres.ts'
import { root, ToolFailure } from './run-tool.ts'
import { hashSources } from './stamps.ts'

/** Where the contracts stand, and on which chain: its genesis tells one local chain from another with the same id. */
export type Deployment = { genesis: Hex; chainId: number; escrow: Address; token: Address; contracts: string }

export type ChainFacts = {
  /** Of the chain that runs. */
  genesis: Hex
  /** As written down when the contracts were deployed. */
  recorded: Deployment | null
  /** Whether code stands at the recorded address. */
  hasCode: boolean
  /** The genesis of the chain that the database's rows are about, if it has met one. */
  databaseGenesis: string | null
}

const wayOn =
  'Put the missing .parley/chain folder back, or begin anew with "npm start -- --fresh-chain", which moves the present database and chain aside and deletes nothing.'

/** What to do about the contracts. Throws where the database speaks of another chain than the one that runs: they are never mixed. */
export function decideDeployment(facts: ChainFacts): 'keep' | 'deploy' {
  const { genesis, recorded, hasCode, databaseGenesis } = facts
  if (databaseGenesis !== null && databaseGenesis !== genesis) {
    throw new ToolFailure(
      `The database holds rows about another chain (genesis ${databaseGenesis}) than the one that runs (${genesis}).\n${wayOn}`,
    )
  }
  if (recorded?.genesis === genesis && hasCode) return 'keep'
  if (databaseGenesis !== null) {
    throw new ToolFailure(
      `The chain has lost the contracts that the database's rows are about${recorded ? ` (escrow ${recorded.escrow})` : ''}.\n${wayOn}`,
    )
  }
  return 'deploy'
}

function deploymentFile(chainDir: string): string {
  return path.join(chainDir, 'deployment.json')
}

function readDeployment(chainDir: string): Deployment | null {
  const file = deploymentFile(chainDir)
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Deployment) : null
}

// Kept on the database itself, where no migration and no table of the product is concerned by it.
const mark = 'parley chain genesis '

async function readMark(databaseUrl: string): Promise<string | null> {
  const [row] = await runSql(
    databaseUrl,
    `select shobj_description(oid, 'pg_database') as mark from pg_database where datname = current_database()`,
  )
  const text = row?.mark
  return typeof text === 'string' && text.startsWith(mark) ? text.slice(mark.length) : null
}

/** Says on the database which chain its rows are about. Only now may rows be written. */
async function writeMark(databaseUrl: string, genesis: string): Promise<void> {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1)).replaceAll('"', '""')
  await runSql(databaseUrl, `comment on database "${name}" is '${mark}${genesis.replaceAll("'", "''")}'`)
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
  const block = (await callChain(rpcUrl, 'eth_getBlockByNumber', ['0x0', false])) as { hash: Hex }
  const recorded = readDeployment(chainDir)
  const code = recorded ? await callChain(rpcUrl, 'eth_getCode', [recorded.escrow, 'latest']) : '0x'
  const databaseGenesis = await readMark(databaseUrl)
  const decision = decideDeployment({ genesis: block.hash, recorded, hasCode: code !== '0x', databaseGenesis })
  for (const key of [chain.deployerKey, ...chain.funded]) await giveEther(rpcUrl, key)
  const contracts = hashOfContracts()
  if (decision === 'keep' && recorded) {
    if (databaseGenesis === null) await writeMark(databaseUrl, block.hash)
    return { ...recorded, isNew: false, isOutdated: recorded.contracts !== contracts, bindDatabase: async () => {} }
  }
  const { chainId, escrow, token } = await deployContracts({ rpcUrl, privateKey: chain.deployerKey })
  const deployment: Deployment = { genesis: block.hash, chainId, escrow, token, contracts }
  fs.mkdirSync(chainDir, { recursive: true })
  fs.writeFileSync(`${deploymentFile(chainDir)}.new`, `${JSON.stringify(deployment, null, 2)}\n`)
  fs.renameSync(`${deploymentFile(chainDir)}.new`, deploymentFile(chainDir))
  const height = Number(await callChain(rpcUrl, 'eth_blockNumber'))
  const bindDatabase = async (): Promise<void> => {
    // A chain that was killed before it was first saved would come back as another one, with the database bound to none.
    while (chainStateBlock(chainDir) < height) await new Promise((done) => setTimeout(done, 50))
    await writeMark(databaseUrl, block.hash)
  }
  return { ...deployment, isNew: true, isOutdated: false, bindDatabase }
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
