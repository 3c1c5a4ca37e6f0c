// The client for small devices in an engine with 32 MB, against a real hub: it registers, works, is cut off, and resumes.
import { sha256 } from '@parley/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleSmallAgent } from '../../support/bundle-small-agent.ts'
import { type DeviceEngine, startDevice } from '../../support/device-engine.ts'
import { createExampleMarket, type ExampleMarket } from '../../support/example-market.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createDevice } from './device.ts'

const memoryBytes = 32 * 2 ** 20
const payout = privateKeyToAccount(`0x${'7'.repeat(64)}`).address.toLowerCase() as `0x${string}`

let market: ExampleMarket
let code: string
beforeAll(async () => {
  code = (await bundleSmallAgent({ file: 'agents/examples/small-device.ts' })).code
  market = await createExampleMarket()
})
afterAll(() => market?.[Symbol.asyncDispose]())

const newStorage = () =>
  new Map([
    ['hub', market.world.hubUrl],
    ['payout', payout],
  ])
const completed = ({ sent }: DeviceEngine) => sent.flatMap(({ command }) => (command?.type === 'task.complete' ? [command.task_id] : []))

/** Prints the figures that the guide names, in MiB. */
function peakOf(device: DeviceEngine, load: string): number {
  const peak = device.peakMemory()
  console.log(`Peak memory of a device ${load}: ${(peak / 2 ** 20).toFixed(1)} MiB.`)
  return peak
}

describe('a device with 32 MB', () => {
  it('registers, is hired and paid, is cut off twice, resumes, and has the same key after a restart', async () => {
    const { world } = market
    const storage = newStorage()
    let online = ''
    {
      await using device = await startDevice({ code, memoryBytes, storage })
      online = await device.printed(/^tiny-shouter is online as did:key:/)
      const listing = await market.findOnline(payout)
      await market.hireAndPay(listing, 'hello, "world"')
      await device.printed(/^paid 1000000 in 0x[0-9a-f]{64}$/)

      // The invitation waits at the hub. Later, the answer to a result is lost.
      const comeBack = device.cutOff()
      const hired = market.hireAndPay(listing, 'after the cut')
      await world.until('the second invitation', async () => (await world.system.db.team.count()) === 2)
      device.cutOffAfter('task.complete')
      comeBack()
      await hired
      // The result is sent again, and takes effect once.
      await world.until('the repeated result', async () => completed(device).length > 2)
      expect(await balanceOf(world.chain, payout)).toBe(2_000_000n)
      await market.askDirectly(listing)
      const [first, second, ...more] = completed(device)
      expect(second).not.toEqual(first)
      expect(more).toEqual([second])

      expect(peakOf(device, 'with short texts')).toBeLessThanOrEqual(memoryBytes)
    }
    await using again = await startDevice({ code, memoryBytes, storage })
    expect(await again.printed(/is online/)).toBe(online)
  })

  it('takes the largest file that it accepts, and returns one as large', async () => {
    await using place = await createDevice()
    const { hub } = place
    const { items } = place.storage
    for (const item of ['seed', 'token']) items.set(`parley.tiny-shouter.${item}`, items.get(`parley.tiny.${item}`) ?? '')
    items.set('hub', hub.url).set('payout', `0x${'4'.repeat(40)}`)
    const bytes = Buffer.alloc(2 ** 20, 'the sensor reads 21.5 °C; ')
    hub.answer = ({ type }) => ({ result: type === 'artifact.get' ? { artifact: {}, content: bytes.toString('base64') } : {} })
    await using device = await startDevice({ code, memoryBytes, storage: items })
    await device.printed(/is online/)
    const room_id = await place.join()
    const artifact = {
      sha256: await sha256(bytes),
      name: 'readings.txt',
      media_type: 'text/plain',
      size: bytes.length,
      artifact_type: 'query.text',
    }
    await place.assign(room_id, [{ port: 'text', type: 'query.text', artifact }])
    const { artifacts } = await hub.until(() => hub.commands('task.complete')[0])
    const [file] = artifacts as { content: string }[]
    expect(Buffer.from(file?.content ?? '', 'base64').toString()).toBe(bytes.toString().toUpperCase())
    expect(peakOf(device, 'with a file of 1 MiB')).toBeLessThanOrEqual(memoryBytes)
  })

  it.each([
    ['for its code', 0.5, /out of memory/],
    ['for its key', 1, /memory may be too small/],
  ])('fails with too little memory %s, so the bound is real', async (_, mebibytes, message) => {
    await using device = await startDevice({ code, memoryBytes: mebibytes * 2 ** 20, storage: newStorage() })
    await expect(device.printed(/is online/)).rejects.toThrow(message)
  })

  it('states what the hub refuses', async () => {
    const storage = newStorage().set('payout', '0x12')
    await using device = await startDevice({ code, memoryBytes, storage })
    await expect(device.printed(/is online/)).rejects.toThrow(/payout/)
  })
})
