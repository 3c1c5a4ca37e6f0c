/** Puts a probe before each statement of a Solidity source; the in-memory chain reports which of them were passed. */
import { createRequire } from 'node:module'

/** A statement, where it stands, and the tag that its probe reports. */
export type Statement = { file: string; line: number; text: string; tag: string }

type Edr = {
  addStatementCoverageInstrumentation: (
    source: string,
    name: string,
    version: string,
  ) => { source: string; metadata: { kind: string; tag: Uint8Array; startUtf16: number; endUtf16: number }[] }
  latestSupportedSolidityVersion: () => string
}
type Library = { filename: string; content: string }

/** The chain's own packages are Hardhat's to depend on, so they are asked for from there. */
const ofHardhat = createRequire(createRequire(import.meta.url).resolve('hardhat'))
const edr = ofHardhat('@nomicfoundation/edr') as Edr

export function withProbes(file: string, text: string): { source: string; statements: Statement[] } {
  const { source, metadata } = edr.addStatementCoverageInstrumentation(text, file, edr.latestSupportedSolidityVersion())
  // Short: with all its probes in it a contract must still be deployed within the gas of one transaction.
  const short = (tag: string) => tag.slice(0, 8)
  const statements = metadata
    .filter((each) => each.kind === 'statement')
    .map(({ tag, startUtf16, endUtf16 }) => ({
      file,
      line: text.slice(0, startUtf16).split('\n').length,
      text: text.slice(startUtf16, endUtf16).replace(/\s+/g, ' ').slice(0, 100),
      tag: short(Buffer.from(tag).toString('hex')).padStart(64, '0'),
    }))
  return { source: source.replace(/(?<=\.sendHit\(0x)[0-9a-f]{64}/g, short), statements }
}

/** The Solidity library that the probes call. */
export const probeLibrary = (): Library =>
  (ofHardhat('@nomicfoundation/edr/coverage') as { getCoverageLibrary: () => Library }).getCoverageLibrary()
