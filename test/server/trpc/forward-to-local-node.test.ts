import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { forwardToLocalNode } from '../../../server/trpc/forward-to-local-node.ts'
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
async function ask(body: unknown, options: { isLocalChain?: boolean; rpcUrl?: string; source?: string } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const stream = new Response(text).body
  const response = await forwardToLocalNode(context(options.isLocalChain), {
    body: stream,
    source: options.source ?? 'test',
    rpcUrl: options.rpcUrl ?? chain.rpcUrl,
  })
  return { status: response.status, answer: (await response.json()) as { result?: unknown; error?: { code: number; message: string } } }
}
const call = (method: string, params: unknown[] = []) => ({ jsonrpc: '2.0', id: 1, method, params })

describe('forwardToLocalNode', () => {
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

  it.each([
    ['state of its own', [{ to: `0x${'aa'.repeat(20)}` }, 'latest', { [`0x${'aa'.repeat(20)}`]: { code: '0x5b600056' } }]],
    ['a block of its own', [{ to: `0x${'aa'.repeat(20)}` }, 'latest', {}, { gasLimit: '0xffffffff' }]],
    ['more gas than is offered', [{ to: `0x${'aa'.repeat(20)}`, gas: '0x1c9c380' }, 'latest']],
    ['gas that is no number', [{ to: `0x${'aa'.repeat(20)}`, gas: 'all' }, 'latest']],
    ['a block by an object', [{ to: `0x${'aa'.repeat(20)}` }, { blockHash: '0x' }]],
  ])('runs no call with %s', async (_what, params) => {
    expect((await ask([call('eth_chainId'), call('eth_call', params)])).answer.error?.code).toBe(-32_602)
  })

  it.each([
    ['eth_feeHistory', [(2n ** 256n - 1n).toString(), 'latest', [25]]],
    ['eth_feeHistory', ['0x401', 'latest']],
    ['eth_feeHistory', ['text', 'latest']],
    ['eth_feeHistory', ['0x4', 'latest', [101]]],
    ['eth_getLogs', [{ fromBlock: 'x'.repeat(60) }]],
    ['eth_getLogs', []],
    ['eth_getBalance', ['0x00', 'latest']],
    ['eth_getBlockByNumber', ['latest', 'yes']],
    ['eth_getTransactionReceipt', [null]],
    ['eth_sendRawTransaction', ['text']],
    ['eth_chainId', [1]],
  ])('does not pass on %s with parameters that are not valid', async (method, params) => {
    const { status, answer } = await ask(call(method, params))
    expect([status, answer.error?.code]).toEqual([200, -32_602])
    // A node for development ends at some of them.
    expect((await ask(call('eth_chainId'))).answer.result).toBeDefined()
  })

  it('passes on what wallets send', async () => {
    const account = `0x${'aa'.repeat(20)}`
    const sent = [
      call('eth_feeHistory', ['0x4', 'latest', [25, 75]]),
      call('eth_feeHistory', ['0x400', 'latest', []]),
      call('eth_getLogs', [{ address: [account], fromBlock: '0x0', toBlock: 'latest', topics: [null, [`0x${'00'.repeat(32)}`]] }]),
      call('eth_getBalance', [account, 'latest']),
      call('eth_getTransactionCount', [account, 'pending']),
      call('eth_getBlockByNumber', ['latest', false]),
      call('eth_estimateGas', [{ from: account, to: account, value: '0x0', type: '0x2', accessList: [] }]),
      call('eth_getTransactionReceipt', [`0x${'00'.repeat(32)}`]),
    ]
    for (const one of sent) expect((await ask(one)).answer.error?.code, one.method).not.toBe(-32_602)
  })

  it('gives a call that names no gas a bounded amount', async () => {
    const { gas, ...sender } = { gas: '0x2dc6c0', from: `0x${'aa'.repeat(20)}` }
    // GAS, MSTORE, RETURN: as init code, it answers what it was given.
    const data = '0x5a60005260206000f3'
    const left = async (tx: object) => Number((await ask(call('eth_call', [{ ...sender, data, ...tx }, 'latest']))).answer.result)
    expect(await left({})).toBeLessThan(5_000_000)
    expect(await left({ gas })).toBeLessThan(3_000_000)
  })

  it('counts each call of a batch', async () => {
    const batch = Array.from({ length: 20 }, () => call('eth_chainId'))
    let status = 200
    for (let nth = 0; nth < 200 && status === 200; nth++) status = (await ask(batch, { source: 'a flood' })).status
    expect(status).toBe(429)
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

  it('reports it when the node does not answer', async () => {
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
    const { status, answer } = await ask(call('eth_getLogs', [{}]), { rpcUrl: `http://127.0.0.1:${port}` })
    node.closeAllConnections()
    node.close()
    expect([status, answer.error?.code]).toEqual([413, -32_005])
    expect(sent).toBeLessThan(64 * 1_048_576)
  })
})
