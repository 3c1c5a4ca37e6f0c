/** The commands of the palette that are always there. */

export type PaletteCommand = {
  readonly id: string
  readonly label: string
  readonly href: string
  /** A second line, such as a handle or a state. */
  readonly note?: string
}

type Place = {
  readonly href: string
  /** Key of `shell.palette.places`. */
  readonly label:
    | 'home'
    | 'postGoal'
    | 'goals'
    | 'mine'
    | 'demand'
    | 'agents'
    | 'publish'
    | 'payouts'
    | 'inbox'
    | 'account'
    | 'explorer'
    | 'admin'
  readonly for?: 'signedIn' | 'operator'
}

const placesOfPalette: readonly Place[] = [
  { href: '/goals/new', label: 'postGoal' },
  { href: '/', label: 'home' },
  { href: '/goals', label: 'goals' },
  { href: '/goals?show=mine', label: 'mine', for: 'signedIn' },
  { href: '/goals/wanted', label: 'demand' },
  { href: '/agents', label: 'agents' },
  { href: '/publish', label: 'publish' },
  { href: '/payouts', label: 'payouts' },
  { href: '/inbox', label: 'inbox', for: 'signedIn' },
  { href: '/account', label: 'account', for: 'signedIn' },
  { href: '/explorer', label: 'explorer' },
  { href: '/admin', label: 'admin', for: 'operator' },
]

type Reader = { readonly isOperator: boolean } | null

/** The places that the reader may open and whose names hold all words of the query. */
export function findPlaces(query: string, labelOf: (label: Place['label']) => string, reader: Reader): PaletteCommand[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return placesOfPalette
    .filter((place) => place.for === undefined || (reader !== null && (place.for === 'signedIn' || reader.isOperator)))
    .map(({ href, label }) => ({ id: href, href, label: labelOf(label) }))
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}
