import type { Fault } from '../edge/oracles.ts'
import { ask, type Request } from '../ground/http.ts'
import { hubRequest, jsonInUrl, type Place, webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

/** What proxies write, and anybody can. */
const headers = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'fly-client-ip']
/** More than the largest budget of these doors, and what comes back meanwhile. */
const max = 460
/** One stranger for each attack: nobody else is to have used up what it has. */
let strangers = 0
const stranger = () => `127.3.0.${++strangers}`

async function limitedAfter(make: (n: number) => Request): Promise<number | null> {
  for (let n = 1; n <= max; n++) {
    const { status } = await ask(make(n))
    if (status === 429) return n
  }
  return null
}

/** A budget of strangers is by the address that they really come from: no header brings a new one, or takes another client's. */
async function bypass(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const doors: [name: string, make: () => Request][] = [
    ['web goals.list', () => webRequest(place, 'anonymous', 'GET', `/api/trpc/goals.list?input=${jsonInUrl({ json: { limit: 1 } })}`)],
    ['hub registry', () => hubRequest(place, 'anonymous', 'GET', '/v1/registry')],
  ]
  for (const [door, make] of doors) {
    const from = stranger()
    const plain = await limitedAfter(() => ({ ...make(), from }))
    if (plain === null) {
      faults.push(fault('rates are limited', door, `${max} requests of one address were answered`))
      continue
    }
    for (const header of headers) {
      const forged = (n: number) => (header === 'forwarded' ? `for=10.1.${n % 200}.${n % 250}` : `10.1.${n % 200}.${n % 250}`)
      const passed = await passes((n) => ({ ...make(), from, headers: { ...make().headers, [header]: forged(n) } }))
      // On a busy machine the budget may have come back meanwhile.
      const isBack = passed > 0.5 && (await passes(() => ({ ...make(), from }))) > 0.5
      if (passed > 0.5 && !isBack)
        faults.push(fault('rates are limited', door, `${header} brings a new budget to an address that has none left`))
    }
    const victim = '127.3.9.9'
    const other = stranger()
    for (let n = 0; n < max; n++) await ask({ ...make(), from: other, headers: { ...make().headers, 'x-forwarded-for': victim } })
    const { status } = await ask({ ...make(), from: victim })
    if (status === 429) faults.push(fault('rates are limited', door, 'x-forwarded-for uses up the budget of the address that it names'))
  }
  return faults
}

/** The share of requests that were answered, of an address whose budget is used up. */
async function passes(make: (n: number) => Request): Promise<number> {
  let passed = 0
  for (let n = 1; n <= 12; n++) if ((await ask(make(n))).status !== 429) passed++
  return passed / 12
}

export const forwarded: Attack = { name: 'forged addresses', run: bypass }
