/** Process entry point of one built-in agent: `npm run node -- agents/builtin/run-agent.ts <name>`. The environment names hub and key. */
import { flushCompileCache } from 'node:module'
import { ProblemError } from '@parley/agents'
import { loadOrCreateSeed } from '@parley/agents/node'
import { signerFromSeed } from '@parley/protocol'
import { type AgentName, builtinNames } from './agent-names.ts'
import { readModelSettings } from './model/model-settings.ts'
import { createGatewayOfferSource } from './planner/sourcing/gateway-offer-source.ts'
import { type OfferSource, registrySource } from './planner/sourcing/offer-source.ts'
import { startPlanner } from './planner/start-planner.ts'
import { loadStrategies, type StrategySelector, selectWithoutModel } from './planner/strategies/strategy-selector.ts'
import { parseGatewayPeers } from './resource-gateway/discovery/parse-gateway-peers.ts'
import { createResourceFinder } from './resource-gateway/discovery/resource-finder.ts'
import { readPayoutWallet } from './runtime/payout-wallet.ts'
import { type HandlerWrappers, type SkillFunctions, startSkillAgent } from './runtime/start-skill-agent.ts'
import { type SpecialistName, specialistNames } from './specialists/specialist-names.ts'
import type { ToolGroup } from './tools/index.ts'

/** Exit code for the supervisor: the server does not know this agent, so publish it again. */
export const unknownAgentExitCode = 78

const workers: {
  readonly [name in Exclude<AgentName, 'principal'>]: () => Promise<{
    skills: SkillFunctions
    wrappers?: HandlerWrappers
  }>
} = {
  data: () => import('./data/data-skill-functions.ts').then((module) => ({ skills: module.dataSkillFunctions })),
  analyst: () =>
    import('./analyst/analyst-skill-functions.ts').then((module) => ({
      skills: module.analystSkillFunctions,
      wrappers: module.analystWrappers,
    })),
  plotter: () => import('./plotter/plotter-skill-functions.ts').then((module) => ({ skills: module.plotterSkillFunctions })),
  writer: () => import('./writer/writer-skill-functions.ts').then((module) => ({ skills: module.writerSkillFunctions })),
  reviewer: () => import('./reviewer/reviewer-skill-functions.ts').then((module) => ({ skills: module.reviewerSkillFunctions })),
  web: webWorker,
  calculator: () => toolWorker('calculator'),
  tables: () => toolWorker('tables'),
  text: () => toolWorker('text'),
  formats: () => toolWorker('formats'),
  generalist: () => specialistWorker('generalist'),
  author: () => specialistWorker('author'),
  reader: () => specialistWorker('reader'),
  researcher: () => specialistWorker('researcher'),
  coder: () => specialistWorker('coder'),
  assessor: () => specialistWorker('assessor'),
}

const print = (text: string) => process.stdout.write(`${text}\n`)

async function run(): Promise<void> {
  const names: readonly AgentName[] = [...builtinNames, ...specialistNames]
  const name = names.find((one) => one === process.argv[2])
  const { HUB_URL: url = 'http://localhost:4000', PARLEY_SEED_FILE: file, PARLEY_TOKEN: token, PARLEY_WALLET_FILE: wallet } = process.env
  if (!name || !file) {
    print(
      `Usage: PARLEY_SEED_FILE=… [PARLEY_TOKEN=…] [PARLEY_WALLET_FILE=…] npm run node -- agents/builtin/run-agent.ts ${names.join('|')}`,
    )
    process.exit(64)
  }
  const warn = (error: unknown) => print(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  const options = {
    url,
    seed: await loadOrCreateSeed(file),
    token,
    payoutSigner: wallet ? await readPayoutWallet(wallet) : undefined,
    warn,
  }
  try {
    const planner = name === 'principal' ? await planners() : undefined
    const session =
      name === 'principal' && planner
        ? await startPlanner(planner, options, await offerSource(options.seed))
        : await startBuiltinSkillAgent(name as keyof typeof workers, options)
    session.on('fenced', () => process.exit(0))
    session.on('end', () => process.exit(1))
    const leave = () => {
      session.close()
      process.exit(0)
    }
    process.once('SIGTERM', leave)
    process.once('SIGINT', leave)
    process.once('disconnect', leave)
    print(`${session.handle} is connected as ${session.did}`)
    // Keeps the compile cache for the next start, however this process ends.
    flushCompileCache()
  } catch (error) {
    warn(error)
    process.exit(error instanceof ProblemError && /^(auth|listing)\./.test(error.code) ? unknownAgentExitCode : 1)
  }
}

async function startBuiltinSkillAgent(name: keyof typeof workers, options: Parameters<typeof startSkillAgent>[1]) {
  const { skills, wrappers } = await workers[name]()
  return startSkillAgent(skills, options, wrappers)
}

/** The registry; and gateways, if `PARLEY_GATEWAYS` names any. */
async function offerSource(seed: string): Promise<OfferSource> {
  const gateways = parseGatewayPeers(process.env.PARLEY_GATEWAYS)
  if (gateways.length === 0) return registrySource
  const finder = createResourceFinder({
    signer: await signerFromSeed(seed),
    gateways,
    local: () => [],
    // The operator has named these addresses, so they may be local.
    policy: { allowed: new Set(gateways.map((one) => one.at)) },
    bounds: { ms: 15_000, bytes: 1_048_576 },
    now: Date.now,
  })
  return createGatewayOfferSource(finder)
}

async function planners(): Promise<StrategySelector> {
  const model = readModelSettings(process.env)
  return model ? loadStrategies(model) : selectWithoutModel
}

async function toolWorker(group: ToolGroup): Promise<{ skills: SkillFunctions }> {
  const { toolSkills } = await import('./tools/index.ts')
  return { skills: toolSkills(group) }
}

async function webWorker(): Promise<{ skills: SkillFunctions }> {
  const { webSkillFunctions } = await import('./web/web-skill-functions.ts')
  return { skills: webSkillFunctions({ chromium: process.env.CHROMIUM, local: localSites(), model: readModelSettings(process.env) }) }
}

/** Origins inside this machine's network that the operator allows. */
const localSites = (): string[] => (process.env.PARLEY_WEB_SITES ?? '').split(/[\s,]+/).flatMap((one) => URL.parse(one)?.origin ?? [])

async function specialistWorker(name: SpecialistName): Promise<{ skills: SkillFunctions }> {
  const settings = readModelSettings(process.env)
  if (!settings) throw new RangeError(`${name} needs a model. Set OPENAI_API_KEY or OPENAI_BASE_URL.`)
  const { specialistSkills } = await import('./specialists/index.ts')
  return { skills: specialistSkills(name, settings, { local: localSites() }) }
}

await run()
