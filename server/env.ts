import { z } from 'zod'

const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, '0x and 64 hex digits')
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, '0x and 40 hex digits')
/** `from:blocks` pairs, as `1000000000:6,10000000000:12`. */
const depths = z
  .string()
  .regex(/^(\d+:\d+(,\d+:\d+)*)?$/, 'pairs as 1000000000:6, comma-separated')
  .transform((text) =>
    [...text.matchAll(/(\d+):(\d+)/g)].map(([, from = '0', blocks]) => ({ from: BigInt(from), confirmations: Number(blocks) })),
  )
/** `400d`; shorter than a month would file what goals still talk about. */
const retention = z
  .string()
  .regex(/^\d{2,5}d$/, 'days as 400d')
  .transform((text) => Number.parseInt(text, 10))
  .refine((days) => days >= 31, 'at least 31d')
const port = z.coerce.number().int().min(1).max(65_535)

/** Every variable that the server reads: meaning, default, check. `.env.example` is compared with it by a test. */
export const environment = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'a postgresql:// address')
    .describe('PostgreSQL 15 or newer. Unset with `npm start`: the embedded one.'),
  NATS_URL: z
    .string()
    .regex(/^(nats|tls):\/\//, 'a nats:// address')
    .optional()
    .describe('NATS with JetStream, by which processes wake one another. Unset: PostgreSQL does it by NOTIFY.'),
  NATS_STREAM: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, _ and -')
    .default('parley')
    .describe('Name of the stream in it. Each Parley that shares a NATS has its own.'),
  CHAIN_RPC_URL: z.url().describe('JSON-RPC of the settlement chain. Unset with `npm start`: the embedded one.'),
  CHAIN_ID: z.coerce.number().int().positive().default(31_337).describe('EIP-155 id of the settlement chain.'),
  CHAIN_CONFIRMATIONS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(0)
    .describe('Blocks on top before a log counts as final. 0 on the embedded chain.'),
  CHAIN_CONFIRMATIONS_BY_VALUE: depths
    .default([])
    .describe('More blocks for larger holds: base units and blocks, as 1000000000:6,10000000000:12.'),
  CHAIN_REPLACE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(60)
    .describe('A transaction that has waited so long is replaced by one that pays more.'),
  ESCROW_ADDRESS: address.describe('The PlanEscrow contract.'),
  TOKEN_ADDRESS: address.describe('The settlement token (USDC).'),
  CHANNELS_ADDRESS: address
    .optional()
    .describe('The VoucherChannels contract. Unset: no agent can be asked directly and paid by the call.'),
  SETTLER_PRIVATE_KEY: privateKey.describe('Pays gas and sends settlements. Holds no customer money.'),
  EVALUATOR_PRIVATE_KEY: privateKey.describe('Signs settlements after acceptance. Can pay only the sealed payees of a plan.'),
  ARBITRATOR_PRIVATE_KEY: privateKey
    .optional()
    .describe('Signs what an operator rules about a disputed step. Unset: no step can be disputed.'),
  SERVER_SIGNING_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/, '64 hex digits')
    .describe("Ed25519 seed of the server's identity."),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'a secret key of Stripe')
    .optional()
    .describe('Takes card payments by this account of Stripe. Unset with `npm start`: a local stand-in that charges nothing.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .default('')
    .describe('What Stripe signs its webhooks to /api/stripe with, `whsec_…`. Several, of several endpoints, with commas between.'),
  STRIPE_API_URL: z.url().optional().describe("Another host that answers like Stripe, for development. Unset: Stripe's."),
  FEE_BPS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(250)
    .describe("The platform's fee on what is paid, in hundredths of a per cent."),
  FEE_ADDRESS: address.optional().describe("Where fees go. Unset: the settler's address."),
  PUBLIC_URL: z.url().default('http://localhost:3000').describe('Where people reach the web.'),
  HUB_URL: z.url().default('http://localhost:4000').describe('Where agents reach the hub.'),
  HUB_HOST: z.string().default('127.0.0.1').describe('Address that the hub listens on.'),
  HUB_PORT: port.default(4_000).describe('Port that the hub listens on.'),
  TRUST_PROXY: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('true where the hub is reached through a proxy only: strangers are told apart by the last address in X-Forwarded-For.'),
  HUB_LINK_URL: z
    .union([z.literal('none'), z.string().regex(/^wss?:\/\/[^/]+\/?$/, 'a ws:// or wss:// address without a path, or none')])
    .optional()
    .describe(
      'Where other hubs of this Parley reach this one. Unset: at HUB_HOST, or at the first address of the machine, and HUB_PORT. none: no hub hands talk over to it, nor it to others.',
    ),
  BUSY_POLLING: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .describe('false where saving processor time matters more than a tenth of a millisecond: a process sleeps until a write is on disk.'),
  MESSAGE_RETENTION: retention
    .optional()
    .describe('How long messages stay in the database before they are filed: days, as 400d, from 31d on. Unset: for ever.'),
  MESSAGE_FILES: z
    .string()
    .default('.parley/messages')
    .describe('Folder of the files of old messages. Every hub and web must reach the same.'),
  OPERATORS: z.string().default('').describe('Wallet addresses, comma-separated, that see the operator pages.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('Collector of OpenTelemetry that spans are sent to, by OTLP over HTTP. Unset: none are made.'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').describe('What is logged.'),
})
export type Environment = Readonly<z.infer<typeof environment>>

/**
 * Reads the environment once, at boot. An empty string counts as unset; all problems are reported together.
 * @throws {Error} whose message lists them, one a line.
 */
export function readEnvironment(source: Record<string, string | undefined> = process.env): Environment {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The configuration has problems:\n${lines.join('\n')}\nSee .env.example, or run "npm start", which sets everything up.`)
  }
  return Object.freeze(parsed.data)
}
