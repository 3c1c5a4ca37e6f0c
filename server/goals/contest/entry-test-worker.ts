/** The worker thread from which the sandbox of a contest's tests starts. It keeps the sandbox out of the web's bundle. */
import { type CodeTest, runInSandbox, type TestOutcome } from '../../../agents/builtin/specialists/sandbox/run-in-sandbox.ts'

export const runEntryTests = ({ code, tests }: { readonly code: string; readonly tests: readonly CodeTest[] }): Promise<TestOutcome[]> =>
  runInSandbox(code, tests)
