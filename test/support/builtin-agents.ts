import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BuiltinName, builtinHandle, builtinNames } from '../../agents/builtin/agent-names.ts'
import { listingDraftOf } from '../../agents/builtin/listings.ts'
import { ensurePayoutWallet } from '../../agents/builtin/runtime/payout-wallet.ts'
import type { TestPerson, TestWorld } from './world.ts'

/** The built-in agents as they run in a real market: one process each, through the public API. */
export type TestAgents = AsyncDisposable & {
  readonly publisher: TestPerson
  /** Where each is paid; each holds the key, and signs charters for the escrow with it. */
  readonly wallets: Readonly<Record<BuiltinName, `0x${string}`>>
  readonly agentIds: Readonly<Record<BuiltinName, string>>
  /** Ends a process at once, as a crash would. */
  kill(name: BuiltinName): Promise<void>
  start(name: BuiltinName): void
}

const runFile = path.join(import.meta.dirname, '../../agents/builtin/run-agent.ts')

/** Those that goals about figures take. */
const usual = builtinNames.filter((name) => !['web', 'calculator', 'tables', 'text', 'formats'].includes(name))

export async function startBuiltinAgents(world: TestWorld, names: readonly BuiltinName[] = usual): Promise<TestAgents> {
  const home = await mkdtemp(path.join(tmpdir(), 'parley-house-'))
  const publisher = await world.person({ usdc: 0n })
  const wallets = {} as Record<BuiltinName, `0x${string}`>
  const agentIds = {} as Record<BuiltinName, string>
  const tokens = new Map<BuiltinName, string>()
  const children = new Map<BuiltinName, ChildProcess>()
  const walletFile = (name: BuiltinName) => path.join(home, `${builtinHandle(name)}.wallet`)
  for (const name of names) {
    wallets[name] = (await ensurePayoutWallet(walletFile(name))).address.toLowerCase() as `0x${string}`
    const { agent_id, token } = await world.publish(publisher, listingDraftOf(name, wallets[name]))
    agentIds[name] = agent_id
    tokens.set(name, token)
  }
  function start(name: BuiltinName): void {
    const child = fork(runFile, [name], {
      env: {
        ...process.env,
        HUB_URL: world.hubUrl,
        PARLEY_SEED_FILE: path.join(home, `${builtinHandle(name)}.seed`),
        PARLEY_WALLET_FILE: walletFile(name),
        PARLEY_TOKEN: tokens.get(name) ?? '',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    children.set(name, child)
  }
  for (const name of names) start(name)
  const own = names.map((name) => agentIds[name])
  const isHere = async () => (await world.system.db.presence.count({ where: { leftAt: null, agentId: { in: own } } })) === own.length
  await world.until('the built-in agents', isHere)

  async function kill(name: BuiltinName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = children.get(name)
    children.delete(name)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
  return {
    publisher,
    wallets,
    agentIds,
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await Promise.all([...children.keys()].map((name) => kill(name)))
      await rm(home, { recursive: true, force: true })
    },
  }
}
