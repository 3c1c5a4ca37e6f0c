import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { anvilReady, callChain, spawnAnvil } from '../../../server/embedded/chain/anvil.ts'
import { chainFiles, removeLaterGenesisBlocks } from '../../../server/embedded/chain/restore-and-copy-chain-state.ts'
import { endWithParent } from '../../../server/embedded/processes/end-with-parent.ts'
import { anyFreePort } from '../../../server/embedded/processes/next-free-port.ts'
import { type Jobs, startJobs } from '../../../server/jobs/index.ts'
import { getFundingTerms, reconcile } from '../../../server/settlement/index.ts'
import type { TestChain } from '../../support/chain.ts'
import { developmentKeys } from '../../support/development-keys.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'
import { newEnvelopeId } from '../hub/bare-agent.ts'

/** A chain that can go away and come back as it was, on the same port. */
type MortalChain = TestChain & { start(): Promise<void> }

async function createMortalChain(): Promise<MortalChain> {
  const { stateFile, chainId, token, escrow, channels } = inject('deployedChain')
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-chain-'))
  const { state } = chainFiles(home)
  fs.copyFileSync(stateFile, state)
  const port = await anyFreePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let callOff = () => {}
  async function start(): Promise<void> {
    removeLaterGenesisBlocks(home)
    const log = fs.openSync(path.join(home, 'anvil.log'), 'a')
    child = spawnAnvil({ port, log, state, cacheDir: path.join(home, 'cache') })
    fs.closeSync(log)
    callOff = endWithParent(child.pid ?? 0, 'KILL')
    await anvilReady(rpcUrl, child)
  }
  async function stop(): Promise<void> {
    const dying = child
    child = null
    if (!dying) return
    const ended = new Promise((resolve) => dying.once('exit', resolve))
    dying.kill('SIGTERM')
    await ended
    callOff()
  }
  await start()
  return {
    rpcUrl,
    chainId,
    token,
    escrow,
    channels,
    keys: developmentKeys,
    warp: async (seconds) => {
      await callChain(rpcUrl, 'evm_increaseTime', [seconds])
      await callChain(rpcUrl, 'evm_mine')
    },
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      fs.rmSync(home, { recursive: true, force: true })
    },
  }
}

let chain: MortalChain
let world: TestWorld
let jobs: Jobs | null = null
beforeAll(async () => {
  chain = await createMortalChain()
  world = await createWorld({ hub: false, jobs: false, chain })
})
afterAll(async () => {
  await jobs?.close()
  await world?.[Symbol.asyncDispose]()
})

const goalState = async (goalId: string) => (await world.goal(goalId)).state

describe('a chain that is away', () => {
  it('is waited out: the goal is funded once, when it is back', async () => {
    const client = await world.person()
    const posted = await client.send<{ goal_id: string }>({
      type: 'goal.post',
      id: newEnvelopeId(),
      goal: {
        text: 'Is to be funded although the chain goes away.',
        criteria: [{ text: 'It is funded.' }],
        budget: '10000000',
        deadline: new Date(Date.now() + 3_600_000).toISOString(),
        review_hours: 1,
      },
      attachments: [],
    })
    const goalId = posted.goal_id
    const { typedData } = await getFundingTerms(client.ctx, goalId)
    const signature = await client.account.signTypedData(typedData as Parameters<typeof client.account.signTypedData>[0])
    await client.send({ type: 'hold.authorize', goal_id: goalId, signature })

    await chain.stop()
    jobs = await startJobs(world.system, world.database.url, { chainIntervalMs: 50 })
    const event = await world.system.db.outboxEvent.findFirstOrThrow({ where: { type: 'hold.authorizing' } })
    await world.until('a first failure', async () => {
      const [job] = await world.system.db.$queryRaw<
        { last_error: string | null }[]
      >`select "last_error" from graphile_worker.jobs where "key" = ${event.id}`
      return job?.last_error
    })
    expect(await goalState(goalId)).toBe('funding')
    expect(await world.system.db.outboxEvent.findUniqueOrThrow({ where: { id: event.id } })).toMatchObject({ handledAt: null })

    await chain.start()
    await world.until('the goal to open', async () => (await goalState(goalId)) === 'open')
    expect(await balanceOf(chain, client.account.address)).toBe(990_000_000n)
    expect(await world.system.db.chainTransaction.count({ where: { goalId, purpose: 'fund' } })).toBe(1)

    // It goes away once more, with nothing to do: the loop continues, and so does what needs no chain.
    await chain.stop()
    await client.send({ type: 'goal.cancel', goal_id: goalId, reason: 'Changed my mind.' })
    await chain.start()
    await world.until('the refund', async () => ['refunded', 'canceled'].includes(await goalState(goalId)))
    expect(await balanceOf(chain, client.account.address)).toBe(1_000_000_000n)
    const books = await reconcile(world.system)
    expect([books.onlyLedger, books.onlyChain, books.differing, books.heldOnChain]).toEqual([[], [], [], 0n])
  }, 900_000)

  it('does not hold up the end of the jobs', async () => {
    await chain.stop()
    const begun = Date.now()
    await jobs?.close()
    jobs = null
    expect(Date.now() - begun).toBeLessThan(15_000)
    await chain.start()
  }, 900_000)
})
