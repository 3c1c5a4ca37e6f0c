import { parseUnits } from 'viem'
import { z } from 'zod'
import { chainPreset, localChainIds } from '../contracts/deploy/chain-presets.ts'
import { parseTrustedProxies } from './http/client-ip-address.ts'

const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, '0x and 64 hex digits')
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, '0x and 40 hex digits')
/** A misspelled address would silently leave an installation without its operator. */
const addresses = z
  .string()
  .regex(/^\s*(0x[0-9a-fA-F]{40}\s*(,\s*0x[0-9a-fA-F]{40}\s*)*)?,?\s*$/, 'addresses of 0x and 40 hex digits, with commas between')
/** `from:blocks` pairs, as `1000000000:6,10000000000:12`. */
const depths = z
  .string()
  .regex(/^(\d+:\d+(,\d+:\d+)*)?$/, 'pairs as 1000000000:6, comma-separated')
  .transform((text) =>
    [...text.matchAll(/(\d+):(\d+)/g)].map(([, from = '0', blocks]) => ({ from: BigInt(from), confirmations: Number(blocks) })),
  )
/** `400d`. A shorter time than a month would archive messages of active goals. */
const retention = z
  .string()
  .regex(/^\d{2,5}d$/, 'days as 400d')
  .transform((text) => Number.parseInt(text, 10))
  .refine((days) => days >= 31, 'at least 31d')
const trustedProxies = z.string().transform((text, check) => {
  try {
    return parseTrustedProxies(text)
  } catch (error) {
    check.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'not a list of addresses' })
    return z.NEVER
  }
})
const origins = z.string().transform((text, check) => {
  const given = text.split(',').filter((one) => one !== '')
  const wrong = given.find((one) => !URL.canParse(one) || new URL(one).origin !== one)
  if (wrong === undefined) return given
  check.addIssue({ code: 'custom', message: `${wrong} is not an origin as http://127.0.0.1:9000` })
  return z.NEVER
})
const baseUnits = z
  .string()
  .regex(/^\d{1,18}$/, 'base units of the token, digits only')
  .transform((text) => BigInt(text))
const gwei = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/, 'gwei as 20 or 0.5')
  .transform((text) => parseUnits(text, 9))
  .refine((wei) => wei > 0n, 'more than 0')
const ether = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,18})?$/, 'whole coins as 0.05')
  .transform((text) => parseUnits(text, 18))
  .refine((wei) => wei > 0n, 'more than 0')
const port = z.coerce.number().int().min(1).max(65_535)

