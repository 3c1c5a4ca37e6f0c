import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { callChain } from '../../../../server/embedded/chain/anvil.ts'
import {
  chainFiles,
  chainStateBlock,
  copyChainState,
  removeLaterGenesisBlocks,
  restoreTruncatedChainState,
} from '../../../../server/embedded/chain/restore-and-copy-chain-state.ts'
import { startAnvil } from '../../../support/deployed-chain.ts'

let dir = ''
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'chain-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true }))
})
const stateAt = (block: number) => JSON.stringify({ block: { number: `0x${block.toString(16)}` }, accounts: {} })
const save = (text: string) => fs.writeFileSync(chainFiles(dir).state, text)
const saved = () => fs.readFileSync(chainFiles(dir).state, 'utf8')

/** The timestamps of the genesis blocks in a saved state. */
function genesesIn(file: string): string[] {
  const { blocks } = JSON.parse(fs.readFileSync(file, 'utf8')) as { blocks: { header: { number: string; timestamp: string } }[] }
  return blocks.filter(({ header }) => Number(header.number) === 0).map(({ header }) => header.timestamp)
}

describe('chain state', () => {
  it('is read for its block, and stands at none before it is first saved', () => {
    expect(chainStateBlock(dir)).toBe(-1)
    save(stateAt(26))
    expect(chainStateBlock(dir)).toBe(26)
  })

  it('is mended from the last whole copy when it was cut off', () => {
    save(stateAt(1))
    expect(copyChainState(dir)).toBe(true)
    save(stateAt(2).slice(0, -5))
    expect(restoreTruncatedChainState(dir)).toBe(true)
    expect(saved()).toBe(stateAt(1))
  })

  it('is left as it is when it is whole, or when there is no copy', () => {
    expect(restoreTruncatedChainState(dir)).toBe(false)
    save(stateAt(1))
    copyChainState(dir)
    save(stateAt(2))
    expect(restoreTruncatedChainState(dir)).toBe(false)
    expect(saved()).toBe(stateAt(2))
    fs.rmSync(chainFiles(dir).copy)
    save('{')
    expect(restoreTruncatedChainState(dir)).toBe(false)
  })

  it('is copied only when the chain has moved on, and never when it is cut off', () => {
    save(stateAt(1))
    expect(copyChainState(dir)).toBe(true)
    expect(copyChainState(dir)).toBe(false)
    save(stateAt(2).slice(0, -5))
    expect(copyChainState(dir)).toBe(false)
    expect(fs.readFileSync(chainFiles(dir).copy, 'utf8')).toBe(stateAt(1))
  })

  it('keeps one genesis through any number of starts', async () => {
    const seen = new Set<unknown>()
    const saved = new Set<string>()
    for (let start = 0; start < 4; start++) {
      removeLaterGenesisBlocks(dir)
      if (start > 0) saved.add(genesesIn(chainFiles(dir).state).join())
      const anvil = await startAnvil({ state: chainFiles(dir).state })
      await callChain(anvil.rpcUrl, 'evm_mine')
      seen.add(((await callChain(anvil.rpcUrl, 'eth_getBlockByNumber', ['0x0', false])) as { hash: string }).hash)
      await anvil.stop()
      // The second of a genesis distinguishes it from another.
      const second = () => Math.floor(Date.now() / 1_000)
      const last = second()
      await vi.waitFor(() => expect(second()).toBeGreaterThan(last), 90_000)
    }
    expect(genesesIn(chainFiles(dir).state)).toHaveLength(2)
    expect(seen.size).toBe(1)
    expect([...saved]).toEqual([expect.stringMatching(/^0x[0-9a-f]+$/)])
  })
})
