/**
 * Process entry point that supervises the built-in agents: publishes their listings, runs each as a process, and restarts it when it
 * ends. Like any publisher, it uses web and hub only.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { loadOrCreateSeed } from '@parley/agents/node'
import { type ListingDraft, signerFromSeed } from '@parley/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { type AgentName, builtinHandle, isSpecialist, listAgentNames } from './agent-names.ts'
import { listingDraftOf } from './listings.ts'
import { readModelSettings } from './model/model-settings.ts'
import { ensurePayoutWallet } from './runtime/payout-wallet.ts'
import { type PublisherClient, signInAsPublisher, WebRefused } from './runtime/publisher-client.ts'

const { env } = process
const hubUrl = env.HUB_URL || 'http://localhost:4000'
const publicUrl = env.PUBLIC_URL || env.WEB_URL || 'http://localhost:3000'
const webUrl = env.WEB_URL || publicUrl
const home = path.resolve(env.PARLEY_HOME || '.parley/agents')
const unknownAgentExitCode = 78
const shortestPauseMs = 500
const longestPauseMs = 30_000
/** A process that ran this long resets the back-off. */
const settledMs = 60_000

const print = (text: string) => process.stdout.write(`${text}\n`)
const children = new Map<AgentName, ChildProcess>()
let leaving = false

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const seedFile = (name: AgentName) => path.join(home, `${builtinHandle(name)}.seed`)
const walletFile = (name: AgentName) => path.join(home, `${builtinHandle(name)}.wallet`)

/** Retries until web and hub are up. A refusal that a retry cannot change is thrown. */
async function patiently<T>(what: string, ask: () => Promise<T>): Promise<T> {
  for (let ms = shortestPauseMs; ; ms = Math.min(ms * 2, longestPauseMs)) {
    try {
      return await ask()
    } catch (error) {
      if (leaving) throw error
      const final =
        error instanceof WebRefused &&
        error.status >= 400 &&
        error.status < 500 &&
        error.status !== 404 &&
        error.status !== 408 &&
        error.status !== 429
      if (final) throw error
      print(`${what} failed, trying again in ${ms / 1_000} s: ${error instanceof Error ? error.message : String(error)}`)
      await pause(ms)
    }
  }
}

async function signIn(): Promise<PublisherClient> {
  const key = env.PUBLISHER_PRIVATE_KEY
  if (!key || !/^0x[0-9a-fA-F]{64}$/.test(key))
    throw new WebRefused(
      'setup.key',
      400,
      'PUBLISHER_PRIVATE_KEY must hold 0x and 64 hex digits: the wallet that owns the built-in agents.',
    )
  const response = await fetch(new URL('/v1/server', hubUrl), { signal: AbortSignal.timeout(10_000) })
  const { chain_id: chainId } = (await response.json()) as { chain_id?: number }
  if (typeof chainId !== 'number') throw new WebRefused('hub.unreadable', 503, `${hubUrl}/v1/server does not say which chain it settles on`)
  return signInAsPublisher({ webUrl, publicUrl, chainId, account: privateKeyToAccount(key as `0x${string}`) })
}

/** The agents that need a model, and their packages, are loaded only if one is configured. */
async function draftOf(name: AgentName, payout: string): Promise<ListingDraft> {
  const model = readModelSettings(env)
  if (!isSpecialist(name)) return listingDraftOf(name, payout, model !== undefined)
  if (!model) throw new RangeError(`${builtinHandle(name)} needs a model. Set OPENAI_API_KEY or OPENAI_BASE_URL.`)
  const { specialistDraftOf } = await import('./specialists/index.ts')
  return specialistDraftOf(name, payout, model)
}

/** Publishes or revises a listing. Returns the token if its key must be bound. */
async function ensureListing(publisher: PublisherClient, name: AgentName): Promise<string | undefined> {
  const draft = await draftOf(name, (await ensurePayoutWallet(walletFile(name))).address)
  const { did } = await signerFromSeed(await loadOrCreateSeed(seedFile(name)))
  const mine = await publisher.findMine(draft.handle)
  if (!mine) return (await publisher.publish(draft)).token
  await publisher.revise(mine, draft)
  return mine.did === did ? undefined : (await publisher.rotateKey(mine.agent_id)).token
}

/** Restarts an agent until the supervisor leaves. */
async function keep(name: AgentName, first: string | undefined): Promise<void> {
  let token = first
  for (let ms = shortestPauseMs; !leaving; ms = Math.min(ms * 2, longestPauseMs)) {
    const begun = Date.now()
    const code = await runOnce(name, token)
    if (leaving) return
    if (code === unknownAgentExitCode)
      token = await patiently(`Publishing ${builtinHandle(name)}`, async () => ensureListing(await signIn(), name))
    if (Date.now() - begun > settledMs) ms = shortestPauseMs
    print(`${builtinHandle(name)} ended (${code ?? 'killed'}), starting it again in ${ms / 1_000} s`)
    await pause(ms)
  }
}

function runOnce(name: AgentName, token: string | undefined): Promise<number | null> {
  const child = fork(path.join(import.meta.dirname, 'run-agent.ts'), [name], {
    env: childEnvironment(name, token),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.set(name, child)
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.once('error', () => resolve(null))
  })
}

/** The environment of one agent: only its own keys, and the model's key only if it may use a model. */
function childEnvironment(name: AgentName, token: string | undefined): NodeJS.ProcessEnv {
  const { PUBLISHER_PRIVATE_KEY: _publisher, OPENAI_API_KEY: apiKey, ...rest } = env
  return {
    ...rest,
    HUB_URL: hubUrl,
    PARLEY_SEED_FILE: seedFile(name),
    PARLEY_WALLET_FILE: walletFile(name),
    PARLEY_TOKEN: token ?? '',
    ...((name === 'principal' || name === 'web' || isSpecialist(name)) && apiKey && { OPENAI_API_KEY: apiKey }),
  }
}

function leave(): void {
  if (leaving) return
  leaving = true
  for (const child of children.values()) child.kill('SIGTERM')
  // A child that ignores SIGTERM is killed. It loses nothing, because the server has every message.
  setTimeout(() => {
    for (const child of children.values()) child.kill('SIGKILL')
    process.exit(0)
  }, 3_000).unref()
}

process.once('SIGTERM', leave)
process.once('SIGINT', leave)

try {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const names = listAgentNames(readModelSettings(env) !== undefined)
  const publisher = await patiently('Signing in', signIn)
  const tokens: (string | undefined)[] = []
  for (const name of names) tokens.push(await patiently(`Publishing ${builtinHandle(name)}`, () => ensureListing(publisher, name)))
  print(`The built-in agents are listed: ${names.map(builtinHandle).join(', ')}`)
  await Promise.all(names.map((name, index) => keep(name, tokens[index])))
} catch (error) {
  print(`The built-in agents can't start: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
  leave()
}
