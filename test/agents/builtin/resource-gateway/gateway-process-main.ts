/** A gateway agent as a separate process, configured by its environment: it prints its address once it takes resources. */
import { signerFromSeed } from '@parley/protocol'
import { createFindSkill } from '../../../../agents/builtin/resource-gateway/gateway-listing.ts'
import { type RunningGateway, serveGateway } from '../../../../agents/builtin/resource-gateway/serve-gateway.ts'
import { startSkillAgent } from '../../../../agents/builtin/runtime/start-skill-agent.ts'

const {
  HUB_URL: url = '',
  GATEWAY_SEED: seed = '',
  GATEWAY_TOKEN: token,
  GATEWAY_ORIGIN: origin = '',
  GATEWAY_FILE: file,
  GATEWAY_PORT: port,
} = process.env
const warn = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
let serving: RunningGateway | null = null
const find: ReturnType<typeof createFindSkill> = (work) => {
  if (!serving) throw new RangeError('It has only just begun.')
  return createFindSkill(serving.gateway)(work)
}
const session = await startSkillAgent({ 'resources.find': find }, { url, seed, token, warn })
serving = await serveGateway({
  ...{ signer: await signerFromSeed(seed), scope: { topics: [] }, isOpen: true, insiders: new Set(), allowed: new Set([origin]) },
  ...{ neighbours: [], host: '127.0.0.1', port: Number(port ?? 0), file, now: Date.now, warn },
  report: (entries) => session.send({ type: 'pool.report', entries: [...entries] }),
  market: { seed, hubUrl: url, openAtMarket: (resource) => session.send({ type: 'proxy.open', resource }) },
})
process.stdout.write(`${serving.address}\n`)
