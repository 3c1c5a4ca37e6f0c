// The way in: `npm start`, `npm test` and the rest come here. Runs on any Node from 20 up, needs no package, makes sure
// that the packages are there, and hands over to the Node that Parley pins among them.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, pinnedNode, SetupProblem } from './server/embedded/install/ensure-installed.mjs'

const root = dirname(fileURLToPath(import.meta.url))
const commands = {
  start: 'server/embedded/commands/start.ts',
  test: 'server/embedded/commands/run-tests.ts',
  build: 'server/embedded/commands/build.ts',
  generate: 'server/embedded/commands/generate-derived-files.ts',
  migrate: 'server/embedded/commands/create-migration.ts',
  deploy: 'contracts/deploy/main.ts',
  'deploy-migrations': 'server/embedded/commands/deploy-migrations.ts',
  cluster: 'server/embedded/commands/start-cluster.ts',
  demo: 'test/demo/main.ts',
  'test:external': 'test/external/main.ts',
  'test:containers': 'test/containers/main.ts',
  mutants: 'test/contracts/mutants/main.ts',
  reach: 'test/contracts/reach/main.ts',
  'bench:gas': 'bench/gas.ts',
  'bench:reconcile': 'bench/reconcile.ts',
  'bench:hub': 'bench/hub-throughput.ts',
  'chaos:hub': 'chaos/hub.ts',
  'bench:hubs': 'bench/two-hubs.ts',
  'chaos:cluster': 'chaos/cluster.ts',
  'chaos:webs': 'chaos/web-restarts.ts',
  'chaos:retention': 'chaos/retention.ts',
  'bench:months': 'bench/read-across-month-tables.ts',
  'bench:teams': 'bench/team-conversations.ts',
  'bench:gateway': 'bench/gateway-pool-search.ts',
  'bench:fanout': 'bench/parallel-tasks.ts',
  'bench:bytes': 'bench/wire-bytes.ts',
  'bench:web': 'bench/web-agent.ts',
  'bench:goals': 'bench/goal-outcomes.ts',
  'bench:pages': 'bench/pages.ts',
  'bench:discovery': 'bench/market-search.ts',
  'model:check': 'bench/language-model-check.ts',
  'train:embedder': 'bench/embedder-training/main.ts',
  'check:rooms': 'test/protocol/rooms/main.ts',
  'check:money': 'test/model/main.ts',
  'sim:scale': 'sim/scale.ts',
  capacity: 'bench/capacity/write-capacity-page.ts',
  'chaos:settlement': 'chaos/settlement.ts',
  'fuzz:edge': 'test/fuzz/edge.ts',
}

/** Runs the command on the pinned Node, passes signals on, and resolves to the exit code. */
function handOver(script, args) {
  const settings = existsSync(join(root, '.env')) ? ['--env-file=.env'] : []
  // Over the channel the other process learns that this one is gone, even when it was killed.
  const child = spawn(pinnedNode(root), [...settings, script, ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  endWithNpm(() => child.kill('SIGTERM'))
  return new Promise((done) => {
    child.once('error', (error) => {
      console.error(`The pinned Node could not be started: ${error.message}`)
      done(1)
    })
    child.once('exit', (code, signal) => done(signal ? 1 : (code ?? 1)))
  })
}

/** npm may die of a signal without passing it on, and leave this process, or the shell between the two, to another parent. */
function endWithNpm(end) {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const before = ancestors()
  const watch = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(watch)
    end()
  }, 300)
  watch.unref()
}

/** Who is above this process, as far as npm: its parent, and where that is npm's shell, the parent of that. */
function ancestors() {
  const { ppid } = process
  try {
    const [, name, rest] = /^\d+ \((.*)\) (.*)/s.exec(readFileSync(`/proc/${ppid}/stat`, 'utf8'))
    return /^(sh|dash|bash)$/.test(name) ? `${ppid} ${rest.split(' ')[1]}` : `${ppid}`
  } catch {
    return `${ppid}`
  }
}

async function main() {
  const [command = 'start', ...rest] = process.argv.slice(2)
  // A file of the caller's on the pinned Node, which reads TypeScript: `npm run node -- agents/examples/quickstart.ts`.
  const [script, ...args] = command === 'node' ? rest : [commands[command], ...rest]
  if (command === 'node' && !script) throw new SetupProblem('Name the file to run: npm run node -- agents/examples/quickstart.ts')
  if (!script) throw new SetupProblem(`There is no command "${command}". There are: ${[...Object.keys(commands), 'node'].join(', ')}.`)
  if (!existsSync(join(root, script))) throw new SetupProblem(`"${command}" needs ${script}, which this checkout does not have.`)
  await ensureInstalled(root)
  const isMeasurement = command !== 'node' && !script.startsWith('server/embedded/')
  // The commands of `server/embedded` do so themselves.
  const code = isMeasurement ? await handOver('server/embedded/commands/ensure-prisma-client.ts', []) : 0
  return code === 0 ? handOver(script, args) : code
}

process.exitCode = await main().catch((error) => {
  console.error(error instanceof SetupProblem ? error.message : error)
  return 1
})
