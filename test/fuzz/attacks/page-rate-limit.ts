import type { Fault } from '../edge/oracles.ts'
import { ask } from '../ground/http.ts'
import { type Place, webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

/** The whole budget is used up by another attack. */
const perPage = 96
const atOnce = 8
const from = '127.4.0.1'

/** A client that asks for pages too often gets a working page that tells it to wait. */
async function crowd(place: Place): Promise<Fault[]> {
  const { scene } = place
  const faults: Fault[] = []
  for (const path of ['/agents', '/goals', `/goals/${scene.goals.work.id}`, `/agents/${scene.agents.helper.handle}`]) {
    let isLimited = false
    for (let sent = 0; sent < perPage && !isLimited; sent += atOnce) {
      const request = { ...webRequest(place, 'anonymous', 'GET', path), from }
      const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(request)))
      const broken = answers.find(({ status }) => status >= 500 || status === 0)
      if (broken) {
        faults.push(fault('pages bear a crowd', path.replace(/gol_\w+/, '[id]'), `answered ${broken.status} when asked often`))
        break
      }
      isLimited = answers.some(({ status, headers }) => status === 429 || `${headers.location ?? ''}`.includes('rate.exceeded'))
    }
  }
  return faults
}

export const crowding: Attack = { name: 'pages asked too often', run: crowd }
