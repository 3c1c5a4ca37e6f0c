import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callChain } from '../../../../server/embedded/chain/anvil.ts'
import {
  decideDeployment,
  type EmbeddedDeployment,
  ensureContractDeployment,
} from '../../../../server/embedded/chain/ensure-contract-deployment.ts'
import { startChain } from '../../../support/chain.ts'
import { createDatabase } from '../../../support/database.ts'

const recorded: EmbeddedDeployment = {
  chainId: 31_337,
  escrow: '0x00000000000000000000000000000000000000e5',
  token: '0x0000000000000000000000000000000000000070',
  block: 1,
  blockHash: '0xaa',
  contracts: 'x',
}

describe('decideDeployment', () => {
  it('deploys on a new chain with a new database', () => {
    expect(decideDeployment({ recorded: null, blockHash: null, hasCode: false, boundTo: null })).toBe('deploy')
  })

  it('keeps what stands, also for a database that is new', () => {
    expect(decideDeployment({ recorded, blockHash: '0xaa', hasCode: true, boundTo: '0xaa' })).toBe('keep')
    expect(decideDeployment({ recorded, blockHash: '0xaa', hasCode: true, boundTo: null })).toBe('keep')
  })

  it('deploys again where the chain is new and no database speaks of the old one', () => {
    expect(decideDeployment({ recorded, blockHash: null, hasCode: false, boundTo: null })).toBe('deploy')
    expect(decideDeployment({ recorded, blockHash: '0xbb', hasCode: false, boundTo: null })).toBe('deploy')
  })

  it.each([
    ['the chain is new and its record is gone too', { recorded: null, blockHash: null, hasCode: false }],
    ['the chain is new', { recorded, blockHash: null, hasCode: false }],
    ['the chain has another block there', { recorded, blockHash: '0xbb', hasCode: true } as const],
    ['the contract is gone', { recorded, blockHash: '0xaa', hasCode: false } as const],
  ])('refuses to mix when the database knows a chain and %s', (_case, facts) => {
    expect(() => decideDeployment({ ...facts, boundTo: '0xaa' })).toThrow(/npm start -- --fresh-chain/)
  })

  it('refuses to mix when the database knows another chain than the one that stands', () => {
    expect(() => decideDeployment({ recorded, blockHash: '0xaa', hasCode: true, boundTo: '0xcc' })).toThrow(/another chain/)
  })
})

describe('ensureDeployment', () => {
  it('gives a chain from before there were channels their contract, once, and keeps the others', async () => {
    await using chain = await startChain()
    await using database = await createDatabase()
    const chainDir = fs.mkdtempSync(path.join(os.tmpdir(), 'chain-'))
    onTestFinished(() => fs.rmSync(chainDir, { recursive: true }))
    const block = (await callChain(chain.rpcUrl, 'eth_getBlockByNumber', ['0x1', false])) as { hash: `0x${string}` }
    const before = { chainId: chain.chainId, escrow: chain.escrow, token: chain.token, block: 1, blockHash: block.hash, contracts: 'x' }
    fs.writeFileSync(path.join(chainDir, 'deployment.json'), JSON.stringify(before))
    const ensure = () =>
      ensureContractDeployment({
        rpcUrl: chain.rpcUrl,
        chainDir,
        databaseUrl: database.url,
        deployerKey: chain.keys[0] ?? '0x',
        funded: [],
      })
    const { channels = '0x', escrow, isNew } = await ensure()
    expect([escrow, isNew]).toEqual([chain.escrow, false])
    expect(await callChain(chain.rpcUrl, 'eth_getCode', [channels, 'latest'])).toMatch(/^0x[0-9a-f]{1000,}$/)
    expect((await ensure()).channels).toBe(channels)
  })
})
