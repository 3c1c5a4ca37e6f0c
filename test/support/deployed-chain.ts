import fs from 'node:fs'
import path from 'node:path'
import type { Address, Hex } from 'viem'
import { deployContracts } from '../../contracts/deploy/deploy.ts'
import { anvilReady, callChain, spawnAnvil } from '../../server/embedded/chain/anvil.ts'
import { hashSources } from '../../server/embedded/install/build-stamps.ts'
import { endWithParent } from '../../server/embedded/processes/end-with-parent.ts'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import { developmentKeys } from './development-keys.ts'

const home = path.join(root, '.parley/test')

/** A chain with deployed contracts: its state file, and the addresses. */
export type DeployedChain = { stateFile: string; chainId: number; token: Address; escrow: Address; channels: Address }

/** Deploys the contracts on a new chain and stores its state, once per version of the contracts. */
export async function deployedChain(): Promise<DeployedChain> {
  const hash = hashSources(root, ['contracts/abi', 'contracts/deploy', 'node_modules/@foundry-rs/anvil/package.json']).slice(0, 16)
  const record = path.join(home, `chain-${hash}.json`)
  if (fs.existsSync(record)) return JSON.parse(fs.readFileSync(record, 'utf8')) as DeployedChain
  fs.mkdirSync(home, { recursive: true })
  const stateFile = path.join(home, `chain-${hash}-${process.pid}.state.json`)
  const anvil = await startAnvil({ state: stateFile })
  const { chainId, token, escrow, channels } = await deployContracts({ rpcUrl: anvil.rpcUrl, privateKey: developmentKeys[0] ?? '0x' })
  await anvil.stop()
  const deployed: DeployedChain = { stateFile, chainId, token, escrow, channels }
  fs.writeFileSync(`${record}.${process.pid}`, JSON.stringify(deployed))
  fs.renameSync(`${record}.${process.pid}`, record)
  return deployed
}

export type RunningAnvil = { rpcUrl: string; stop: () => Promise<void> }

type AnvilStart = ({ state: string } | { loadState: string }) & { chainId?: number; keptStates?: number }

export async function startAnvil(state: AnvilStart): Promise<RunningAnvil> {
  fs.mkdirSync(home, { recursive: true })
  const logFile = path.join(home, 'anvil.log')
  for (let attempt = 1; ; attempt++) {
    const port = await anyFreePort()
    const rpcUrl = `http://127.0.0.1:${port}`
    const log = fs.openSync(logFile, 'a')
    const child = spawnAnvil({ port, log, cacheDir: path.join(home, 'anvil-cache'), ...state })
    fs.closeSync(log)
    const callOff = endWithParent(child.pid ?? 0, 'KILL')
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    try {
      await anvilReady(rpcUrl, child)
    } catch (error) {
      callOff()
      child.kill('SIGKILL')
      // Another process may have taken the port in the meantime.
      if (attempt < 3) continue
      throw new Error(`The test chain did not start.\n${fs.readFileSync(logFile, 'utf8').slice(-2_000)}`, { cause: error })
    }
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM')
      await ended
      callOff()
    }
    return { rpcUrl, stop }
  }
}

/** A chain with the contracts, for one test only. Disposing ends it. */
export type TestChain = AsyncDisposable & {
  rpcUrl: string
  chainId: number
  token: Address
  escrow: Address
  channels: Address
  /** Private keys of ten accounts that hold ether. The first has deployed the contracts. */
  keys: Hex[]
  /** Lets chain time pass: the next block, mined at once, is that much later. */
  warp: (seconds: number) => Promise<void>
  stop: () => Promise<void>
}

/** Starts a chain with the state of a deployment. Benchmarks and the fuzzer call it with `deployedChain()`, tests through `startChain`. */
export async function startDeployedChain(deployed: DeployedChain, options: { chainId?: number } = {}): Promise<TestChain> {
  const { stateFile, token, escrow, channels } = deployed
  const { chainId = deployed.chainId } = options
  const { rpcUrl, stop } = await startAnvil({ loadState: stateFile, chainId })
  const warp = async (seconds: number): Promise<void> => {
    await callChain(rpcUrl, 'evm_increaseTime', [seconds])
    await callChain(rpcUrl, 'evm_mine')
  }
  return { rpcUrl, chainId, token, escrow, channels, keys: developmentKeys, warp, stop, [Symbol.asyncDispose]: stop }
}
