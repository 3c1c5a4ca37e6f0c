import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { interruptedExitCode, openTerminal, requireConfirmation, type TerminalStreams } from '../../../agents/cli/src/terminal.ts'

/** A terminal on streams in memory. `typed`: what the user types when the question is there. */
function openTestTerminal({ isTerminal = true, typed = '' } = {}) {
  const stream = () => Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 80 })
  const [stdin, stdout, stderr] = [stream(), stream(), stream()]
  const exits: number[] = []
  const written = { out: '', err: '' }
  stdout.on('data', (chunk) => {
    written.out += chunk
  })
  stderr.on('data', (chunk) => {
    written.err += chunk
    if (typed !== '' && String(chunk).includes('[y/N]')) stdin.write(typed)
  })
  const terminal = openTerminal({ stdin, stdout, stderr } as unknown as TerminalStreams, (code) => void exits.push(code))
  return { terminal, written, exits, stdout }
}

describe('a question', () => {
  it.each([
    ['y\r', true],
    ['YES\r', true],
    ['n\r', false],
    ['\r', false],
    ['yesterday\r', false],
    ['\u0004', false],
  ])('with the answer %j is %s', async (typed, isYes) => {
    expect(await openTestTerminal({ typed }).terminal.confirm('Start?')).toBe(isYes)
  })

  it('is ended by Ctrl-C with what the command said for that', async () => {
    const { terminal, written, exits } = openTestTerminal({ typed: '\u0003' })
    terminal.onInterrupt = 'The goal goes on.'
    expect(await terminal.confirm('Accept?')).toBe(false)
    expect(exits).toEqual([interruptedExitCode])
    expect(written.err).toContain('The goal goes on.\n')
  })

  it('without a terminal, or with the answer no, buys nothing', async () => {
    const { terminal } = openTestTerminal({ isTerminal: false })
    await expect(requireConfirmation(terminal, 'Start?', '--yes')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('Answer with --yes'),
    })
    const refused = requireConfirmation(openTestTerminal({ typed: 'n\r' }).terminal, 'Start?', '--yes')
    await expect(refused).rejects.toMatchObject({ exitCode: 2, message: 'Nothing was bought.' })
  })
})

describe('a terminal', () => {
  it('shows texts of others without escape sequences and marks of direction; a pipe gets the result as it is', () => {
    const hostile = 'a\u001b[2J\u009b1m\u202eb\r\tc\nd'
    const shown = openTestTerminal()
    shown.terminal.print(hostile)
    expect(shown.written.out).toBe('a\ufffd[2J\ufffd1m\ufffdb\ufffd\tc\nd\n')
    const piped = openTestTerminal({ isTerminal: false })
    piped.terminal.print(hostile)
    piped.terminal.note(hostile)
    expect([piped.written.out, piped.written.err]).toEqual([`${hostile}\n`, 'a\ufffd[2J\ufffd1m\ufffdb\ufffd\tc\nd\n'])
  })

  it('goes on when the reader has closed the pipe, and reports another fault', () => {
    const { stdout } = openTestTerminal()
    expect(() => stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).not.toThrow()
    expect(() => stdout.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }))).toThrow('no space')
  })

  it('knows whether the JSON document is written', () => {
    const { terminal, written } = openTestTerminal()
    expect(terminal.hasPrintedJson).toBe(false)
    terminal.printJson({ a: 1 })
    expect([terminal.hasPrintedJson, JSON.parse(written.out)]).toEqual([true, { a: 1 }])
  })
})
