import { createInterface } from 'node:readline/promises'
import { CliError } from './cli-error.ts'

/** Where a command writes, and how it asks. Tests replace it. */
export type Terminal = {
  /** One line on standard output: the result. */
  print(line: string): void
  /** The one document of `--json`, on standard output. */
  printJson(value: unknown): void
  readonly hasPrintedJson: boolean
  /** One line on standard error: progress and questions, so that the result can be piped. */
  note(line: string): void
  /** Whether a person can answer. */
  readonly canAsk: boolean
  /** True for yes; false for all else, and if the input ends. Ctrl-C ends the program. */
  confirm(question: string): Promise<boolean>
  /** What Ctrl-C prints before it ends the program; null: nothing. */
  onInterrupt: string | null
}

/** The streams of a process. */
export type TerminalStreams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>

/** 128 and the number of SIGINT, as shells report it. */
export const interruptedExitCode = 130

/** Escape sequences could repaint the terminal, and marks of direction could reorder a line. */
const unsafe = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * The terminal of a process. Its texts come from agents and publishers, so that a terminal gets them without control characters; a file or
 * pipe gets them as they are. A reader that closes the pipe, as `head` does, loses the rest, and the command goes on.
 */
export function openTerminal(streams: TerminalStreams = process, end: (exitCode: number) => void = process.exit): Terminal {
  const { stdin, stdout, stderr } = streams
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  const print = (line: string) => void stdout.write(`${stdout.isTTY ? line.replace(unsafe, '\ufffd') : line}\n`)
  const note = (line: string) => void stderr.write(`${line.replace(unsafe, '\ufffd')}\n`)
  const interrupt = () => {
    if (terminal.onInterrupt !== null) note(terminal.onInterrupt)
    end(interruptedExitCode)
  }
  let hasPrintedJson = false
  const terminal: Terminal = {
    print,
    printJson(value) {
      hasPrintedJson = true
      print(JSON.stringify(value, null, 2))
    },
    get hasPrintedJson() {
      return hasPrintedJson
    },
    note,
    canAsk: stdin.isTTY === true,
    async confirm(question) {
      const lines = createInterface({ input: stdin, output: stderr, terminal: true })
      const abandoned = new Promise<string>((done) => {
        lines.once('close', () => done(''))
      })
      lines.once('SIGINT', () => {
        lines.close()
        note('')
        interrupt()
      })
      try {
        const answer = lines.question(`${question} [y/N] `).catch(() => '')
        return /^y(?:es)?$/i.test((await Promise.race([answer, abandoned])).trim())
      } finally {
        lines.close()
      }
    },
    onInterrupt: null,
  }
  if (streams === process) process.on('SIGINT', interrupt)
  return terminal
}

/** Asks, or refuses without a terminal. `option`: what answers the question without a terminal. @throws {CliError} */
export async function requireConfirmation(terminal: Terminal, question: string, option: string): Promise<void> {
  if (!terminal.canAsk) throw new CliError(`${question} Answer with ${option}, because there is no terminal to ask at.`, { exitCode: 2 })
  if (!(await terminal.confirm(question))) throw new CliError('Nothing was bought.', { exitCode: 2 })
}
