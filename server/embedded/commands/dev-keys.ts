import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'

/** The keys of this checkout's processes. Created once, readable only by the owner. */
export type Keys = {
  settler: Hex
  evaluator: Hex
  arbitrator: Hex
  deployer: Hex
  /** Owns the listings of the built-in agents. */
  publisher: Hex
  /** Ed25519 seed of the server's identity. */
  serverSigning: string
  databasePassword: string
  /** The webhook secret of the Stripe fake. */
  webhookSecret: string
}

const makers: { [Name in keyof Keys]: () => Keys[Name] } = {
  settler: generatePrivateKey,
  evaluator: generatePrivateKey,
  arbitrator: generatePrivateKey,
  deployer: generatePrivateKey,
  publisher: generatePrivateKey,
  serverSigning: () => randomBytes(32).toString('hex'),
  databasePassword: () => randomBytes(18).toString('base64url'),
  webhookSecret: () => `whsec_${randomBytes(24).toString('hex')}`,
}

/** Loads the keys of this checkout. Creates missing ones; never changes existing ones. */
export function loadDevKeys(stateDir: string): Keys {
  const file = path.join(stateDir, 'keys.json')
  const kept = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Keys>) : {}
  const made = Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make()])) as Keys
  const keys: Keys = { ...made, ...kept }
  if (Object.keys(makers).every((name) => name in kept)) return keys
  fs.mkdirSync(stateDir, { recursive: true })
  // Rename the complete file into place: a truncated key file would lose keys that hold money.
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  fs.renameSync(`${file}.new`, file)
  return keys
}