/** Every variable that the server reads: meaning, default, check. A test compares it with `.env.example`. */
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
  CHAIN_RPC_URL_CONFIRMING: z
    .url()
    .optional()
    .describe('JSON-RPC of a second node of it, of another operator. Both must agree before money moves. Unset: one node is believed.'),
  CHAIN_ID: z.coerce.number().int().positive().default(31_337).describe('EIP-155 id of the settlement chain.'),
  CHAIN_CONFIRMATIONS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(0)
    .describe('Blocks on top before a log counts as final. 0 on the local chain; elsewhere only together with a mark of the chain.'),
  CHAIN_FINALITY: z
    .enum(['safe', 'finalized', 'confirmations'])
    .optional()
    .describe(
      "What makes a block final besides CHAIN_CONFIRMATIONS: the chain's own mark safe or finalized, or confirmations for none. Unset: what the chain's preset names, else confirmations.",
    ),
  SETTLEMENT_BATCH_WINDOW_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(1_000)
    .describe('Settlements that become due within so many milliseconds go in one transaction, which costs each less gas.'),
  CHAIN_CONFIRMATIONS_BY_VALUE: depths
    .default([])
    .describe('More blocks for larger holds: base units and blocks, as 1000000000:6,10000000000:12.'),
  CHAIN_REPLACE_AFTER_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(15)
    .describe('A transaction that has waited so long is replaced by one that pays more.'),
  // Other transactions wait at most one minute: 30 s, 15 s until the next round, and 12 s until Ethereum's next block has the
  // cancellation.
  CHAIN_CANCEL_AFTER_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .max(604_800)
    .default(30)
    .describe('A transaction that keeps others waiting for so long gives up its nonce, and its effect is asked for again.'),
  CHAIN_MAX_FEE_PER_GAS: gwei
    .optional()
    .describe("Most that is offered per gas, in gwei. Unset: the chain's preset. Required on a chain without one, but for a local chain."),
  CHAIN_MAX_PRIORITY_FEE_PER_GAS: gwei.optional().describe('Most that is offered per gas as the tip, in gwei. Unset: a tenth of that.'),
  CHAIN_MAX_TRANSACTION_FEE: ether
    .optional()
    .describe(
      'Most that one transaction may cost, in whole coins as 0.05. Unset: as much gas as a transaction may have, at the most per gas.',
    ),
  SETTLER_LOW_BALANCE_THRESHOLD: ether
    .optional()
    .describe('Below it an alarm is raised, in whole coins as 0.05. Unset: what twenty settlements cost at the present price.'),
  ESCROW_ADDRESS: address.describe('The PlanEscrow contract.'),
  TOKEN_ADDRESS: address
    .optional()
    .describe("The settlement token. Unset: Circle's USDC, on the chains of `contracts/deploy/chain-presets.ts`."),
  CHANNELS_ADDRESS: address
    .optional()
    .describe('The VoucherChannels contract. Unset: no agent can be asked directly and paid by the call.'),
  SIGNER_URL: z
    .url()
    .optional()
    .describe('Remote signer that holds the keys below, JSON-RPC over HTTPS (or on loopback). Required on every chain but a local one.'),
  SIGNER_TOKEN: z.string().min(16, 'at least 16 characters').optional().describe('Bearer token for it.'),
  SETTLER_ADDRESS: address.optional().describe('Of the key at the signer that pays gas and sends. Holds no customer money.'),
  EVALUATOR_ADDRESS: address.optional().describe('Of the key at the signer that signs settlements after acceptance.'),
  EVALUATOR_WALLET: address.optional().describe('Contract wallet (ERC-1271) that is the evaluator; the key signs for it as its owner.'),
  ARBITRATOR_ADDRESS: address
    .optional()
    .describe(
      'Of the key at the signer that signs what an operator rules about a disputed step. Unset: no step can be disputed, and goals on the escrow need `on_silence` `refund`.',
    ),
  ARBITRATOR_WALLET: address.optional().describe('Contract wallet (ERC-1271) that is the arbitrator; the key signs for it as its owner.'),
  ARBITRATOR_SIGNER_URL: z.url().optional().describe("Another signer for the arbitrator's key. Unset: SIGNER_URL."),
  ARBITRATOR_SIGNER_TOKEN: z.string().min(16, 'at least 16 characters').optional().describe('Bearer token for that one.'),
  SETTLER_PRIVATE_KEY: privateKey.optional().describe("The settler's key itself: on a local chain only."),
  EVALUATOR_PRIVATE_KEY: privateKey.optional().describe("The evaluator's key itself: on a local chain only."),
  ARBITRATOR_PRIVATE_KEY: privateKey.optional().describe("The arbitrator's key itself: on a local chain only."),
  SERVER_SIGNING_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/, '64 hex digits')
    .describe("Ed25519 seed of the server's identity."),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'a secret key of Stripe')
    .optional()
    .describe('Takes card payments by this account of Stripe. Unset with `npm start`: a local fake that charges nothing.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .default('')
    .describe('What Stripe signs its webhooks to /api/stripe with, `whsec_…`. Several, of several endpoints, with commas between.'),
  STRIPE_API_URL: z.url().optional().describe("Another host that answers like Stripe, for development. Unset: Stripe's."),
  PLATFORM_FEE_BPS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(250)
    .describe("The platform's fee on what is paid, in hundredths of a per cent."),
  CARD_FEE_BPS: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_000)
    .default(290)
    .describe("Stripe's fee on a card payment, in hundredths of a per cent. The client pays it on top of the budget."),
  CARD_FEE_FIXED_CENTS: z.coerce.number().int().min(0).max(500).default(30).describe("The fixed part of Stripe's fee, in cents."),
  PLATFORM_FEE_ADDRESS: address
    .optional()
    .describe("Where fees go: another address than the settler's, whose key is online. Required on every chain but a local one."),
  MAX_CALL_EXPOSURE_PER_CHANNEL: baseUnits
    .optional()
    .describe('What a channel may have earned and unclaimed, in base units, before its next call waits for a claim. Unset: 10 dollars.'),
  MAX_CALL_EXPOSURE_PER_PAYER: baseUnits
    .optional()
    .describe('The same over all channels of one payer to one publisher. Unset: 20 dollars.'),
  PUBLIC_URL: z.url().default('http://localhost:3000').describe('Where people reach the web.'),
  HUB_URL: z.url().default('http://localhost:4000').describe('Where agents reach the hub.'),
  HUB_HOST: z.string().default('127.0.0.1').describe('Address that the hub listens on.'),
  HUB_PORT: port.default(4_000).describe('Port that the hub listens on.'),
  TRUSTED_PROXIES: trustedProxies
    .default([])
    .describe(
      'Proxies in front of web and hub, whose X-Forwarded-For is believed: addresses and CIDR ranges, or loopback, linklocal, uniquelocal; commas between. Unset: none, and clients are distinguished by the address of their connection.',
    ),
  HUB_PEER_URL: z
    .union([z.literal('none'), z.string().regex(/^wss?:\/\/[^/]+\/?$/, 'a ws:// or wss:// address without a path, or none')])
    .optional()
    .describe(
      'Where other hubs of this Parley reach this one. Unset: at HUB_HOST, or at the first address of the machine, and HUB_PORT. none: no hub forwards messages to it, nor it to others.',
    ),
  DATABASE_BUSY_POLLING: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .describe('false where saving processor time matters more than a tenth of a millisecond: a process sleeps until a write is on disk.'),
  MESSAGE_RETENTION: retention
    .optional()
    .describe('How long messages stay in the database before they are archived: days, as 400d, from 31d on. Unset: for ever.'),
  MESSAGE_ARCHIVE_DIR: z
    .string()
    .default('.parley/messages')
    .describe('Folder of the files of old messages. Every hub and web must reach the same.'),
  MIN_GOAL_BUDGET: baseUnits
    .optional()
    .describe('The minimum budget of a goal, in base units of the token: a smaller one is not worth the gas. Unset: 0.10 dollars.'),
  MAX_FUNDINGS_PER_WALLET_DAY: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe('How many goals of one wallet are funded at our gas within a day.'),
  MAX_LISTINGS_PER_WALLET: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(20)
    .describe('How many listings one wallet may have on offer at a time.'),
  BUILTIN_PUBLISHER_WALLET: address
    .optional()
    .describe(
      'Wallet that publishes the built-in agents: its planner gets private goals whose client names no other. Unset: they have to name one.',
    ),
  OPERATOR_WALLETS: addresses.default('').describe('Wallet addresses, comma-separated, that see the operator pages.'),
  EMBEDDING_URL: z
    .url()
    .optional()
    .describe(
      'Endpoint that compares meanings in searches and answers like OpenAI, as `https://api.openai.com/v1`. It receives the texts of listings and searches. Unset: the embedder that is part of Parley.',
    ),
  EMBEDDING_MODEL: z.string().min(1).max(100).default('text-embedding-3-small').describe('Model of that endpoint.'),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(8).max(3_072).default(1_536).describe('Length of the vectors of that model.'),
  EMBEDDING_API_KEY: z.string().min(1).optional().describe('Bearer token for it.'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'an smtp:// or smtps:// address')
    .optional()
    .describe('Mail server for notifications, as `smtps://user:password@host`. Unset: mails stay in the outbox of each account.'),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>@\r\n]{1,100} )?<?[^<>@\s]{1,64}@[^<>@\s]{1,255}>?$/, 'an e-mail address, also as Name <address>')
    .optional()
    .describe('Sender of the mails, as `Parley <notifications@example.org>`. Required with SMTP_URL.'),
  WEBHOOK_ALLOWED_ORIGINS: origins
    .default([])
    .describe(
      'Origins inside your network that webhooks of people may reach, with commas between, for development and tests. Unset: none, and webhooks reach public addresses over https only.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'Collector of OpenTelemetry that spans are sent to, by OTLP over HTTP. The exporter also reads `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_EXPORTER_OTLP_COMPRESSION`. Unset: none are made.',
    ),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').describe('What is logged.'),
})
export type Environment = Readonly<z.infer<typeof environment>>

