// `node server/embedded/signer/main.ts signer.json`: a remote signer as its own process. See docs/operations/real-chain.md.
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Hex } from 'viem'
import { z } from 'zod'
import { createSignerServer } from './signer-server.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((hex) => hex.toLowerCase() as Hex)
const role = z.enum(['settler', 'evaluator', 'arbitrator'])
const Settings = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.number().int().min(0).max(65_535),
  chainId: z.number().int().positive(),
  escrow: address,
  channels: address.nullable().default(null),
  /** `file`: the private key as 0x and 64 hex digits, relative to the settings file. `maxTransactionFee` in wei. */
  keys: z.array(
    z.strictObject({
      role,
      file: z.string(),
      perHour: z.number().int().positive(),
      maxTransactionFee: z
        .string()
        .regex(/^\d+$/)
        .default('0')
        .transform((text) => BigInt(text)),
      wallet: address.nullable().default(null),
    }),
  ),
  clients: z.array(z.strictObject({ token: z.string().min(16), roles: z.array(role) })).min(1),
})

const [file = ''] = process.argv.slice(2)
const { host, port, chainId, escrow, channels, keys, clients } = Settings.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
const server = createSignerServer({
  site: { chainId, escrow, channels },
  keys: keys.map(({ file: loadOrCreateSeed, ...policy }) => ({
    ...policy,
    privateKey: readKey(path.resolve(path.dirname(file), loadOrCreateSeed)),
  })),
  clients,
})
server.listen(port, host, () => {
  const { port: taken } = server.address() as AddressInfo
  process.stdout.write(`the signer listens on port ${taken}\n`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close(() => process.exit(0)).closeAllConnections())

function readKey(at: string): Hex {
  const text = fs.readFileSync(at, 'utf8').trim()
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Error(`${at} holds no private key: 0x and 64 hex digits.`)
  return text as Hex
}
