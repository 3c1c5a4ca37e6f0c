/**
 * `npm run bench:goals`: more than 200 goals in five languages, through the public HTTP API of a Parley of its own, without a model.
 * Each goal is quoted. One with a plan is posted, funded, done, accepted and paid, and its answer is compared with what the corpus
 * says. A goal that no skill covers must end before any money moves.
 */
import { openChain } from '../test/demo/chain.ts'
import { signIn } from '../test/demo/client.ts'
import { findPorts, startDemoInstallation } from '../test/demo/demo-installation.ts'
import { goalCorpus } from './goal-outcomes/corpus/index.ts'
import { runGoals, waitForSkills } from './goal-outcomes/run-goals.ts'
import { tallyGoals } from './goal-outcomes/tally-goals.ts'

/** Share of the covered goals whose answer must be right, and the wait for a quote, milliseconds. */
const minCorrectShare = 0.8
const maxQuoteMs = 1_500
const minGoals = 150
const minCovered = 90

const parley = startDemoInstallation(await findPorts())
let isOk = false
try {
  const { webUrl, rpcUrl } = await parley.ready
  const chain = openChain(rpcUrl)
  const clients = await Promise.all(Array.from({ length: 4 }, () => signIn(webUrl, chain)))
  for (const client of clients) {
    await waitForSkills(client)
    await client.api.market.faucet.mutate()
  }
  const results = await runGoals(clients, goalCorpus)
  for (const { goal, outcome, detail } of results)
    if (outcome === 'wrong' || outcome === 'dead_end' || (goal.expected === 'delivered' && outcome !== 'correct'))
      console.log(
        `${outcome.padEnd(9)} ${goal.language} ${goal.kind}: ${goal.text.slice(0, 100).replace(/\s+/g, ' ')}\n          ${detail.slice(0, 300)}`,
      )
  const figures = tallyGoals(results)
  isOk =
    figures.goals >= minGoals &&
    figures.covered >= minCovered &&
    figures.wrong === 0 &&
    figures.dead_end === 0 &&
    figures.correct_share >= minCorrectShare &&
    figures.quote_p95_ms <= maxQuoteMs
  console.log(JSON.stringify({ name: 'bench:goals', ok: isOk, figures }))
} finally {
  await parley.stop({ keep: false })
}
process.exitCode = isOk ? 0 : 1
