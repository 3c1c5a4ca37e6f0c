/**
 * Process entry point of the built-in gateway: publishes its listing, connects to the hub, and starts its HTTP server. Run it beside
 * a web and a hub: `PUBLISHER_PRIVATE_KEY=0x… npm run node -- agents/builtin/run-gateway.ts`
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { loadOrCreateSeed } from '@parley/agents/node'
import { signerFromSeed } from '@parley/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { parseGatewayPeers, splitList } from './resource-gateway/discovery/parse-gateway-peers.ts'
import { createFindSkill, gatewayHandle, gatewayListing } from './resource-gateway/gateway-listing.ts'
import { type RunningGateway, serveGateway } from './resource-gateway/serve-gateway.ts'
import { ensurePayoutWallet } from './runtime/payout-wallet.ts'
import { signInAsPublisher } from './runtime/publisher-client.ts'
import { startSkillAgent } from './runtime/start-skill-agent.ts'

const { env } = process
const hubUrl = env.HUB_URL || 'http://localhost:4000'
const publicUrl = env.PUBLIC_URL || 'http://localhost:3000'
const home = path.resolve(env.PARLEY_HOME || '.parley/agents')
const print = (text: string) => process.stdout.write(`${text}\n`)
const warn = (error: unknown) => print(`${gatewayHandle}: ${error instanceof Error ? error.message : String(error)}`)

async function listed(seed: string): Promise<string | undefined> {
  const response = await fetch(new URL('/v1/server', hubUrl), { signal: AbortSignal.timeout(10_000) })
  const { chain_id: chainId } = (await response.json()) as { chain_id: number }
  const account = privateKeyToAccount(env.PUBLISHER_PRIVATE_KEY as `0x${string}`)
  const publisher = await signInAsPublisher({ webUrl: env.WEB_URL || publicUrl, publicUrl, chainId, account })
  const draft = gatewayListing((await ensurePayoutWallet(path.join(home, `${gatewayHandle}.wallet`))).address)
  const { did } = await signerFromSeed(seed)
  const mine = await publisher.findMine(draft.handle)
  if (!mine) return (await publisher.publish(draft)).token
  await publisher.revise(mine, draft)
  return mine.did === did ? undefined : (await publisher.rotateKey(mine.agent_id)).token
}

await mkdir(home, { recursive: true, mode: 0o700 })
const seed = await loadOrCreateSeed(path.join(home, `${gatewayHandle}.seed`))
const token = await listed(seed)
const signer = await signerFromSeed(seed)
let serving: RunningGateway | null = null
const skills = { 'resources.find': (work: Parameters<ReturnType<typeof createFindSkill>>[0]) => createFindSkill(served().gateway)(work) }
const session = await startSkillAgent(skills, { url: hubUrl, seed, token, warn })
serving = await serveGateway({
  signer,
  scope: { region: env.GATEWAY_REGION || undefined, topics: splitList(env.GATEWAY_TOPICS) },
  isOpen: env.GATEWAY_OPEN !== 'no',
  insiders: new Set(splitList(env.GATEWAY_INSIDERS)),
  allowed: new Set(splitList(env.GATEWAY_ALLOW).map((one) => new URL(one).origin)),
  neighbours: parseGatewayPeers(env.GATEWAY_NEIGHBOURS),
  file: path.join(home, `${gatewayHandle}.pool.json`),
  host: env.GATEWAY_HOST || '127.0.0.1',
  port: Number(env.GATEWAY_PORT || 4200),
  address: env.GATEWAY_URL || undefined,
  report: (entries) => session.send({ type: 'pool.report', entries: [...entries] }),
  market: { seed, hubUrl, openAtMarket: (resource) => session.send({ type: 'proxy.open', resource }) },
  now: Date.now,
  warn,
})
print(`${session.handle} is connected as ${session.did} and takes resources at ${serving.address}`)

function served(): RunningGateway {
  if (!serving) throw new RangeError('The gateway is still starting. Repeat the request later.')
  return serving
}

let isLeaving = false
const leave = async () => {
  isLeaving = true
  session.close()
  await serving?.close()
  process.exit(0)
}
process.once('SIGTERM', leave)
process.once('SIGINT', leave)
session.on('end', () => {
  if (!isLeaving) process.exit(1)
})
session.on('fenced', () => process.exit(0))
