/** What is committed of the contracts: that it is what the sources make, fits on a chain, and is what gets deployed. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { network } from 'hardhat'
import { createPublicClient, http } from 'viem'
import { describe, expect, it } from 'vitest'
import { abiFiles } from '../../contracts/abi/generate.ts'
import { planEscrowAbi, planStatuses } from '../../contracts/abi/index.ts'
import { fingerprintFile, hashAbiSources } from '../../contracts/abi/source-fingerprint.ts'
import { deployContracts } from '../../contracts/deploy/deploy.ts'
import parley from '../../contracts/deploy/modules/parley.ts'

const root = path.join(import.meta.dirname, '../..')
// The first account of the in-memory chain.
const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

describe('the committed ABI and bytecode', () => {
  // `npm run test:external -- compiled` builds all sources and compares them: that takes minutes.
  it('are of these sources: nothing has changed since they were built', () => {
    const committed = readFileSync(fingerprintFile, 'utf8').trim()
    expect(hashAbiSources(abiFiles) === committed, 'contracts/abi is stale: node contracts/abi/generate.ts').toBe(true)
  })

  it('know a plan by the names that the contract gives its states', () => {
    const source = readFileSync(path.join(root, 'contracts/interfaces/IPlanEscrow.sol'), 'utf8')
    const names = /enum PlanStatus \{([^}]*)\}/
      .exec(source)?.[1]
      ?.split(',')
      .map((name) => name.trim())
    expect(names).toEqual([...planStatuses])
  })

  it('hand no power to any account: no owner, no pause, no upgrade, no sweep', () => {
    const writes = planEscrowAbi.filter((entry) => entry.type === 'function' && entry.stateMutability !== 'view').map((entry) => entry.name)
    expect(writes.sort()).toEqual([
      'acceptOffer',
      'closeExpired',
      'dispute',
      'fund',
      'fundMany',
      'fundWithAuthorization',
      'fundWithPermit2',
      'refund',
      'release',
      'requestClose',
      'reseal',
      'rule',
      'seal',
      'sealAndSettle',
      'sealAndSettleMany',
      'setSigner',
      'setSignerBySignature',
      'settle',
      'settleHalf',
      'settleMany',
      'settleOnSilence',
      'submit',
      'veto',
      'withdrawCredit',
      'withdrawCreditTo',
    ])
  })
})

describe('the deployment', () => {
  it('is the same code by deployContracts and by Ignition', { timeout: 900_000 }, async () => {
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
      const addresses = ['token', 'escrow', 'channels'].map((name) => theirs[name]?.address.toLowerCase())
      expect(addresses).toEqual([ours.token, ours.escrow, ours.channels].map((address) => address.toLowerCase()))
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
