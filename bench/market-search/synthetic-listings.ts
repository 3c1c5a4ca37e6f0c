/** Synthetic listings: many subjects, with words of very different frequency. The same in every run. */
import { noStanding, type SourceListing } from '../../server/search/index/index-record.ts'

const subjects = `contract,clause,lease,statute,court,patent,licence,evidence;invoice,ledger,receipt,tax,budget,audit,payroll,asset;
chart,table,series,average,trend,forecast,outlier,survey;photo,portrait,logo,banner,sketch,palette,icon,poster;
song,chord,melody,lyric,drum,podcast,voice,mix;novel,essay,headline,summary,grammar,paragraph,quotation,glossary;
French,German,Spanish,Japanese,Arabic,subtitle,dialect,transcript;server,container,cluster,backup,certificate,firewall,log,alert;
function,compiler,test,refactoring,repository,release,dependency,bug;genome,protein,assay,cell,antibody,sequence,microscope,sample;
symptom,diagnosis,prescription,radiograph,allergy,vaccine,triage,nurse;recipe,calorie,ingredient,menu,allergen,kitchen,wine,bread;
flight,hotel,visa,itinerary,luggage,museum,ferry,timetable;lawn,seed,compost,orchard,irrigation,greenhouse,pest,harvest;
bridge,beam,concrete,blueprint,crane,insulation,roof,survey;motor,battery,gearbox,tyre,brake,charger,chassis,sensor;
stock,bond,dividend,hedge,portfolio,option,currency,index;customer,ticket,complaint,refund,greeting,onboarding,churn,call;
lesson,quiz,homework,curriculum,syllabus,tutor,essay,grade;satellite,orbit,telescope,galaxy,eclipse,antenna,launch,rover;
weather,storm,rainfall,temperature,flood,tide,glacier,drought;mail,newsletter,calendar,meeting,agenda,minutes,reminder,inbox;
website,page,form,cookie,search,keyword,link,domain;database,query,schema,migration,index,replica,transaction,cache;
robot,gripper,camera,path,map,obstacle,joint,arm;sensor,meter,valve,pump,boiler,thermostat,grid,turbine;
apartment,mortgage,tenant,landlord,deed,garden,kitchen,valuation;wedding,speech,invitation,caterer,florist,venue,toast,guest;
football,league,score,coach,season,transfer,training,injury;chess,puzzle,strategy,dice,tournament,riddle,level,character`
  .split(';')
  .map((group) => group.trim().split(','))
const verbs =
  'translates,checks,writes,draws,compares,predicts,summarises,classifies,extracts,plans,schedules,cleans,explains,monitors,repairs,reviews,converts,generates,ranks,simulates,proofreads,negotiates,catalogues,benchmarks'.split(
    ',',
  )
const adjectives =
  'fast,careful,legal,annual,medical,short,long,public,private,large,small,multilingual,historical,daily,scientific,technical,friendly,formal,accurate,local'.split(
    ',',
  )
const tails =
  'for small companies,with sources,within an hour,in plain language,as a table,as a report,for beginners,with a second check,on request,from scanned documents,for teams,without personal data'.split(
    ',',
  )
const syllables = 'ba,ce,di,fo,gu,ha,je,ki,lo,mu,na,pe,qui,ro,su,ta,ve,wi,xo,zu,bra,cle,dri,flo,gru,pla,sto,tri'.split(',')
const outputs = ['text', 'table', 'chart', 'image', 'audio', 'code', 'archive', 'json']
const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar', 'pt-br']
const regions = ['DE', 'US', 'FR', 'JP', 'BR']

export type Random = { (below: number): number; pick<T>(list: readonly T[]): T }
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return Object.assign(below, { pick: <T>(list: readonly T[]) => list[below(list.length)] as T })
}

/** A name that few listings share: there are about 20,000 of them, the first far more frequent. */
function rareWord(random: Random): string {
  const rank = Math.floor(20_000 ** (random(1_000_000) / 1_000_000))
  return `${syllables[rank % 28]}${syllables[Math.floor(rank / 28) % 28]}${syllables[Math.floor(rank / 784) % 28]}n`
}

export function sentence(random: Random, words: readonly string[]): string {
  const [verb, adjective] = [random.pick(verbs), random.pick(adjectives)]
  const object = `${random.pick(words)} and ${random.pick(words)} ${random.pick(['data', 'files', 'texts', 'notes'])}`
  return `${verb} ${adjective} ${object} of ${rareWord(random)} and ${rareWord(random)} ${random.pick(tails)}.`
}

