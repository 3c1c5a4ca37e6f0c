import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { noRpcFaults } from '../../../chaos/faulty-rpc-proxy.ts'
import type { Fault } from '../edge/oracles.ts'
import { ask } from '../ground/http.ts'
import { slowness } from '../ground/slowness.ts'
import { type Place, webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, mutate, mutateWithRetry } from './request-helpers.ts'

const signInMs = 2_500
const pageMs = 1_000

/** The chain's node takes every question and answers none. */
async function hang(place: Place): Promise<Fault[]> {
  const { rpc, world } = place.installation
  const faults: Fault[] = []
  const { nonce, statement } = (await mutateWithRetry(place, 'anonymous', 'identity.issueNonce', null)) as {
    nonce: string
    statement: string
  }
  const { host, origin } = new URL(place.installation.web.url)
  const address = getAddress(world.chain.escrow)
  const expires = new Date(Date.now() + 300_000)
  const message = createSiweMessage({
    domain: host,
    address,
    statement,
    uri: origin,
    version: '1',
    chainId: world.chain.chainId,
    nonce,
    issuedAt: new Date(),
    expirationTime: expires,
  })
  rpc.faultRates = { ...noRpcFaults, stall: 1 }
  try {
    const answer = await mutate(place, 'anonymous', 'identity.signIn', { message, signature: `0x${'1b'.repeat(100)}` })
    if (answer.ms > signInMs * slowness())
      faults.push(fault('outbound calls end', 'sign-in of a contract wallet', `answered after ${Math.round(answer.ms)} ms`))
    for (const path of ['/', '/goals', '/agents', `/goals/${place.scene.goals.work.id}`]) {
      const page = await ask(webRequest(place, 'client', 'GET', path))
      if (page.status >= 500 || page.ms > pageMs * slowness())
        faults.push(
          fault('outbound calls end', `page ${path.replace(/gol_\w+/, '[id]')}`, `answered ${page.status} after ${Math.round(page.ms)} ms`),
        )
    }
  } finally {
    rpc.faultRates = noRpcFaults
  }
  return faults
}

export const hanging: Attack = { name: 'a node that hangs', run: hang }
