/** The storage words and the closing arithmetic, proved for all values from the text of the contracts; and refuted where that is broken. */
import { describe, expect, it } from 'vitest'
import { type File, proveAll, readSources, theoremsOf } from '../model/smt/theorems.ts'

/** What becomes of a theorem once this text of a source is another. */
async function verdictWith(theorem: string, file: File, text: string, other: string): Promise<string | undefined> {
  const sources = readSources()
  expect(sources[file].split(text).length, text).toBeGreaterThan(1)
  const changed = theoremsOf({ ...sources, [file]: sources[file].replaceAll(text, other) })
  const [verdict] = await proveAll(changed.filter(({ name }) => name === theorem))
  return verdict?.verdict
}

describe('the contracts, by a solver', { timeout: 900_000 }, () => {
  it('hold what is claimed of them', async () => {
    const verdicts = await proveAll(theoremsOf(readSources()))
    expect(verdicts.filter(({ verdict }) => verdict !== 'proved')).toEqual([])
    expect(verdicts.length).toBeGreaterThanOrEqual(40)
  })

  it.each([
    ['PlanSlot', 'type(uint96).max) << REMAINING_SHIFT', 'type(uint104).max) << REMAINING_SHIFT', 'PlanSlot.withRemaining'],
    ['PlanSlot', 'VERSION_SHIFT = 232', 'VERSION_SHIFT = 230', 'PlanSlot.withCharter'],
    ['ChannelSlot', 'CLAIMED_SHIFT = 104', 'CLAIMED_SHIFT = 103', 'ChannelSlot.pack'],
    ['PlanPayments', 'kept = amount + fee;', 'kept = amount;', 'closing keeps what the open steps need'],
    [
      'PlanPayments',
      '_fee(earlier + paid, feeBps) - _fee(earlier, feeBps)',
      '_fee(earlier + paid, feeBps)',
      'paying whole leaves enough for each other step',
    ],
    ['PlanPayments', '(back, rest) = (rest - kept, kept)', '(back, rest) = (rest, kept)', 'closing gives back no more than is left'],
    ['PlanStore', 'MAX_ROYALTY_BPS = 5000', 'MAX_ROYALTY_BPS = 5001', 'royalties are at most half of a step'],
    ['VoucherChannels', 'if (total > max)', 'if (total > max + 1)', 'a claim pays no more than the voucher and the deposit'],
    ['VoucherChannels', 'current.deposit() - total', 'current.deposit() - before', 'closing pays out the deposit, no more and no less'],
  ] as const)('do not, where %s has "%s" otherwise', async (file, text, other, theorem) => {
    expect(await verdictWith(theorem, file, text, other)).toBe('refuted')
  })
})
