import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** The proof alone, on the in-memory chain: no database, nothing that needs a build of its own. */
export default defineConfig({
  root: path.join(import.meta.dirname, '../../..'),
  test: {
    include: [
      'test/contracts/{attacks,model}/*.test.ts',
      'test/contracts/{drain,refund,release,rule,seal*,settle*,accept-offer,dispute}.test.ts',
    ],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
