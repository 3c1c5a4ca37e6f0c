import { createSiweMessage } from 'viem/siwe'
import type { Fault } from '../edge/oracles.ts'
import { newId } from '../ground/cast.ts'
import { ask } from '../ground/http.ts'
import { signedWebhook } from '../operations/hub-and-webhook-operations.ts'
import type { Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, mutate, mutateWithRetry } from './request-helpers.ts'

const hour = 3_600
/** Seconds from now that no honest clock is off by. */
const shifts = [hour, 4 * 24 * hour, 3_650 * 24 * hour, -hour, -4 * 24 * hour]

/** A signature over a time is good around that time, not before it and not after. */
async function shiftClocks(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const event = () =>
    JSON.stringify({
      id: `evt_${newId()}`,
      object: 'event',
      type: 'payment_intent.created',
      livemode: false,
      created: 1,
      data: { object: { id: 'pi_x', object: 'payment_intent' } },
    })
  if (!isTaken(await ask(signedWebhook(place, event()))))
    faults.push(fault('signed times', 'stripe', 'a webhook of this moment was refused'))
  for (const shift of shifts) {
    const answer = await ask(signedWebhook(place, event(), Math.floor(Date.now() / 1_000) + shift))
    if (isTaken(answer)) faults.push(fault('signed times', 'stripe', `a webhook signed ${shift} s from now was taken`))
  }
  for (const shift of shifts) {
    const answer = await signInAt(place, shift)
    if (isTaken(answer)) faults.push(fault('signed times', 'sign-in', `a message issued ${shift} s from now was taken`))
  }
  return faults
}

async function signInAt(place: Place, shift: number) {
  const { account } = place.scene.people.stranger
  const { nonce, statement } = (await mutateWithRetry(place, 'anonymous', 'identity.issueNonce', null)) as {
    nonce: string
    statement: string
  }
  const url = new URL(place.installation.web.url)
  const at = Date.now() + shift * 1_000
  const times = { issuedAt: new Date(at), expirationTime: new Date(at + 300_000) }
  const { chainId } = place.installation.world.chain
  const message = createSiweMessage({
    domain: url.host,
    address: account.address,
    statement,
    uri: url.origin,
    version: '1',
    chainId,
    nonce,
    ...times,
  })
  return mutate(place, 'anonymous', 'identity.signIn', { message, signature: await account.signMessage({ message }) })
}

export const clocks: Attack = { name: 'signed times', run: shiftClocks }
