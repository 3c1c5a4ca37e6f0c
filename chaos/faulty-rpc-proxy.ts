import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { keccak256 } from 'viem'

/** The probability of each fault for a request to which it applies, from 0 to 1. */
export type RpcFaultRates = {
  /** No answer until the caller's timeout. */
  readonly stall: number
  /** The node receives it, and its answer is lost. */
  readonly lose: number
  /** 429. */
  readonly refuse: number
  /** Answers of a lagging node: a smaller nonce, no receipt, an empty log. */
  readonly lag: number
  /** A transaction is sent to the node twice, at once or after it was mined. The second answer is returned. */
  readonly twice?: 'at once' | 'once mined'
  /** The node accepts a transaction, and its answer is lost; in addition to `lose`. */
  readonly loseSent?: number
}
export const noRpcFaults: RpcFaultRates = { stall: 0, lose: 0, refuse: 0, lag: 0 }

/** How long a transaction is watched until it is mined. */
const watchedMs = 1_500

export type Call = { readonly method: string; readonly params?: readonly unknown[]; readonly id: number }
/** Answers that need no request to the node. */
export type Reply = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

export type RpcProxy = {
  readonly url: string
  faultRates: RpcFaultRates
  /** The number of faults, by kind. */
  readonly done: Map<string, number>
  /** Called for each transaction before the node receives it, and after the node's answer before it is forwarded. */
  onSend: (when: 'first byte' | 'accepted') => void
  /** An answer instead of the node's; null: the request is forwarded. */
  instead: (call: Call) => Reply | null
  /** A replacement for the node's answer; undefined: unchanged. */
  rewrite: (call: Call, truth: unknown) => unknown
  close(): Promise<void>
}

/** A proxy of a node that injects faults on command. `random` decides, so that a run can be repeated. */
export async function startFaultyRpcProxy(target: string, random: () => number): Promise<RpcProxy> {
  const done = new Map<string, number>()
  const note = (what: string) => {
    done.set(what, (done.get(what) ?? 0) + 1)
    return true
  }
  const happens = (chance: number, what: string) => chance > 0 && random() < chance && note(what)

  const server = http.createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const call = JSON.parse(body.toString()) as Call
    const isSend = call.method === 'eth_sendRawTransaction'
    const { stall, refuse, lose } = proxy.faultRates
    if (happens(refuse, 'refused')) {
      response.writeHead(429).end('{}')
      return
    }
    if (happens(stall, 'stalled')) return
    if (isSend) proxy.onSend('first byte')
    if (isSend && proxy.faultRates.twice && proxy.instead(call) === null && note(`sent twice, ${proxy.faultRates.twice}`))
      await sendBefore(call, body)
    const text = await answerCall(call, body)
    if (isSend) proxy.onSend('accepted')
    if (isSend ? happens(lose + (proxy.faultRates.loseSent ?? 0), 'answers to broadcasts lost') : happens(lose, 'answers lost')) {
      response.destroy()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  }

  async function answerCall(call: Call, body: Buffer): Promise<string> {
    const reply = proxy.instead(call)
    if (reply) return JSON.stringify({ jsonrpc: '2.0', id: call.id, ...reply })
    const lagging = lagged(call)
    if (lagging !== undefined) return JSON.stringify({ jsonrpc: '2.0', id: call.id, result: lagging })
    const text = await forward(body)
    const answer = JSON.parse(text) as { result?: unknown }
    const other = proxy.rewrite(call, answer.result)
    return other === undefined ? text : JSON.stringify({ jsonrpc: '2.0', id: call.id, result: other })
  }

  async function sendBefore(call: Call, body: Buffer): Promise<void> {
    await forward(body)
    if (proxy.faultRates.twice !== 'once mined') return
    const hash = keccak256(call.params?.[0] as `0x${string}`)
    const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] })
    for (const since = Date.now(); Date.now() - since < watchedMs; await pause(40))
      if (JSON.parse(await forward(Buffer.from(question))).result) return
  }

  async function forward(body: Buffer): Promise<string> {
    const answered = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body: new Uint8Array(body) })
    return answered.text()
  }

  /** The answer of a node that is some blocks behind; undefined if this block is not affected. */
  function lagged(call: Call): unknown {
    const { lag } = proxy.faultRates
    if (call.method === 'eth_getTransactionReceipt' && happens(lag, 'receipts withheld')) return null
    if (call.method === 'eth_getTransactionCount' && happens(lag, 'nonces of the past')) return '0x1'
    // For a query by hash, a node without the block answers so; for a query by range, it returns the logs that it has.
    const isByHash = JSON.stringify(call.params ?? []).includes('"blockHash"')
    if (call.method === 'eth_getLogs' && !isByHash && happens(lag, 'logs withheld')) return []
    return undefined
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faultRates: noRpcFaults,
    done,
    onSend: () => {},
    instead: () => null,
    rewrite: () => undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
