import type { Fault } from '../edge/oracles.ts'
import { draftFor } from '../ground/cast.ts'
import type { Place } from '../operations/operations.ts'
import { newHandle } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, mutate } from './request-helpers.ts'

/** Names that show nothing, or imitate another name. */
const names: { readonly [what: string]: string } = {
  'the market': 'Parley',
  'the market in capitals': 'PARLEY',
  'the market with Cyrillic letters': 'Р\u0430rl\u0435\u0443',
  'the market in full width': '\uff30\uff41\uff52\uff4c\uff45\uff59',
  'the market with a joiner': 'Par\u200dley',
  'the market with a soft hyphen': 'Par\u00adley',
  'the market with an accent': 'P\u0301arley',
  'its support': 'Parley Support',
  'its letters in mathematics': '\u{1d40f}\u{1d41a}\u{1d42b}\u{1d425}\u{1d41e}\u{1d432}',
  'zero-width characters only': '\u200b\u200c\u2060',
  'a Hangul filler only': '\u3164',
  'a braille blank only': '\u2800',
  'spaces only': '\u00a0\u2003',
  'another direction': 'abc\u202efed',
  tags: 'abc\u{e0041}',
  'a variation selector': 'abc\ufe0f\ufe0e',
}
/** As many as a wallet may have, and some. */
const active = 20

async function impersonate(place: Place): Promise<Fault[]> {
  const { address } = place.scene.people.publisher
  const faults: Fault[] = []
  const publish = (role: 'publisher' | 'operator' | 'stranger', name: string, handle = newHandle()) =>
    mutate(place, role, 'registry.publish', { listing: { ...draftFor(handle, 'text.fuzz', address), name } })
  for (const [what, name] of Object.entries(names))
    if (isTaken(await publish('publisher', name))) faults.push(fault('names', what, `${JSON.stringify(name)} was taken as a name`))
  for (const handle of ['parley', 'parley-support', 'admin', 'new', 'gateways', 'types'])
    if (isTaken(await publish('publisher', 'A plain name', handle))) faults.push(fault('names', `the handle ${handle}`, 'was taken'))
  let taken = 0
  for (let n = 0; n < active + 6; n++) if (isTaken(await publish('stranger', `Writer ${n}`))) taken++
  if (taken > active) faults.push(fault('names', 'listings of one wallet', `${taken} are active at once`))
  return faults
}

export const namesAttack: Attack = { name: 'names', run: impersonate }