export const idOf = (n: number): string =>
  `agt_${(n + 2 ** 44).toString(16).padStart(12, '0')}${'7'.repeat(10)}${n.toString(16).padStart(10, '0')}`
/** The start of the market that is measured; listings are published in the days before. */
export const marketDay = Date.parse('2026-03-01T12:00:00.000Z')

function ratingsOf(judges: number, mean: number) {
  return { ratings: judges, sum: judges * mean, total: judges * mean }
}

/** Listing `n`. One owner has about three listings. */
export function listingOf(n: number, asset: string): SourceListing {
  const random = createRandom(n * 2_654_435_761 + 17)
  const words = random.pick(subjects)
  const owner = Math.floor(n / 3)
  const brand = rareWord(random)
  const isRated = random(10) < 4
  const judges = isRated ? 1 + random(20) : 0
  const connected = random(10)
  const publishedAt = marketDay - (n % 25) * 86_400_000 - random(86_400_000)
  return {
    agentId: idOf(n),
    ownerId: `did:pkh:eip155:31337:0x${owner.toString(16).padStart(40, '0')}`,
    payout: `0x${owner.toString(16).padStart(40, '2')}`,
    payoutSince: publishedAt,
    publishedAt,
    textSince: publishedAt,
    expiresAt: null,
    stamp: '',
    attributes: [`currency:${asset}`, `language:${random.pick(languages)}`, `region:${random.pick(regions)}`],
    standing: isRated
      ? {
          ...ratingsOf(judges, 40 + random(60)),
          judges,
          paidSteps: judges,
          payers: Math.ceil(judges / 2),
          failedSteps: random(3),
          latencyMs: null,
        }
      : noStanding,
    presence:
      connected < 5
        ? { seenAt: marketDay - random(50_000), hasLeft: false }
        : connected < 8
          ? { seenAt: marketDay - random(2e9), hasLeft: true }
          : { seenAt: null, hasLeft: false },
    handle: `${brand}-${n.toString(36)}`.replace(/^[^a-z]+/, 'a'),
    name: `${brand} ${random.pick(words)}`,
    summary: `It ${sentence(random, words)}`,
    skills: Array.from({ length: 1 + random(3) }, (_, index) => ({
      id: `${random.pick(words).toLowerCase()}.${random.pick(verbs)}_${index}`,
      name: `${random.pick(verbs)} ${random.pick(words)}`,
      description: Array.from({ length: 2 + random(4) }, () => `It ${sentence(random, words)}`).join(' '),
      tags: [random.pick(words).toLowerCase(), random.pick(adjectives)],
      price: BigInt(random(1_000)) * 10_000n,
      inputTypes: [`query.${random.pick(outputs)}`],
      outputTypes: [`report.${random.pick(outputs)}`],
    })),
  }
}

/** A query as people and planners write it: a few words of a subject, sometimes a rare name, a whole sentence, or a typing error. */
export function queryText(random: Random): string {
  const words = random.pick(subjects)
  const kind = random(10)
  if (kind < 3) return `${random.pick(words)} ${random.pick(words)}`
  if (kind < 5) return `I need an agent that ${sentence(random, words)}`
  if (kind < 7) return `${random.pick(verbs)} ${random.pick(adjectives)} ${random.pick(words)}`
  if (kind < 8) return `${rareWord(random)} ${random.pick(words)}`
  const word = random.pick(words)
  const at = 1 + random(Math.max(1, word.length - 2))
  return kind < 9 ? `${word.slice(0, at)}${word.slice(at + 1)} ${random.pick(verbs)}` : `${random.pick(words)} ${word.slice(0, 4)}`
}

const knownItemWords = 12

/** Queries that each describe one listing, by some words of its summary and of one of its skills. The previous search takes twelve words. */
export function knownItemQueries(size: number, asset: string, count: number): { readonly agentId: string; readonly text: string }[] {
  const random = createRandom(99)
  return Array.from({ length: count }, () => {
    const { agentId, name, summary, skills } = listingOf(random(size), asset)
    const words = new Set(`${name} ${summary} ${random.pick(skills).description}`.toLowerCase().match(/[\p{L}]{4,}/gu) ?? [])
    const rest = [...words]
    const text = Array.from({ length: Math.min(knownItemWords, rest.length) }, () => rest.splice(random(rest.length), 1)[0])
    return { agentId, text: text.join(' ') }
  })
}
