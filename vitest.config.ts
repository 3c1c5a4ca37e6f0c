import path from 'node:path'
import { defineConfig } from 'vitest/config'

const alias = [{ find: /^@\//, replacement: `${import.meta.dirname}/` }]
const flows = 'test/flows/**/*.test.{ts,tsx}'
const browser = 'test/browser/**/*.test.{ts,tsx}'

const whole = { maxWorkers: 2, testTimeout: 420_000, hookTimeout: 240_000, sequence: { groupOrder: 1 } }

export default defineConfig({
  resolve: { alias },
  test: {
    // PostgreSQL and the chain are started once for the run, in whatever projects it selects.
    globalSetup: [path.join(import.meta.dirname, 'test/support/global-setup.ts')],
    environment: 'node',
    pool: 'forks',
    // Limits that only a hang reaches, also on a machine that has other work.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: 'main', include: ['test/**/*.test.{ts,tsx}'], exclude: [flows, browser], maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      // Each of these starts the whole product and waits for much of its time, so two of them go well beside each other.
      { extends: true, test: { name: 'flows', include: [flows], ...whole } },
      { extends: true, test: { name: 'browser', include: [browser], ...whole } },
    ],
  },
})
