import type { ResourceQuery, Skill } from '@parley/protocol'
import type { Resource } from '../../agents/builtin/resource-gateway/resource/resource-states.ts'

/** What resources do: words of their cards, and other words that people ask with for the same. */
const trades = [
  {
    id: 'translate',
    verb: 'Translate',
    noun: 'translation',
    things: ['contracts', 'manuals', 'subtitles', 'letters', 'patents'],
    asked: 'translation of',
  },
  {
    id: 'summarise',
    verb: 'Summarise',
    noun: 'summary',
    things: ['meetings', 'articles', 'rulings', 'threads', 'lectures'],
    asked: 'summarised',
  },
  { id: 'forecast', verb: 'Forecast', noun: 'forecast', things: ['sales', 'weather', 'traffic', 'demand', 'prices'], asked: 'forecasting' },
  {
    id: 'classify',
    verb: 'Classify',
    noun: 'classification',
    things: ['invoices', 'photographs', 'emails', 'complaints', 'plants'],
    asked: 'classified',
  },
  {
    id: 'extract',
    verb: 'Extract',
    noun: 'extraction',
    things: ['tables', 'addresses', 'dates', 'citations', 'formulas'],
    asked: 'extracted',
  },
  {
    id: 'convert',
    verb: 'Convert',
    noun: 'conversion',
    things: ['currencies', 'drawings', 'recordings', 'measures', 'calendars'],
    asked: 'conversion of',
  },
] as const
const kinds = ['agent', 'tool', 'model', 'application'] as const
const regions = ['eu-west', 'eu-north', 'us-east', 'ap-south'] as const
/** Words that give no information about what a resource does, as cards are full of. */
const filler = 'fast reliable simple careful service quality business team data modern trusted precise results platform daily'.split(' ')

const key = (n: number) => `res-${n}`
const tradeOf = (n: number) => trades[n % trades.length] as (typeof trades)[number]
const thingOf = (n: number) => tradeOf(n).things[Math.floor(n / trades.length) % 5] as string
const kindOf = (n: number) => kinds[Math.floor(n / 30) % 4] as (typeof kinds)[number]
const regionOf = (n: number) => regions[Math.floor(n / 120) % 4] as string
const numberOf = (id: string) => Number(id.slice(4))

/** A pool of which it is known what fits what: resource n is of trade n mod 6, and so on. */
export function planted(size: number): Resource[] {
  return Array.from({ length: size }, (_, n) => {
    const trade = tradeOf(n)
    const thing = thingOf(n)
    // What others do stands in a card's description too: a word found is not yet a resource that fits.
    const other = tradeOf(n + 1)
    const words = [0, 7, 3].map((step) => filler[(n * 7 + step) % filler.length])
    const skill: Skill = {
      id: `${trade.id}.${thing}`,
      name: `${trade.verb} ${thing}`,
      description: `A ${words.join(', ')} ${trade.noun} of ${thing}. No ${other.noun}.`,
      inputs: [{ name: 'what', type: 'query.text', description: '', optional: false }],
      outputs: [{ name: 'made', type: `${trade.id}.text`, description: '', optional: false }],
      ...{ price: String((n % 50) * 1_000), tags: [thing], samples: [] },
    }
    const card = {
      ...{
        v: 1,
        resource: key(n),
        kind: kindOf(n),
        name: `${words[0]} ${trade.noun} ${n}`,
        summary: `${trade.verb}s ${thing}, ${words[1]} and ${words[2]}.`,
      },
      ...{
        version: '1',
        operator: key(n),
        skills: [skill],
        topics: [trade.id],
        region: regionOf(n),
        endpoint: '',
        protocol: 'json',
        names: {},
      },
      ...{ issued_at: '', sig: '' },
    } as unknown as Resource['card']
    return {
      ...{ id: key(n), card, pool: 'public', state: 'admitted', reason: '', described: null, fingerprint: '', failures: 0, checks: 1 },
      ...{ registeredAt: 0, testedAt: 0, nextTestAt: 0, admission: {} },
    }
  })
}

type Question = { readonly query: Omit<ResourceQuery, 'limit'>; readonly fits: (id: string) => boolean }

/** One in words for every trade and thing, and one with conditions besides. */
export const questions: readonly Question[] = trades.flatMap((trade, t) =>
  trade.things.flatMap((thing, i): Question[] => {
    const fits = (id: string) => tradeOf(numberOf(id)) === trade && thingOf(numberOf(id)) === thing
    const kind = kinds[(t + i) % 4] as (typeof kinds)[number]
    const region = regions[(t * 5 + i) % 4] as string
    const isThere = (id: string) => kindOf(numberOf(id)) === kind && regionOf(numberOf(id)) === region
    return [
      { query: { text: `I need ${trade.asked} ${thing}` }, fits },
      { query: { text: `${thing} ${trade.noun}`, kind, region }, fits: (id) => fits(id) && isThere(id) },
    ]
  }),
)
