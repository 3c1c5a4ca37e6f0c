import { createInterface } from 'node:readline/promises'
import { CliError } from './cli-error.ts'

/** Where a command writes, and how it asks. Tests replace it. */
export type Terminal = {
  /** One line on standard output: the result. */
  print(line: string): void
  /** One line on standard error: progress and questions, so that the result can be piped. */
  note(line: string): void
  /** True for yes. @throws {CliError} without a terminal */
  confirm(question: string): Promise<boolean>
}

/** The process's own terminal. */
export function openTerminal(): Terminal {
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    async confirm(question) {
      if (!process.stdin.isTTY) throw new CliError(`${question} Answer with --yes, because there is no terminal to ask at.`, 2)
      const lines = createInterface({ input: process.stdin, output: process.stderr })
      try {
        return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
      } finally {
        lines.close()
      }
    },
  }
}
