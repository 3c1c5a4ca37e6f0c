/**
 * `npm run bench:pages [-- --audits 5]`: Lighthouse's scores of the home page, the directory, a listing, a paid goal and the
 * documentation, the median of five audits each, in a Parley of its own. Each of the four categories must be at least 95.
 */
import { parseArgs } from 'node:util'
import { installedChromium } from '../server/embedded/install/ensure-chromium-and-python.ts'
import { root } from '../server/embedded/processes/run-script.ts'
import { openChain } from '../test/demo/chain.ts'
import { postAndFund, signIn, teamApproval } from '../test/demo/client.ts'
import { findPorts, startDemoInstallation } from '../test/demo/demo-installation.ts'
import { followGoal } from '../test/demo/follow-goal.ts'
import { demoGoals } from '../test/demo/goals.ts'
import { waitForSkills } from './goal-outcomes/run-goals.ts'
import { auditPage, categories, medianScores, type PageAudit } from './pages/audit-page.ts'
import { installLighthouse } from './pages/install-lighthouse.ts'

const minScore = 95
const goalTimeoutMs = 180_000

const { values } = parseArgs({ options: { audits: { type: 'string', default: '5' } } })
const audits = Number(values.audits)
if (!Number.isInteger(audits) || audits < 1 || audits > 15 || audits % 2 === 0) {
  console.error('--audits takes an odd number from 1 to 15.')
  process.exit(2)
}

/** The address of a goal that a team has done and that is paid. */
async function completeGoal(webUrl: string, rpcUrl: string): Promise<string> {
  const client = await signIn(webUrl, openChain(rpcUrl))
  await waitForSkills(client)
  await client.api.market.faucet.mutate()
  const [goal] = demoGoals
  if (!goal) throw new Error('The demo has no goal.')
  const posted = await postAndFund(client, goal)
  await followGoal(client, posted, goalTimeoutMs, teamApproval(client, posted))
  return `/goals/${posted.goalId}`
}

const chromium = await installedChromium(`${root}/.parley`)
if (chromium === null) throw new Error('No Chromium was found. Install one, or set CHROMIUM to its path.')
const program = await installLighthouse()
const parley = startDemoInstallation(await findPorts())
let isOk = false
try {
  const { webUrl, rpcUrl } = await parley.ready
  const goal = await completeGoal(webUrl, rpcUrl)
  const pages = { home: '/', directory: '/agents', listing: '/agents/house-plotter', goal, docs: '/docs/' }
  const figures: { [page: string]: object } = {}
  isOk = true
  for (const [name, path] of Object.entries(pages)) {
    const done: PageAudit[] = []
    for (let at = 0; at < audits; at++) done.push(await auditPage(program, chromium, `${webUrl}${path}`))
    const scores = medianScores(done)
    const isGood = categories.every((category) => scores[category] >= minScore)
    figures[name] = scores
    isOk &&= isGood
    console.log(`${name.padEnd(10)} ${categories.map((category) => `${category} ${scores[category]}`).join(', ')}`)
    if (!isGood) for (const fault of new Set(done.flatMap(({ failed }) => failed))) console.log(`           ${fault}`)
  }
  console.log(JSON.stringify({ name: 'bench:pages', ok: isOk, figures }))
} finally {
  await parley.stop({ keep: false })
}
process.exitCode = isOk ? 0 : 1
