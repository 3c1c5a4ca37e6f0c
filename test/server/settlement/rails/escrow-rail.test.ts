import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, http, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../../contracts/abi/index.ts'
import type { EscrowCall, PreparedTransaction, RefusedCall } from '../../../../server/ports.ts'
import { bumpFees } from '../../../../server/settlement/chain/gas-fees.ts'
import { getFinalizedBlock } from '../../../../server/settlement/chain/get-finalized-block.ts'
import { authorizationTypedData } from '../../../../server/settlement/charters/authorization-and-veto-typed-data.ts'
import { requireEscrowHold } from '../../../../server/settlement/holds/hold.ts'
import { loadHold } from '../../../../server/settlement/holds/hold-store.ts'
import { createEscrowRail } from '../../../../server/settlement/rails/escrow-rail.ts'
import { keySigners } from '../../../support/key-signers.ts'
import { authorize, createMoneyWorld, drive, lower, type MoneyWorld, open, sealedGoal, signMembers } from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})
const rail = () => world.system.ports.rail

/** Encodes, simulates and signs, unless the contract would reject it. */
async function prepare(call: EscrowCall, nonce: number): Promise<PreparedTransaction | RefusedCall> {
  const encoded = await rail().encode(call)
  return (await rail().simulate(encoded)) ?? rail().sign(encoded, nonce, await rail().fees())
}

