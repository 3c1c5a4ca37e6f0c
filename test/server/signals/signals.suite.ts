import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { type Signal, type SignalBus, sendSignal } from '../../../server/signals/signal.ts'
import type { TestWorld } from '../../support/world.ts'

export type Carrier = {
  readonly world: TestWorld
  /** Another process's end of the same carrier. */
  connect(): Promise<SignalBus>
  /** What a stranger may put there. */
  putRaw(text: string): Promise<void>
  /** Breaks the connection of every listener, not permanently. */
  breakOff(): Promise<void>
}

/** What every carrier of signals promises. `carrier` is asked when the first test runs. */
export function wakeSuite(carrier: () => Carrier): void {
  const signal = (id: string): Signal => ({ topic: 'goal', id })
  async function open() {
    const signals = await carrier().connect()
    const received: (Signal | 'reconnected')[] = []
    const { until } = carrier().world
    signals.on((one) => received.push(one))
    const receives = (id: string) => until(`the signal ${id}`, async () => received.some((one) => one !== 'reconnected' && one.id === id))
    return { signals, received, receives, [Symbol.asyncDispose]: () => signals.close() }
  }

  describe('sendSignal', () => {
    it('is received by other processes once the transaction commits, and not before', async () => {
      const { system } = carrier().world
      await using other = await open()
      const subscribed = Promise.withResolvers<void>()
      const commit = Promise.withResolvers<void>()
      const writing = inTransaction(system, async (tx) => {
        await sendSignal(tx, signal('held'))
        subscribed.resolve()
        await commit.promise
      })
      await subscribed.promise
      await sendSignal(system, signal('other'))
      await other.receives('other')
      expect(other.received).not.toContainEqual(signal('held'))
      commit.resolve()
      await writing
      await other.receives('held')
      expect(other.received).toContainEqual(signal('held'))
    })

    it('is not received where the transaction fails', async () => {
      const { system } = carrier().world
      await using other = await open()
      const failing = inTransaction(system, async (tx) => {
        await sendSignal(tx, signal('lost'))
        throw new RangeError('on purpose')
      })
      await expect(failing).rejects.toThrow('on purpose')
      await sendSignal(system, signal('after'))
      await other.receives('after')
      expect(other.received).not.toContainEqual(signal('lost'))
    })

    it('passes over what is no signal, and continues to receive', async () => {
      const { system } = carrier().world
      await using other = await open()
      for (const text of ['{', '', 'null', '{"topic":1}', '[1]']) await carrier().putRaw(text)
      await sendSignal(system, signal('afterwards'))
      await other.receives('afterwards')
      expect(other.received).toEqual([signal('afterwards')])
    })

    it('reports that it was disconnected, and receives again', async () => {
      const { system, until } = carrier().world
      await using other = await open()
      await carrier().breakOff()
      await until('the listener to be back', async () => other.received.includes('reconnected'))
      // The teller may be back later than the listener.
      await until('the next signal', async () => {
        await sendSignal(system, signal('again'))
        return other.received.some((one) => one !== 'reconnected' && one.id === 'again')
      })
    })

    it('carries what is published, the last of many that are about one thing', async () => {
      await using other = await open()
      await using teller = await open()
      const about = (id: string, seq: number): Signal => ({ topic: 'room', id, seq, from: 'teller' })
      // The first is in progress when the others come.
      teller.signals.publish([about('first', 1)])
      teller.signals.publish([about('room', 1), about('room', 3), about('another', 1)])
      teller.signals.publish([about('room', 2)])
      await Promise.all(['first', 'room', 'another'].map((id) => other.receives(id)))
      const ofRoom = other.received.filter((one) => one !== 'reconnected' && one.id === 'room')
      expect(ofRoom).toEqual([about('room', 3)])
    })

    it('delivers what was published while its carrier was disconnected', async () => {
      const { until } = carrier().world
      await using other = await open()
      await using teller = await open()
      await carrier().breakOff()
      teller.signals.publish([signal('meanwhile')])
      await until('the teller to be back', async () => teller.received.includes('reconnected'))
      // Who was away as well reads again; who reconnects sooner receives it.
      await until('the signal, or that there is something to read', async () =>
        other.received.some((one) => one === 'reconnected' || one.id === 'meanwhile'),
      )
      // A listener that returns after the signal gets the order to read again instead.
      await until('a later signal', async () => {
        teller.signals.publish([signal('later')])
        return other.received.some((one) => one !== 'reconnected' && one.id === 'later')
      })
    })

    it('sends nothing to closed subscriptions, and nothing after the close', async () => {
      const { system } = carrier().world
      await using other = await open()
      const third = await open()
      const own: unknown[] = []
      other.signals.on((one) => own.push(one))()
      await sendSignal(system, signal('unheard'))
      await Promise.all([other.receives('unheard'), third.receives('unheard')])
      expect(own).toEqual([])
      await third.signals.close()
      const before = third.received.length
      await sendSignal(system, signal('too late'))
      await other.receives('too late')
      expect(third.received).toHaveLength(before)
    })
  })
}
