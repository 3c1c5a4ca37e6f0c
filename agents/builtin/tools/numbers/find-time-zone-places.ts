/** Names of places and abbreviations of times, and their IANA time zones or fixed offsets. */
import { escapePattern } from '../../escape-pattern.ts'

/** `name`: as an answer writes it. `zone`: an IANA time zone, or an offset such as `+09:00`. */
export type TimeZonePlace = { readonly name: string; readonly zone: string }

/** Cities and countries with one time zone, beside those that the names of the IANA zones contain. */
const moreZones: { readonly [zone: string]: string } = {
  'America/New_York': 'new york city,nyc,boston,washington,washington dc,philadelphia,miami,atlanta,eastern time,us eastern,et',
  'America/Chicago': 'houston,dallas,austin,minneapolis,new orleans,central time,us central,ct',
  'America/Denver': 'salt lake city,mountain time,us mountain',
  'America/Los_Angeles': 'la,san francisco,seattle,san diego,las vegas,portland,california,pacific time,us pacific,pt',
  'America/Toronto': 'montreal,ottawa',
  'America/Sao_Paulo': 'são paulo,rio,rio de janeiro',
  'America/Argentina/Buenos_Aires': 'buenos aires,argentina',
  'Europe/London': 'uk,britain,england,scotland,edinburgh,manchester,united kingdom',
  'Europe/Berlin': 'germany,munich,hamburg,frankfurt,cologne,central european time',
  'Europe/Paris': 'france,lyon',
  'Europe/Madrid': 'barcelona',
  'Europe/Rome': 'italy,milan',
  'Europe/Zurich': 'switzerland,geneva,zürich,basel,bern',
  'Europe/Vienna': 'austria',
  'Europe/Amsterdam': 'netherlands,the netherlands',
  'Europe/Brussels': 'belgium',
  'Europe/Warsaw': 'poland',
  'Europe/Kyiv': 'kiev,kyiv,ukraine',
  'Europe/Athens': 'greece',
  'Europe/Dublin': 'ireland',
  'Europe/Stockholm': 'sweden',
  'Europe/Oslo': 'norway',
  'Europe/Copenhagen': 'denmark',
  'Europe/Helsinki': 'finland',
  'Europe/Istanbul': 'turkey,ankara',
  'Asia/Kolkata': 'kolkata,calcutta,india,mumbai,delhi,new delhi,bangalore,bengaluru,chennai,hyderabad,pune',
  'Asia/Shanghai': 'china,beijing,shenzhen,guangzhou',
  'Asia/Tokyo': 'japan,osaka,kyoto',
  'Asia/Seoul': 'south korea,korea',
  'Asia/Hong_Kong': 'hongkong',
  'Asia/Ho_Chi_Minh': 'ho chi minh city,saigon,vietnam,hanoi',
  'Asia/Manila': 'philippines',
  'Asia/Bangkok': 'thailand',
  'Asia/Dubai': 'uae,abu dhabi,united arab emirates',
  'Asia/Jerusalem': 'israel,tel aviv',
  'Asia/Karachi': 'pakistan,lahore,islamabad',
  'Asia/Kathmandu': 'kathmandu,nepal',
  'Africa/Cairo': 'egypt',
  'Africa/Lagos': 'nigeria',
  'Africa/Nairobi': 'kenya',
  'Africa/Johannesburg': 'south africa,cape town,pretoria',
  'Australia/Sydney': 'canberra',
  'Pacific/Auckland': 'new zealand,wellington',
}

/** Abbreviations that mean one offset. `IST`, `CST` and `BST` mean several. */
const offsets: { readonly [name: string]: string } = {
  ...{ utc: '+00:00', gmt: '+00:00', wet: '+00:00', west: '+01:00', cet: '+01:00', cest: '+02:00', eet: '+02:00', eest: '+03:00' },
  ...{ msk: '+03:00', jst: '+09:00', kst: '+09:00', sgt: '+08:00', hkt: '+08:00', aest: '+10:00', aedt: '+11:00', awst: '+08:00' },
  ...{ nzst: '+12:00', nzdt: '+13:00', est: '-05:00', edt: '-04:00', cdt: '-05:00', mst: '-07:00', mdt: '-06:00' },
  ...{ pst: '-08:00', pdt: '-07:00', akst: '-09:00', akdt: '-08:00', hst: '-10:00', brt: '-03:00' },
}

const shortNames = new Set(['et', 'ct', 'pt', 'uk', 'la', 'uae', 'nyc'])
const written = (name: string): string =>
  shortNames.has(name) ? name.toUpperCase() : name.replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase())

/** Regions whose names hold no city. */
const isRegion = (zone: string): boolean => /^(?:Etc|US|Canada|Brazil|Chile|Mexico)\//.test(zone) || !zone.includes('/')

function readNames(): ReadonlyMap<string, TimeZonePlace> {
  const names = new Map<string, TimeZonePlace>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    if (isRegion(zone)) continue
    const city = (zone.split('/').at(-1) ?? '').replaceAll('_', ' ')
    names.set(city.toLowerCase(), { name: city, zone })
  }
  for (const [zone, more] of Object.entries(moreZones)) for (const name of more.split(',')) names.set(name, { name: written(name), zone })
  for (const [name, zone] of Object.entries(offsets)) names.set(name, { name: name.toUpperCase(), zone })
  return names
}

type ZoneNames = { readonly names: ReadonlyMap<string, TimeZonePlace>; readonly pattern: RegExp }
let known: ZoneNames | undefined

function readZoneNames(): ZoneNames {
  const names = readNames()
  // The longest name first: “new york city” is more than “new york”.
  const all = [...names.keys()].sort((a, b) => b.length - a.length)
  return { names, pattern: new RegExp(`(?<![\\p{L}\\d])(?:${all.map(escapePattern).join('|')})(?![\\p{L}\\d])`, 'gu') }
}

/** The names in a text in lower case, in order. `text`: with `@0` for the first. */
export function findTimeZonePlaces(text: string): { readonly places: readonly TimeZonePlace[]; readonly text: string } {
  known ??= readZoneNames()
  const { names, pattern } = known
  const places: TimeZonePlace[] = []
  const rest = text.replace(pattern, (name) => {
    const place = names.get(name)
    if (place) places.push(place)
    return place ? `@${places.length - 1}` : name
  })
  return { places, text: rest }
}
