import { describe, expect, it } from 'vitest'
import { testTotalsOf, totalsLine } from '../../../../server/embedded/commands/test-totals.ts'

const report = (passed: number, failed: number, testResults: { name: string; status: string; assertionResults: unknown[] }[] = []) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults,
})

describe('totalsOf', () => {
  it('counts what passed, failed and was skipped or left to do', () => {
    expect(totalsLine(testTotalsOf(report(10, 1), 1))).toBe('10 passed, 1 failed, 3 skipped')
    expect(totalsLine(testTotalsOf(report(10, 0), 0))).toBe('10 passed, 0 failed, 3 skipped')
  })

  it('counts a file that could not be loaded as one failure', () => {
    const files = [
      { name: 'a.test.ts', status: 'failed', assertionResults: [] },
      { name: 'b.test.ts', status: 'failed', assertionResults: [{}] },
    ]
    expect(testTotalsOf(report(10, 1, files), 1).failed).toBe(2)
  })

  it('never reports that all is well of a run that ended badly or left no report', () => {
    expect(testTotalsOf(report(10, 0), 1).failed).toBe(1)
    expect(testTotalsOf(null, 0).failed).toBe(1)
  })
})