/**
 * Reads the environment once, at boot. An empty string counts as unset.
 * @throws {Error} with all problems, one per line
 */
export function readEnvironment(source: Record<string, string | undefined> = process.env): Environment {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  const lines = parsed.success
    ? [...chainFaults(parsed.data), ...mailFaults(parsed.data)].map((fault) => `  ${fault}`)
    : parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  if (!parsed.success || lines.length > 0) {
    throw new Error(`The configuration has problems:\n${lines.join('\n')}\nSee .env.example, or run "npm start", which sets everything up.`)
  }
  return Object.freeze(parsed.data)
}

function mailFaults({ SMTP_URL: url, MAIL_FROM: from }: Environment): string[] {
  return url !== undefined && from === undefined ? ['MAIL_FROM: is missing; SMTP_URL names a mail server.'] : []
}

/** Combinations of valid settings that would lose money or never work. */
function chainFaults(env: Environment): string[] {
  const isLocal = localChainIds.includes(env.CHAIN_ID)
  const roles = [
    { role: 'SETTLER', key: env.SETTLER_PRIVATE_KEY, address: env.SETTLER_ADDRESS, isNeeded: true, wallet: undefined },
    { role: 'EVALUATOR', key: env.EVALUATOR_PRIVATE_KEY, address: env.EVALUATOR_ADDRESS, isNeeded: true, wallet: env.EVALUATOR_WALLET },
    {
      role: 'ARBITRATOR',
      key: env.ARBITRATOR_PRIVATE_KEY,
      address: env.ARBITRATOR_ADDRESS,
      isNeeded: false,
      wallet: env.ARBITRATOR_WALLET,
    },
  ]
  const ofKeys = roles.flatMap(({ role, key, address: at, isNeeded, wallet }) => {
    if (key !== undefined && !isLocal)
      return [
        `${role}_PRIVATE_KEY: keys in the environment are for a local chain only; set SIGNER_URL, SIGNER_TOKEN and ${role}_ADDRESS instead.`,
      ]
    if (key !== undefined && at !== undefined) return [`${role}_ADDRESS: set this or ${role}_PRIVATE_KEY, not both.`]
    if (key === undefined && at === undefined && (isNeeded || wallet !== undefined))
      return [`${role}_ADDRESS: is missing${isLocal ? `; on a local chain ${role}_PRIVATE_KEY does, too` : ''}.`]
    const hasOwn = role === 'ARBITRATOR' && env.ARBITRATOR_SIGNER_URL !== undefined
    return at !== undefined && !hasOwn && env.SIGNER_URL === undefined
      ? [`SIGNER_URL: is missing; ${role}_ADDRESS names a key at a signer.`]
      : []
  })
  const ofSigner = (name: string, url: string | undefined, token: string | undefined) => {
    if (url === undefined) return []
    const { protocol, hostname } = new URL(url)
    const isPrivate = protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
    return [
      ...(isPrivate ? [] : [`${name}_URL: has to be https:// unless the signer is on this machine.`]),
      ...(token === undefined ? [`${name}_TOKEN: is missing.`] : []),
    ]
  }
  const isSettler = env.PLATFORM_FEE_ADDRESS?.toLowerCase() === env.SETTLER_ADDRESS?.toLowerCase()
  const ofFees = [
    ...(env.PLATFORM_FEE_ADDRESS === undefined ? ['PLATFORM_FEE_ADDRESS: is missing.'] : []),
    ...(env.PLATFORM_FEE_ADDRESS !== undefined && isSettler
      ? ['PLATFORM_FEE_ADDRESS: has to differ from SETTLER_ADDRESS, whose key holds no money.']
      : []),
    ...(env.CHAIN_MAX_FEE_PER_GAS === undefined && chainPreset(env.CHAIN_ID) === null
      ? [`CHAIN_MAX_FEE_PER_GAS: is missing, and there is no preset for chain ${env.CHAIN_ID}.`]
      : []),
  ]
  const hasToken = env.TOKEN_ADDRESS !== undefined || chainPreset(env.CHAIN_ID) !== null
  return [
    ...ofKeys,
    ...ofSigner('SIGNER', env.SIGNER_URL, env.SIGNER_TOKEN),
    ...ofSigner('ARBITRATOR_SIGNER', env.ARBITRATOR_SIGNER_URL, env.ARBITRATOR_SIGNER_TOKEN),
    ...(isLocal ? [] : ofFees),
    ...(env.CHAIN_CANCEL_AFTER_SECONDS > env.CHAIN_REPLACE_AFTER_SECONDS
      ? []
      : [
          'CHAIN_CANCEL_AFTER_SECONDS: has to be more than CHAIN_REPLACE_AFTER_SECONDS, so that more is offered before a nonce is given up.',
        ]),
    ...(hasToken ? [] : [`TOKEN_ADDRESS: is missing, and there is no preset for chain ${env.CHAIN_ID}.`]),
  ]
}
