/** What a batch of settlements says, written down as PlanEscrow reads it. */
import { attestationTypes, type EscrowAttestation } from '@parley/protocol'
import { type AbiParameter, concatHex, encodeAbiParameters, type Hex, hashStruct, numberToHex, size, slice } from 'viem'
import { planEscrowAbi } from './plan-escrow.ts'

/** The calls that a batch is made of, each of one argument. */
export type BatchedCall = 'settle' | 'sealAndSettle'

/**
 * `Batch.items`: of each item the words that differ from those of the item before, in runs. Items mostly say the same, so this is
 * less than half of their calldata.
 * @param call what each of them would be on its own
 * @param items the one argument of each
 */
export function packItems(call: BatchedCall, items: readonly unknown[]): Hex {
  const inputs = planEscrowAbi.find((entry) => entry.type === 'function' && entry.name === call)?.inputs as readonly AbiParameter[]
  const before: Hex[] = []
  return concatHex(['0x', ...items.map((item) => packItem(wordsOf(encodeAbiParameters(inputs, [item])), before))])
}

/** The EIP-712 struct hash of an attestation: what `Batch.attestations` lists. */
export function hashAttestation(attestation: EscrowAttestation): Hex {
  return hashStruct({ types: attestationTypes, primaryType: 'Attestation', data: attestation })
}

/** One item, whose words are then `before` for the next. */
function packItem(words: readonly Hex[], before: Hex[]): Hex {
  const runs: { at: number; words: Hex[] }[] = []
  for (const [at, word] of words.entries()) {
    if (before[at] === word) continue
    before[at] = word
    const run = runs.at(-1)
    if (run && run.at + run.words.length === at) run.words.push(word)
    else runs.push({ at, words: [word] })
  }
  const short = (value: number) => numberToHex(value, { size: 2 })
  return concatHex([short(runs.length), ...runs.flatMap(({ at, words: own }) => [short(at), short(own.length), ...own])])
}

function wordsOf(encoded: Hex): Hex[] {
  return Array.from({ length: size(encoded) / 32 }, (_, i) => slice(encoded, i * 32, (i + 1) * 32))
}
