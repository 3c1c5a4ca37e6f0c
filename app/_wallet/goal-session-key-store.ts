import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/**
 * The session key of one goal. It approves or vetoes that goal's teams for the client, and can do nothing else. It is never
 * sent anywhere; the goal's terms name its address.
 */
const prefix = 'parley.session-key.'
type Kept = { readonly key: Hex; readonly isAutomatic: boolean }

/** Creates the key of a goal that is about to be posted. `isAutomatic`: this browser approves a team as soon as all have signed. */
export function createGoalSessionKey(isAutomatic: boolean): `0x${string}` {
  const key = generatePrivateKey()
  const address = privateKeyToAccount(key).address.toLowerCase() as Hex
  localStorage.setItem(prefix + address, JSON.stringify({ key, isAutomatic } satisfies Kept))
  return address
}

/** The key with this address; null if this browser does not have it. */
export function findGoalSessionKey(address: string) {
  const kept = readKept(localStorage.getItem(prefix + address.toLowerCase()))
  if (!kept) return null
  const account = privateKeyToAccount(kept.key)
  return { isAutomatic: kept.isAutomatic, signTypedData: account.signTypedData.bind(account) }
}

function readKept(text: string | null): Kept | null {
  if (text === null) return null
  try {
    const { key, isAutomatic } = JSON.parse(text) as { key?: unknown; isAutomatic?: unknown }
    return typeof key === 'string' && /^0x[0-9a-f]{64}$/.test(key) ? { key: key as Hex, isAutomatic: isAutomatic === true } : null
  } catch {
    return null
  }
}