describe('createEscrowRail', () => {
  it('names a plan as the contract does', async () => {
    const { terms, planId } = requireEscrowHold(await loadHold(world.system, await open(world)))
    const client = createPublicClient({ transport: http(world.chain.rpcUrl) })
    expect(await client.readContract({ address: world.chain.escrow, abi: planEscrowAbi, functionName: 'planId', args: [terms] })).toBe(
      planId,
    )
    expect(rail().planId(terms)).toBe(planId)
  })

  it('signs nothing that the contract would refuse, and gives the reason', async () => {
    const { terms } = requireEscrowHold(await loadHold(world.system, await open(world)))
    expect(await prepare({ kind: 'refund', terms }, 0)).toEqual({ refused: 'The escrow holds no money for this plan.', isFinal: false })
    const funded = await open(world)
    await authorize(world, funded)
    await drive(world)
    const hold = requireEscrowHold(await loadHold(world.system, funded))
    expect(await prepare({ kind: 'refund', terms: hold.terms }, 0)).toEqual({
      refused: 'The escrow accepts this call only later.',
      isFinal: false,
    })
    expect(await prepare({ kind: 'mint', to: world.payees[0] ?? '0x', amount: 10n ** 12n }, 0)).toEqual({
      refused: 'The amount is more than one transaction can mint.',
      isFinal: true,
    })
  })

  it('signs the same bytes for the same call and nonce, and answers their repetition', async () => {
    const call = { kind: 'sendEther', to: world.payees[0] ?? '0x', wei: 1n } as const
    const nonce = await rail().chainNonce()
    const prepared = await prepare(call, nonce)
    if ('refused' in prepared) throw new Error(prepared.refused)
    expect(prepared).toMatchObject({ nonce, sender: rail().sender })
    expect(await rail().receipt(prepared.hash)).toBeNull()
    expect(await rail().broadcast(prepared.raw)).toBe('sent')
    await world.mined()
    expect(['known', 'nonce_used']).toContain(await rail().broadcast(prepared.raw))
    expect(await rail().receipt(prepared.hash)).toMatchObject({ hash: prepared.hash, succeeded: true, hasEvents: false })
    const another = await prepare({ ...call, wei: 2n }, nonce)
    if ('refused' in another) throw new Error(another.refused)
    expect(await rail().broadcast(another.raw)).toBe('nonce_used')
    // The sender has another nonce than the module's own count.
    expect(await rail().chainNonce()).toBe(nonce + 1)
  })

  it('recognizes an offer below the price, and takes the same nonce for more', async () => {
    const nonce = await rail().chainNonce()
    const call = await rail().encode({ kind: 'sendEther', to: world.payees[0] ?? '0x', wei: 3n })
    const fees = await rail().fees()
    await world.rpc('evm_setAutomine', [false])
    const first = await rail().sign(call, nonce, fees)
    expect(await rail().broadcast(first.raw)).toBe('sent')
    expect(await rail().broadcast(first.raw)).toBe('known')
    const same = await rail().sign({ ...call, value: 4n }, nonce, fees)
    expect(await rail().broadcast(same.raw)).toBe('underpriced')
    const unbounded = { caps: rail().feeCaps, gas: call.gas, balance: maxUint256 }
    const raised = bumpFees({ ...first, ...fees, n: 1, isCancel: false, createdAt: new Date() }, fees, unbounded)
    if (typeof raised === 'string') throw new Error(raised)
    const dearer = await rail().sign(call, nonce, raised)
    expect(await rail().broadcast(dearer.raw)).toBe('sent')
    await world.rpc('evm_mine')
    await world.rpc('evm_setAutomine', [true])
    expect(await rail().receipt(first.hash)).toBeNull()
    expect(await rail().receipt(dearer.hash)).toMatchObject({ succeeded: true })
    expect([await rail().chainNonce(), await rail().chainNonce(1)]).toEqual([nonce + 1, nonce])
  })

  it('reads events with plain values, lower-case, in order', async () => {
    const goalId = await sealedGoal(world)
    const { planId, terms } = requireEscrowHold(await loadHold(world.system, goalId))
    const head = await rail().head()
    const events = (await rail().readEvents(0, head.number)).filter((event) => event.planId === planId)
    expect(events.map((event) => event.name)).toEqual(['PlanFunded', 'PlanSealed'])
    expect(events[0]?.args).toEqual({
      planId,
      client: terms.client,
      token: terms.token,
      total: '10250000',
    })
    expect(events[1]?.args.version).toBe(1)
    expect(Math.abs((events[0]?.at ?? 0) - Date.now() / 1000)).toBeLessThan(600)
    expect(await rail().plan(planId)).toMatchObject({ status: 1, remaining: 10_250_000n, version: 1 })
    expect(await rail().blockHash(events[0]?.block ?? 0)).toBe(events[0]?.blockHash)
    expect(await rail().blockHash(head.number + 1_000)).toBeNull()
  })

  it('gives a settlement gas enough for every transfer, not the least with which it succeeds', async () => {
    const goalId = await sealedGoal(world)
    const { terms } = requireEscrowHold(await loadHold(world.system, goalId))
    const steps = Array.from({ length: 60 }, (_, index) => ({ payee: world.payees[index % 2] ?? ('0x' as const), amount: 1n }))
    const hash = `0x${'5e'.repeat(32)}` as const
    const charter = { steps, royalties: [], charterHash: hash }
    const drawn = {
      goalId,
      version: 2,
      charterHash: hash,
      steps: steps.map((step, index) => ({ ...step, step: index + 1, agentId: 'agt_1' })),
    }
    const memberSignatures = await signMembers(world, drawn)
    const typedData = authorizationTypedData(requireEscrowHold(await loadHold(world.system, goalId)), {
      ...drawn,
      hash,
      memberSignatures,
      createdAt: new Date(0),
      authorization: null,
      veto: null,
      sealDueAt: null,
    })
    const authorization = {
      signer: lower(world.client.address),
      signature: await world.client.signTypedData(typedData as Parameters<typeof world.client.signTypedData>[0]),
    }
    const seal = await prepare({ kind: 'seal', terms, version: 2, charter, memberSignatures, authorization }, await rail().chainNonce())
    if ('refused' in seal) throw new Error(seal.refused)
    await rail().broadcast(seal.raw)
    await world.mined()
    const bits = (1n << 60n) - 1n
    const call = { kind: 'settle', terms, version: 2, charter, bits, close: true, conclusionHash: hash } as const
    const settle = await prepare(call, await rail().chainNonce())
    if ('refused' in settle) throw new Error(settle.refused)
    await rail().broadcast(settle.raw)
    await world.mined()
    const receipt = await rail().receipt(settle.hash)
    expect(receipt?.succeeded).toBe(true)
    const events = await rail().readEvents(receipt?.block ?? 0, receipt?.block ?? 0)
    expect(events.filter((event) => event.name === 'Paid')).toHaveLength(60)
    expect(events.filter((event) => event.name === 'Credited')).toHaveLength(0)
  })

  it("asks for the chain's own mark of a final block, and counts blocks where the node knows none", async () => {
    await world.rpc('anvil_mine', ['0x80'])
    const { number } = await rail().head()
    const safe = await rail().taggedBlock('safe')
    expect(safe).toBeLessThan(number)
    expect(await rail().taggedBlock('finalized')).toBeLessThan(safe)
    expect(await getFinalizedBlock({ ...rail(), finality: 'safe', confirmations: 0 }, number)).toBe(safe)
    expect(await getFinalizedBlock({ ...rail(), finality: 'safe', confirmations: 100 }, number)).toBe(number - 100)
    expect(await getFinalizedBlock({ ...rail(), finality: 'confirmations', confirmations: 3 }, number)).toBe(number - 3)

    await using simple = await nodeWithoutTags(world.chain.rpcUrl)
    expect(await railAt(world, simple.url, 7).taggedBlock('safe')).toBe(number - 7)
    await expect(railAt(world, simple.url, null).taggedBlock('finalized')).rejects.toMatchObject({ code: 'hold.chain_unavailable' })
    await expect(railAt(world, 'http://127.0.0.1:1', 7).taggedBlock('safe')).rejects.toMatchObject({ code: 'hold.chain_unavailable' })
  })
})

function railAt({ chain }: MoneyWorld, rpcUrl: string, fallbackConfirmations: number | null) {
  const [settlerKey = '0x', evaluatorKey = '0x'] = chain.keys
  const { chainId, escrow, token } = chain
  return createEscrowRail({
    rpcUrl,
    chainId,
    escrow,
    token,
    signers: keySigners(settlerKey, evaluatorKey),
    confirmations: 0,
    finality: 'safe',
    fallbackConfirmations,
  })
}

/** The same node without support for finality tags. */
async function nodeWithoutTags(rpcUrl: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    response.setHeader('content-type', 'application/json')
    const { id } = JSON.parse(body) as { id: number }
    const refused = { jsonrpc: '2.0', id, error: { code: -32_602, message: 'unknown block tag' } }
    if (/"(safe|finalized)"/.test(body)) response.end(JSON.stringify(refused))
    else response.end(await (await fetch(rpcUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).text())
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
