import fs from 'node:fs'

/** The used part of vitest's JSON report. */
type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { name: string; status: string; message?: string; assertionResults: unknown[] }[]
}

export type Totals = { passed: number; failed: number; skipped: number }

/** The result of a run. A file that could not be loaded counts as one failure; so does a failed run without a failed test. */
export function testTotalsOf(report: Report | null, exitCode: number): Totals {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  const unloadable = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  const failed = report.numFailedTests + unloadable
  const skipped = report.numPendingTests + report.numTodoTests
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped }
}

export function readReport(file: string): Report | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Report
  } catch {
    return null
  }
}

export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
