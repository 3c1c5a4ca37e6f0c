/**
 * What needs the compiler, in one file because the builds share a folder: the committed ABI, the deployment,
 * and the stateful fuzz of invariants/. A first build takes most of a minute, a later one a second or two.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { network } from 'hardhat'
import { createPublicClient, http } from 'viem'
import { describe, expect, it } from 'vitest'
import { renderAbiFiles } from '../../contracts/abi/generate.ts'
import { planEscrowAbi, planStatuses } from '../../contracts/abi/index.ts'
import { deployContracts } from '../../contracts/deploy/deploy.ts'
import parley from '../../contracts/deploy/modules/parley.ts'

const root = path.join(import.meta.dirname, '../..')
const firstBuild = 600_000
// The first account of the in-memory chain.
const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** Runs Hardhat as a person would, and answers what it printed. Rejects when it fails. */
async function hardhat(...args: string[]): Promise<string> {
  const cli = path.join(root, 'node_modules/hardhat/dist/src/cli.js')
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, ...args], { cwd: root, maxBuffer: 1 << 26 })
  return stripVTControlCharacters(stdout + stderr)
}

describe('the committed ABI and bytecode', () => {
  it('are what a build of the sources makes', { timeout: firstBuild }, async () => {
    await hardhat('build')
    for (const [file, text] of Object.entries(renderAbiFiles())) {
      const committed = readFileSync(path.join(root, 'contracts/abi', file), 'utf8')
      expect(committed === text, `contracts/abi/${file} is stale: node contracts/abi/generate.ts`).toBe(true)
    }
  })

  it('fit on a chain', () => {
    const limit = 24_576
    for (const name of ['PlanEscrow', 'VoucherChannels', 'EpochPayouts']) {
      const { deployedBytecode } = JSON.parse(readFileSync(path.join(root, `artifacts/contracts/${name}.sol/${name}.json`), 'utf8'))
      expect((deployedBytecode.length - 2) / 2, name).toBeLessThan(limit)
    }
  })

  it('know a plan by the names that the contract gives its states', () => {
    const source = readFileSync(path.join(root, 'contracts/interfaces/IPlanEscrow.sol'), 'utf8')
    const names = /enum PlanStatus \{([^}]*)\}/
      .exec(source)?.[1]
      ?.split(',')
      .map((name) => name.trim())
    expect(names).toEqual([...planStatuses])
  })

  it('hand no power to anybody: no owner, no pause, no upgrade, no sweep', () => {
    const writes = planEscrowAbi.filter((entry) => entry.type === 'function' && entry.stateMutability !== 'view').map((entry) => entry.name)
    expect(writes.sort()).toEqual([
      'acceptOffer',
      'dispute',
      'fund',
      'fundFromCredit',
      'fundMany',
      'fundWithAuthorization',
      'fundWithPermit',
      'fundWithPermit2',
      'refund',
      'refundDisputed',
      'release',
      'reseal',
      'rule',
      'seal',
      'sealMany',
      'setSigner',
      'setSignerBySignature',
      'settle',
      'settleIsolated',
      'settleMany',
      'settleOnSilence',
      'submit',
      'withdrawCredit',
      'withdrawCreditTo',
    ])
  })
})

describe('the deployment', () => {
  it('is the same code by deployContracts and by Ignition', { timeout: 60_000 }, async () => {
    const connection = await network.create({ network: 'node' })
    const server = await network.createServer('node', '127.0.0.1', 0)
    try {
      const { address, port } = await server.listen()
      const rpcUrl = `http://${address}:${port}`
      const reader = createPublicClient({ transport: http(rpcUrl) })
      const ours = await deployContracts({ rpcUrl, privateKey })
      expect(ours).toMatchObject({ chainId: 31337, block: 1n })

      const theirs: Record<string, { address: string }> = await connection.ignition.deploy(parley)
      const mined = async (block: bigint) => {
        const theirReader = await connection.viem.getPublicClient()
        const [mine, other] = await Promise.all([
          reader.getBlock({ blockNumber: block, includeTransactions: true }),
          theirReader.getBlock({ blockNumber: block, includeTransactions: true }),
        ])
        return [mine.transactions[0]?.input, other.transactions[0]?.input]
      }
      for (const block of [1n, 2n, 3n]) {
        const [mine, other] = await mined(block)
        expect(mine?.length).toBeGreaterThan(1000)
        expect(other === mine, `block ${block}`).toBe(true)
      }
      // The same account, from the same nonce, so the same addresses too.
      const addresses = ['token', 'escrow', 'jobs'].map((name) => theirs[name]?.address.toLowerCase())
      expect(addresses).toEqual([ours.token, ours.escrow, ours.jobs.toLowerCase()])
      const theirCode = await (await connection.viem.getPublicClient()).getCode({ address: theirs.channels?.address as `0x${string}` })
      expect(theirCode?.length).toBeGreaterThan(1000)

      const allowed = (token: `0x${string}`) =>
        reader.readContract({ address: ours.escrow, abi: planEscrowAbi, functionName: 'isTokenAllowed', args: [token] })
      expect([await allowed(ours.token), await allowed(ours.escrow), await allowed(`0x${'0'.repeat(40)}`)]).toEqual([true, false, false])
    } finally {
      await server.close()
      await connection.close()
    }
  })
})

describe('the invariants', () => {
  it('hold after any sequence of calls', { timeout: firstBuild }, async () => {
    const output = await hardhat('test', 'solidity')
    // 200 runs of 500 calls each: its own file says so.
    expect(output).toContain('invariant_owesWhatItHolds() (runs: 200)')
    expect(output).toContain('test_everyShareAddsUp()')
    const others = ['channelSolvency', 'everyChannelAddsUp', 'epochSolvency', 'paidAsAccepted']
    for (const name of others) expect(output).toContain(`invariant_${name}() (runs: 8)`)
    expect(output).toMatch(/\b6 passing\b/)
    expect(output).not.toMatch(/failing|skipped/)
  })
})
