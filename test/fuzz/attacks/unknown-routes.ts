import type { Fault } from '../edge/oracles.ts'
import { ask } from '../ground/http.ts'
import { hubRequest, type Place, webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

const unknown = [
  '/nothing',
  '/v1/nothing',
  '/api/nothing',
  '/api/trpc/nothing.here',
  '/goals/x/y/z',
  '/agents/a/b',
  '/.git/config',
  '/.env',
  '/_next/../package.json',
  '/constructor',
  '/__proto__',
  '/v1/constructor',
]

/** What is not there is not found, whatever it is called and however it is asked for. */
async function wander(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const path of unknown)
    for (const method of ['GET', 'POST', 'DELETE'])
      for (const [name, make] of [
        ['web', webRequest],
        ['hub', hubRequest],
      ] as const) {
        const { status } = await ask(make(place, 'anonymous', method, path, method === 'POST' ? '{}' : null))
        if (status !== 404 && status !== 405 && !(name === 'web' && status === 308))
          faults.push(fault('unknown routes', `${name}: ${method}`, `${path} answered ${status}, not 404`))
      }
  return faults
}

export const routes: Attack = { name: 'unknown routes', run: wander }
