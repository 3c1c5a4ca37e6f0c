import { readFile } from 'node:fs/promises'
import { type DeliveredEnvelope, readEnvelope, type Verification, verifyTranscript } from '@parley/protocol'
import { CliError } from './cli-error.ts'
import type { Terminal } from './terminal.ts'

/** `serverDid`: the key of the market. `expected`: the hash that the payment on chain contains, if it is known. */
export type VerifyOptions = { readonly serverDid: string; readonly expected: string | null; readonly json?: boolean }

/** Verifies an exported transcript: every signature, the order, and the chain of hashes. @throws {CliError} if it is not intact */
export async function verifyTranscriptFile(file: string, options: VerifyOptions, terminal: Terminal): Promise<void> {
  if (options.expected !== null && !/^(0x)?[0-9a-f]{64}$/i.test(options.expected))
    throw new CliError('A hash has 64 hexadecimal digits, with or without 0x.')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CliError(`${file} cannot be read.`)
  })
  const messages = readMessages(text)
  if (messages.length === 0) throw new CliError(`${file} has no messages.`)
  const result = await verifyTranscript(messages, options)
  if (options.json) terminal.printJson(result)
  else for (const line of linesOf(result)) terminal.print(line)
  if (result.outcome === 'broken' || result.outcome === 'differs')
    throw new CliError('The transcript is not what the market signed or paid for.')
}

function readMessages(text: string): DeliveredEnvelope[] {
  return text
    .split('\n')
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, index }) => {
      const read = readEnvelope(line)
      if (!read.ok)
        throw new CliError(`Line ${index + 1} is no message of a transcript. Export it as JSONL from the goal's transcript page.`)
      // The parser keeps the field of the delivery, which the type of a sent envelope does not name.
      return read.envelope as DeliveredEnvelope
    })
}

function linesOf({ outcome, count, erased, head, matchedSeq, broken }: Verification): string[] {
  const erasedNote = erased > 0 ? `, ${erased} of them erased` : ''
  const summary = {
    proven: `Proven: ${count} messages${erasedNote}. The payment on chain contains the hash after message ${matchedSeq}.`,
    intact: `Intact: ${count} messages${erasedNote}, all signatures are valid, and none is missing. There was no hash on chain to compare with.`,
    differs: `Signatures are valid, but no message has the hash that is on chain (${count} messages).`,
    broken: `Broken: ${broken.length} of ${count} messages fail.`,
  }[outcome]
  return [summary, ...broken.slice(0, 20).map(({ seq, reason }) => `  message ${seq}: ${reason}`), `head ${head}`]
}
