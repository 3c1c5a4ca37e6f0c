import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { getChannel, getHold } from '../../../../server/settlement/index.ts'
import { answeredCall, createChannelWorld, drive as driveChannels, openedChannel } from '../channel-world.ts'
import { authorize, capture, createMoneyWorld, drive, handOver, open } from '../money-world.ts'

/** The same world, which counts open database transactions during queries of a node or a signer. */
function watched(ctx: Context): { readonly ctx: Context; readonly asked: Set<string>; readonly inTransaction: Set<string> } {
  const [asked, inTransaction] = [new Set<string>(), new Set<string>()]
  const rail = new Proxy(ctx.ports.rail, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return (...args: unknown[]) => {
        const answer: unknown = method.apply(target, args)
        if (!(answer instanceof Promise)) return answer
        asked.add(String(name))
        // The caller handles a rejection, but only after the query below.
        answer.catch(() => undefined)
        return (async () => {
          const [open] = await ctx.db.$queryRaw<{ count: bigint }[]>`
            select count(*) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
          if (Number(open?.count ?? 0) > 0) inTransaction.add(String(name))
          return answer
        })()
      }
    },
  })
  return { ctx: { ...ctx, ports: { ...ctx.ports, rail } }, asked, inTransaction }
}

describe('inTransactionAsking', () => {
  it('asks node and signers while no database transaction is open, for goals alone and together', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n })
    const { ctx, asked, inTransaction } = watched(world.system)
    const goals = [await open(world), await open(world), await open(world)]
    for (const goalId of goals) await authorize(world, goalId)
    await drive(world, ctx)
    for (const goalId of goals) await handOver(world, goalId)
    await drive(world, ctx)
    for (const goalId of goals) await capture(world, goalId, 0b111n)
    await drive(world, ctx)
    for (const goalId of goals) expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect([...asked]).toEqual(expect.arrayContaining(['plan', 'encode', 'simulate', 'sign', 'broadcast', 'receipt', 'readEvents']))
    expect([...inTransaction]).toEqual([])
  })

  it('does so for channels too', { timeout: 900_000 }, async () => {
    await using place = await createChannelWorld()
    const { ctx, asked, inTransaction } = watched(place.world.system)
    const id = await openedChannel(place)
    await answeredCall(place, id)
    await place.client.send({ type: 'channel.close', channel_id: id })
    await driveChannels(place, ctx)
    expect((await getChannel(place.world.system, id)).state).not.toBe('open')
    expect([...asked]).toEqual(expect.arrayContaining(['channel', 'head', 'encode']))
    expect([...inTransaction]).toEqual([])
  })
})
