/** JobEscrow8183 on the escrow of a test's chain, and jobs in every state. */
import { type Abi, type Address, type LocalAccount, maxUint256, parseEventLogs, zeroAddress } from 'viem'
import { jobEscrow8183Abi, jobEscrow8183Bytecode, planEscrowAbi, testUsdcAbi } from '../../../contracts/abi/index.ts'
import { waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, createWorld, hash, type Told, usdc } from '../world.ts'

export const statuses = ['Open', 'Funded', 'Submitted', 'Completed', 'Rejected', 'Expired'] as const
export type Status = (typeof statuses)[number]
export const { client, alice: provider, evaluator, stranger } = actors
export const budget = usdc(10)
export const reason = hash(0xcc)
export const deliverable = hash(0xdd)

export type Jobs = Awaited<ReturnType<typeof createJobs>>

/** `of`: which of the world's tokens jobs are paid in. */
export async function createJobs(of: 'token' | 'wayward' = 'token', shared?: Awaited<ReturnType<typeof createWorld>>) {
  const world = shared ?? (await createWorld())
  const token = world[of]
  const address = await world.deploy(jobEscrow8183Abi as Abi, jobEscrow8183Bytecode, [world.escrow, token])
  await world.write(client, token, testUsdcAbi as Abi, 'approve', [address, maxUint256])

  async function call(by: LocalAccount, functionName: string, args: readonly unknown[]) {
    const { receipt, gas } = await world.write(by, address, jobEscrow8183Abi as Abi, functionName, args)
    const logs = receipt.logs.filter((log) => log.address.toLowerCase() === address.toLowerCase())
    const events = parseEventLogs({ abi: jobEscrow8183Abi, logs })
    return { receipt, gas: Number(gas), events: events.map((log): Told => ({ name: log.eventName, ...log.args })) }
  }
  const read = (functionName: 'getJob' | 'planOf', id: bigint) =>
    world.reader.readContract({ address, abi: jobEscrow8183Abi, functionName, args: [id] })
  const counter = () => world.reader.readContract({ address, abi: jobEscrow8183Abi, functionName: 'jobCounter' })
  const statusOf = async (id: bigint): Promise<Status> => statuses[((await read('getJob', id)) as { status: number }).status] ?? 'Open'

  async function create(changes: { provider?: Address; evaluator?: Address; expiresIn?: number; by?: LocalAccount } = {}) {
    const expiredAt = BigInt((await world.now()) + (changes.expiresIn ?? 3600))
    const who = [changes.provider ?? provider.address, changes.evaluator ?? evaluator.address]
    const { events, gas } = await call(changes.by ?? client, 'createJob', [...who, expiredAt, 'Write it.', zeroAddress])
    return { id: await counter(), expiredAt, events, gas }
  }

  /** A job that has come so far, by the ways of the standard. */
  async function jobIn(status: Status, expiresIn = 3600): Promise<{ id: bigint; expiredAt: bigint }> {
    const { id, expiredAt } = await create({ expiresIn })
    await call(client, 'setBudget', [id, budget, '0x'])
    if (status === 'Open') return { id, expiredAt }
    await call(client, 'fund', [id, budget, '0x'])
    if (status === 'Submitted' || status === 'Completed') await call(provider, 'submit', [id, deliverable, '0x'])
    if (status === 'Completed') await call(evaluator, 'complete', [id, reason, '0x'])
    if (status === 'Rejected') await call(evaluator, 'reject', [id, reason, '0x'])
    if (status === 'Expired') {
      await world.timeIs(Number(expiredAt))
      await call(stranger, 'claimRefund', [id])
    }
    return { id, expiredAt }
  }

  const remaining = async (id: bigint) => {
    const [, left] = await world.reader.readContract({
      address: world.escrow,
      abi: planEscrowAbi,
      functionName: 'plan',
      args: [(await read('planOf', id)) as `0x${string}`],
    })
    return left
  }

  return {
    world,
    token,
    address,
    call,
    create,
    jobIn,
    statusOf,
    remaining,
    counter,
    getJob: (id: bigint) => read('getJob', id),
    /** How the wayward token answers transfers to this account: 0 as it should, 1 reverting, 2 false, 7 lying. */
    answer: (who: Address, how: number) => world.write(actors.relayer, token, waywardTokenAbi as Abi, 'setAnswer', [who, how]),
    balance: (who: Address) => world.balance(who, token),
    /** Everything that a job's actors hold, and the two contracts. */
    async money() {
      const [of, job, plan, done] = await Promise.all(
        [client.address, address, world.escrow, provider.address].map((who) => world.balance(who, token)),
      )
      return { client: of ?? 0n, jobs: job ?? 0n, escrow: plan ?? 0n, provider: done ?? 0n }
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}
