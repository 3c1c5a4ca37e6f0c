import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const alias = [{ find: /^@\//, replacement: `${import.meta.dirname}/` }]
const flows = 'test/flows/**/*.test.{ts,tsx}'
const browser = 'test/browser/**/*.test.{ts,tsx}'
/** They take long or need a third party's program. Only `npm run test:external` selects them. */
const external = 'test/external/**/*.test.ts'

const here = import.meta.dirname.replace(/[^\w/]/g, '\\$&')
/** Modules that Node loads without a bundler, as in the product. A worker then loads them once, not once per test file. */
const own = [new RegExp(`^${here}/(server|protocol/src|agents|contracts|prisma/client)/.*\\.m?ts$`)]

const whole = { testTimeout: 1_800_000, hookTimeout: 600_000 }

/**
 * The files that take longest, in the order in which they begin. A clean clone has no times of an earlier run, and size says
 * little: the shortest of these is the longest to run. Begun last, one of them would leave all other workers idle until it
 * ends. What works without a pause stands beside what waits, and one alone of those that need the web's build begins before it
 * is there.
 */
const longest = [
  'test/browser/pages.test.ts',
  'test/flows/survives.test.ts',
  'test/contracts/compiled.test.ts',
  'test/browser/goals.test.ts',
  'test/browser/decisions.test.ts',
  'test/agents/builtin/team.test.ts',
  'test/browser/disputes.test.ts',
  'test/server/security/private-ids.test.ts',
  'test/browser/notifications.test.ts',
  'test/server/hub/connection/incomplete-message-limits.test.ts',
  'test/browser/agents.test.ts',
  'test/contracts/model/differential.test.ts',
  'test/browser/card.test.ts',
  'test/flows/goal-to-paid.test.ts',
  'test/server/settlement/worker/run-settlement-cycle.test.ts',
  'test/browser/sign-in.test.ts',
  'test/flows/card-survives.test.ts',
  'test/browser/answer.test.ts',
  'test/browser/tabs.test.ts',
  'test/chaos/settlement.test.ts',
  'test/flows/web-survives.test.ts',
  'test/agents/builtin/supervisor.test.ts',
  'test/contracts/attacks/reentry.test.ts',
  'test/server/settlement/chain/process-transaction.test.ts',
  'test/server/tasks/create-sub-team.test.ts',
  'test/browser/ask.test.ts',
  'test/browser/publisher-aids.test.ts',
  'test/fuzz/edge.test.ts',
  'test/browser/web-agent.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => longest.findIndex((file) => moduleId.endsWith(file))
    const first = sorted.filter((file) => placeOf(file) >= 0).sort((a, b) => placeOf(a) - placeOf(b))
    return [...first, ...sorted.filter((file) => placeOf(file) < 0)]
  }
}

export default defineConfig({
  resolve: { alias },
  test: {
    // PostgreSQL and the chain are started once for the run, in all projects that it selects.
    globalSetup: [path.join(import.meta.dirname, 'test/support/global-setup.ts')],
    environment: 'node',
    pool: 'forks',
    server: { deps: { external: own } },
    // All files wait in one line, so that no core idles while a last long one ends. Three, because files wait much; a fourth
    // saves no time on two cores and makes all others slower.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Limits that only a hang reaches, also on a machine that has other work.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 90_000 } },
    projects: [
      {
        extends: true,
        // Files of one worker share what they import, which takes half of the time otherwise. Only what is below test/ and app/
        // is new for each file.
        test: { name: 'main', include: ['test/**/*.test.{ts,tsx}'], exclude: [flows, browser, external], isolate: false },
      },
      { extends: true, test: { name: 'external', include: [external], isolate: false, ...whole } },
      // Each of these starts the whole product and waits for much of its time. A worker imports it once for all of its files.
      { extends: true, test: { name: 'flows', include: [flows], isolate: false, ...whole } },
      { extends: true, test: { name: 'browser', include: [browser], isolate: false, ...whole } },
    ],
  },
})
