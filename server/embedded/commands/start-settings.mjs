// The settings of the commands, read once from the environment and the arguments.
import path from 'node:path'
import { callerEnvironment } from '../install/child-environment.mjs'
import { SetupProblem } from '../install/ensure-installed.mjs'

/**
 * @typedef {object} Settings
 * @property {number} webPort
 * @property {string} webHost
 * @property {number} hubPort
 * @property {string} hubHost
 * @property {string} publicUrl
 * @property {string} hubUrl
 * @property {string | undefined} databaseUrl  the user's own database
 * @property {Record<string, string> | undefined} chain  the user's own chain: RPC, contracts and the key that pays gas
 * @property {{ STRIPE_SECRET_KEY: string, STRIPE_WEBHOOK_SECRET: string } | undefined} stripe  the user's own account of Stripe
 * @property {string | undefined} serverSigningKey  the user's own
 * @property {boolean} freshChain
 */

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} [env]
 * @returns {Settings}
 */
export function readSettings(args, env = callerEnvironment()) {
  const unknown = args.find((arg) => arg !== '--fresh-chain' && !arg.startsWith('--home='))
  if (unknown !== undefined) throw new SetupProblem(`npm start does not know "${unknown}". It knows --fresh-chain and --home=<folder>.`)
  const webPort = portIn(env, 'PORT', 3000)
  const hubPort = portIn(env, 'HUB_PORT', 4000)
  if (webPort === hubPort)
    throw new SetupProblem(`The web and the hub cannot both have port ${webPort}. Give one another: HUB_PORT=${hubPort + 1} npm start`)
  const databaseUrl = env.DATABASE_URL || undefined
  const chain = chainIn(env)
  const freshChain = args.includes('--fresh-chain')
  if (freshChain && (databaseUrl || chain)) {
    throw new SetupProblem(
      '--fresh-chain moves the embedded database and chain aside; it does not touch your own. Unset DATABASE_URL and CHAIN_RPC_URL, or point them at new ones.',
    )
  }
  return {
    webPort,
    webHost: env.WEB_HOST || '127.0.0.1',
    hubPort,
    hubHost: env.HUB_HOST || '127.0.0.1',
    publicUrl: env.PUBLIC_URL || `http://localhost:${webPort}`,
    hubUrl: env.HUB_URL || `http://localhost:${hubPort}`,
    databaseUrl,
    chain,
    stripe: stripeIn(env),
    serverSigningKey: env.SERVER_SIGNING_KEY || undefined,
    freshChain,
  }
}

/**
 * The folder for everything that this Parley keeps: keys, database, chain, agents' seeds and logs.
 * @param {string} root
 * @param {string[]} args
 */
export function readHome(root, args) {
  const given = args.findLast((arg) => arg.startsWith('--home='))?.slice('--home='.length)
  return path.resolve(root, given || '.parley')
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {string} name
 * @param {number} standard
 */
function portIn(env, name, standard) {
  const text = env[name] || String(standard)
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new SetupProblem(`${name}=${text} is not a port. Give a number from 1 to 65535.`)
}

/** @param {Record<string, string | undefined>} env */
function stripeIn(env) {
  if (!env.STRIPE_SECRET_KEY) return undefined
  if (!env.STRIPE_WEBHOOK_SECRET) {
    throw new SetupProblem(
      'STRIPE_SECRET_KEY is set, so cards are paid through Stripe, and STRIPE_WEBHOOK_SECRET is needed too: "stripe listen --forward-to localhost:3000/api/stripe" shows one.',
    )
  }
  return { STRIPE_SECRET_KEY: env.STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: env.STRIPE_WEBHOOK_SECRET }
}

const localChains = ['31337', '1337']
const alwaysWithChain = ['ESCROW_ADDRESS', 'CHAIN_ID']
const keysOfLocalChain = ['TOKEN_ADDRESS', 'SETTLER_PRIVATE_KEY', 'EVALUATOR_PRIVATE_KEY']
const signersOfChain = ['SIGNER_URL', 'SIGNER_TOKEN', 'SETTLER_ADDRESS', 'EVALUATOR_ADDRESS']
const alsoWithChain = [
  'CHAIN_RPC_URL_CONFIRMING',
  'ARBITRATOR_PRIVATE_KEY',
  'ARBITRATOR_ADDRESS',
  'ARBITRATOR_WALLET',
  'ARBITRATOR_SIGNER_URL',
  'ARBITRATOR_SIGNER_TOKEN',
  'EVALUATOR_WALLET',
  'CHANNELS_ADDRESS',
  'PLATFORM_FEE_ADDRESS',
]

/** @param {Record<string, string | undefined>} env */
function chainIn(env) {
  if (!env.CHAIN_RPC_URL) return undefined
  const isLocal = localChains.includes(env.CHAIN_ID ?? '31337')
  const ofKeys = isLocal && !env.SIGNER_URL ? keysOfLocalChain : signersOfChain
  const needed = [...alwaysWithChain, ...ofKeys, ...(isLocal ? [] : ['PLATFORM_FEE_ADDRESS'])]
  const missing = needed.filter((name) => !env[name])
  if (missing.length > 0) {
    throw new SetupProblem(
      `CHAIN_RPC_URL is set, so Parley uses your chain and also needs: ${missing.join(', ')}. docs/operations/real-chain.md says how to deploy the contracts there.`,
    )
  }
  const names = ['CHAIN_RPC_URL', ...alwaysWithChain, ...keysOfLocalChain, ...signersOfChain, ...alsoWithChain]
  return Object.fromEntries(names.map((name) => [name, env[name] ?? '']))
}
