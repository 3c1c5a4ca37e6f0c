import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createPublicClient, http } from 'viem'
import { describe, expect, it } from 'vitest'
import { planEscrowAbi, voucherChannelsBytecode } from '../../contracts/abi/index.ts'
import { checkDeployment, deployByCreate2, planDeployment } from '../../contracts/deploy/create2.ts'
import { buildStandardInput, solcStandardInput } from '../../contracts/deploy/solc-standard-input.ts'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import { startChain } from '../support/chain.ts'
import { developmentKeys } from '../support/development-keys.ts'

const chainId = 84_532
const [, , , , privateKey = '0x', poor = '0x'] = developmentKeys

describe('deployByCreate2', () => {
  it('puts the contracts where the plan says, on a chain that is not local, and is content with what stands', async () => {
    await using chain = await startChain({ chainId })
    const input = { rpcUrl: chain.rpcUrl, chainId, token: chain.token, privateKey }
    const planned = planDeployment(chain.token)
    const looked = await checkDeployment(input)
    expect(looked.problems).toEqual([])
    expect(looked.steps.map((step) => [step.address, step.stands])).toEqual(planned.map((one) => [one.address, false]))
    for (const { gas } of looked.steps) expect(gas).toBeGreaterThan(1_000_000n)
    const done = await deployByCreate2(input)
    expect(done.steps.map((step) => [step.address, step.stands, step.gas])).toEqual(planned.map((one) => [one.address, true, null]))
    const client = createPublicClient({ transport: http(chain.rpcUrl) })
    const escrow = { address: planned[0]?.address ?? '0x', abi: planEscrowAbi } as const
    expect(await client.readContract({ ...escrow, functionName: 'plan', args: [`0x${'00'.repeat(32)}`] })).toBeDefined()
    const nonce = await callChain(chain.rpcUrl, 'eth_getTransactionCount', [done.deployer, 'latest'])
    expect((await deployByCreate2(input)).cost).toBe(0n)
    expect(await callChain(chain.rpcUrl, 'eth_getTransactionCount', [done.deployer, 'latest'])).toBe(nonce)
  })

  it('sends nothing where the chain, the token, the proxy or the balance is not as it should be', async () => {
    await using chain = await startChain({ chainId })
    const input = { rpcUrl: chain.rpcUrl, chainId, token: chain.token, privateKey }
    await expect(deployByCreate2({ ...input, chainId: 1 })).rejects.toThrow('The node is of chain 84532')
    await expect(deployByCreate2({ ...input, token: `0x${'12'.repeat(20)}` })).rejects.toThrow("token's address")
    const { deployer } = await checkDeployment({ ...input, privateKey: poor })
    await callChain(chain.rpcUrl, 'anvil_setBalance', [deployer, '0x1'])
    await expect(deployByCreate2({ ...input, privateKey: poor })).rejects.toThrow('holds 1 wei')
    await callChain(chain.rpcUrl, 'anvil_setCode', ['0x4e59b44847b379578588920cA78FbF26c0B4956C', '0x'])
    await expect(deployByCreate2(input)).rejects.toThrow('deployment proxy')
  })

  it('gives another escrow to another token, and the same to the same', () => {
    const [one] = planDeployment(`0x${'12'.repeat(20)}`)
    expect(planDeployment(`0x${'12'.repeat(20)}`)[0]).toEqual(one)
    expect(planDeployment(`0x${'34'.repeat(20)}`)[0]?.address).not.toBe(one?.address)
  })
})

describe('npm run deploy', () => {
  it('prints what it would do and writes the verification input, and sends nothing in a dry run', async () => {
    await using chain = await startChain({ chainId })
    const out = mkdtempSync(path.join(os.tmpdir(), 'parley-verification-'))
    const args = ['contracts/deploy/main.ts', '--chain', 'base-sepolia', '--dry-run', '--token', chain.token, '--out', out]
    const env = { ...process.env, CHAIN_RPC_URL: chain.rpcUrl, DEPLOYER_PRIVATE_KEY: privateKey }
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
    for (const { address, initCodeHash } of planDeployment(chain.token)) {
      expect(stdout).toContain(address)
      expect(stdout).toContain(initCodeHash)
      expect(stdout).toContain(`https://sepolia.basescan.org/address/${address}`)
    }
    expect((await checkDeployment({ rpcUrl: chain.rpcUrl, chainId, token: chain.token })).steps.some((step) => step.stands)).toBe(false)
    expect(JSON.parse(readFileSync(path.join(out, 'PlanEscrow.json'), 'utf8'))).toEqual(solcStandardInput('contracts/PlanEscrow.sol'))
  })
})

describe('buildStandardInput', () => {
  // Half a minute for PlanEscrow: `npm run test:external -- compiled` builds both.
  it('of VoucherChannels builds the bytecode that is deployed, with nothing but what is in it', { timeout: 600_000 }, () => {
    expect(buildStandardInput('contracts/VoucherChannels.sol')).toBe(voucherChannelsBytecode)
  })
})
