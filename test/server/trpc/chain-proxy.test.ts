import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { forwardToChain } from '../../../server/trpc/chain-proxy.ts'
import { startChain, type TestChain } from '../../support/chain.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain[Symbol.asyncDispose]())

const ports = {}
function context(isLocalChain = true): Context {
  const clock = { now: () => new Date() }
  return { actor: { kind: 'anonymous' }, market: { isLocalChain }, clock, ports, log: { warn: () => {} } } as unknown as Context
}
async function ask(body: unknown, options: { isLocalChain?: boolean; rpcUrl?: string } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const stream = new Response(text).body
  const response = await forwardToChain(context(options.isLocalChain), {
    body: stream,
    source: 'test',
    rpcUrl: options.rpcUrl ?? chain.rpcUrl,
  })
  return { status: response.status, answer: (await response.json()) as { result?: unknown; error?: { code: number; message: string } } }
}
const call = (method: string, params: unknown[] = []) => ({ jsonrpc: '2.0', id: 1, method, params })

describe('forwardToChain', () => {
  it('passes reading on to the node', async () => {
    expect((await ask(call('eth_chainId'))).answer.result).toBe(`0x${chain.chainId.toString(16)}`)
  })

  it('passes a batch on as one', async () => {
    const { answer } = await ask([call('eth_chainId'), { ...call('eth_blockNumber'), id: 2 }])
    expect(answer).toHaveLength(2)
  })

  it.each([
    'anvil_setBalance',
    'evm_increaseTime',
    'eth_sendTransaction',
    'eth_sign',
    'personal_sign',
    'hardhat_reset',
    'debug_traceCall',
    'eth_accounts',
  ])('does not pass %s on, alone or in a batch', async (method) => {
    expect((await ask(call(method))).answer.error?.code).toBe(-32_601)
    expect((await ask([call('eth_chainId'), call(method)])).answer.error?.code).toBe(-32_601)
  })

  it('is not there on a chain with value', async () => {
    expect((await ask(call('eth_chainId'), { isLocalChain: false })).status).toBe(404)
  })

  it('refuses what is too large, and what is no request', async () => {
    expect((await ask(call('eth_call', ['x'.repeat(70_000)]))).status).toBe(413)
    expect((await ask('{')).status).toBe(400)
    expect((await ask({ jsonrpc: '1.0', id: 1, method: 'eth_chainId' })).status).toBe(400)
    expect((await ask(Array.from({ length: 21 }, () => call('eth_chainId')))).status).toBe(400)
  })

  it('says so when the node does not answer', async () => {
    const { status, answer } = await ask(call('eth_chainId'), { rpcUrl: 'http://127.0.0.1:9' })
    expect(status).toBe(502)
    expect(answer.error?.message).toMatch(/did not answer/)
  })

  it('passes on no more of an answer than it may have', async () => {
    let sent = 0
    const node = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        sent += 65_536
        if (!response.destroyed) response.write('"'.padEnd(65_536), () => setImmediate(more))
      }
      more()
    })
    await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening))
    const { port } = node.address() as AddressInfo
    const { status, answer } = await ask(call('eth_getLogs'), { rpcUrl: `http://127.0.0.1:${port}` })
    node.closeAllConnections()
    node.close()
    expect([status, answer.error?.code]).toEqual([413, -32_005])
    expect(sent).toBeLessThan(64 * 1_048_576)
  })
})
