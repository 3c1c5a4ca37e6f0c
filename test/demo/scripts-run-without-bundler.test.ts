import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

describe('a script', () => {
  it.each(['test/demo/follow-goal.ts', 'test/demo/demo-installation.ts', 'bench/goal-outcomes/run-goals.ts'])(
    'runs on Node as it is, without the bundler of the tests: %s',
    (file) => {
      const url = JSON.stringify(path.join(import.meta.dirname, '../..', file))
      const script = `import(${url}).then(() => console.log('loaded'))`
      expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 60_000 })).toContain('loaded')
    },
  )
})
