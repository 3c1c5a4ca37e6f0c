import { randomBytes } from 'node:crypto'
import confusables from 'unhomoglyph/data.json' with { type: 'json' }
import type { Fault } from '../edge/oracles.ts'
import { draftFor, openSession, personIn, type ScenePerson } from '../ground/cast.ts'
import { type Answer, ask } from '../ground/http.ts'
import { type Tree, type Value, writeJson } from '../inputs/json-text.ts'
import { hubRequest, type Place } from '../operations/operations.ts'
import { newHandle } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, mutate, run } from './request-helpers.ts'

/** Kept here and not read from the product: what speaks for the market, whatever the product's own list says. */
const ofMarket = 'parley'
const ofRoles = ['admin', 'administrator', 'official', 'operator', 'moderator', 'escrow', 'evaluator', 'arbitrator', 'treasury']
const alone = ['support', 'system', 'help', 'security', 'team', 'staff', 'billing', 'refund', 'market']

const leet: { readonly [letter: string]: string } = { a: '4', e: '3', i: '1', l: '1', o: '0', s: '5', t: '7' }
const cyrillic: { readonly [letter: string]: string } = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у', i: 'і', s: 'ѕ' }
/** Of Unicode's table, every letter that looks like this one. Mathematical letters are one range: `bold` stands for them. */
const lookalikes = (letter: string) =>
  Object.entries(confusables).flatMap(([other, plain]) =>
    plain.toLowerCase() === letter && /[\p{L}\p{N}]/u.test(other) && !/[\u{1d400}-\u{1d7ff}]/u.test(other) ? [other] : [],
  )
const wide = (text: string) => [...text].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')
const bold = (text: string) => [...text].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x61 + 0x1d41a)).join('')
const withEach = (text: string, map: { readonly [letter: string]: string }) => [...text].map((letter) => map[letter] ?? letter).join('')
const withOne = (text: string, map: { readonly [letter: string]: string }) =>
  [...text].flatMap((letter, at) => (map[letter] === undefined ? [] : [`${text.slice(0, at)}${map[letter]}${text.slice(at + 1)}`]))

/** What is formatting, direction, filler, joiner, selector, blank, private or no character, by Unicode's own properties. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u
const surrogates = { first: 0xd800, last: 0xdfff }

/** The first, the middle and the last of each range of code points that are not seen, and the blank pattern of Braille. */
const unseen = unseenCodes().map((code) => String.fromCodePoint(code))

function unseenCodes(): number[] {
  const codes = new Set<number>([0x2800])
  let first: number | null = null
  for (let code = 0; code <= 0x11_0000; code++) {
    const isOne = code <= 0x10_ffff && !(code >= surrogates.first && code <= surrogates.last) && isUnseen(code)
    if (isOne && first === null) first = code
    if (isOne || first === null) continue
    for (const one of [first, Math.floor((first + code - 1) / 2), code - 1]) codes.add(one)
    first = null
  }
  return [...codes]
}

function isUnseen(code: number): boolean {
  return code !== 0x20 && hidden.test(String.fromCodePoint(code))
}

type Name = { readonly position: 'handle' | 'name' | 'skill name'; readonly what: string; readonly text: string }

const handles = (): Name[] => {
  const as =
    (what: string) =>
    (text: string): Name => ({ position: 'handle', what, text })
  const tag = randomBytes(3).toString('hex')
  const words = [ofMarket, ...ofRoles]
  return [
    ...words.flatMap((word) =>
      [word, `${word}-${tag}`, `${tag}-${word}`, `${tag}-${word}-x`, `${word}s-${tag}`].map(as(`the word ${word}`)),
    ),
    ...words.flatMap((word) => [withEach(word, leet), ...withOne(word, leet)].map((text) => as(`${word} in digits`)(`${text}-${tag}`))),
    ...[`my${ofMarket}${tag}`, `${ofMarket}pay${tag}`, `par-ley-${tag}`].map(as('the word parley inside another')),
    ...alone.map(as('a word that speaks for the market')),
    ...alone.slice(0, 4).map((word) => as('two words that speak for the market')(`${word}-team`)),
  ]
}

const shownNames = (): Name[] => {
  const as =
    (what: string) =>
    (text: string): Name => ({ position: 'name', what, text })
  const words = [ofMarket, ...ofRoles]
  const marks = (word: string) => [`${word[0]}\u0301${word.slice(1)}`, `${word.slice(0, -1)}\u0336${word.slice(-1)}`]
  return [
    ...words.flatMap((word) => [word, word.toUpperCase(), `The ${word} of it`, `${word} Desk 7`, `A ${word}`].map(as(`the word ${word}`))),
    ...words.flatMap((word) =>
      [withEach(word, cyrillic), wide(word), bold(word), ...marks(word)].map((text) => as(`${word} in other letters`)(`My ${text}`)),
    ),
    ...words.flatMap((word) =>
      withOne(word, cyrillic)
        .slice(0, 2)
        .map(as(`${word} with a Cyrillic letter`)),
    ),
    ...[...ofMarket].flatMap((letter, at) =>
      lookalikes(letter).map((other) =>
        as('the word parley with a lookalike')(`${ofMarket.slice(0, at)}${other}${ofMarket.slice(at + 1)}`),
      ),
    ),
    ...words.map((word) => as(`${word} in digits`)(`My ${withEach(word, leet)}`)),
    ...['-', '.', '_', ' '].map((sign) => as('the word parley in parts')(['par', 'ley'].join(sign))),
    ...alone.map(as('a word that speaks for the market')),
  ]
}

const unseenNames = (): Name[] =>
  unseen.flatMap((letter) => {
    const code = `U+${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
    const at = (position: Name['position']) =>
      [`Da${letter}ta writer`, `Data writer ${letter}`].map((text): Name => ({ position, what: `${code}`, text }))
    return [...at('name').slice(0, 1), ...at('skill name').slice(0, 1), ...(letter.trim() === '' ? [] : at('name').slice(1))]
  })

/** Letters that make no word. */
const plainName = () => `Writer ${[...randomBytes(8)].map((byte) => 'bcdfghjkmnqrtvwz'[byte % 16]).join('')}`

/** A listing under that name; everything else is fine, and nobody else's. */
function draftOf({ position, text }: Name) {
  const draft = draftFor(position === 'handle' ? text : newHandle(), 'text.fuzz', `0x${randomBytes(20).toString('hex')}`)
  const plain = { ...draft, name: position === 'name' ? text : plainName() }
  return position === 'skill name' ? { ...plain, skills: plain.skills.map((skill) => ({ ...skill, name: text })) } : plain
}

const atOnce = 6

/** No name may speak for the market, or hide what it is, at any door. */
async function impersonate(place: Place): Promise<Fault[]> {
  const faults = new Map<string, Fault>()
  const note = (door: string, { position, what, text }: Name, answer: Answer) => {
    if (isTaken(answer))
      faults.set(`${position} ${what}`, fault('names', `${position}: ${what}`, `${JSON.stringify(text)} was taken at ${door}`))
  }
  const names = [...handles(), ...shownNames(), ...unseenNames()]
  const waiting = [...names]
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift())
      note('POST /v1/agents', name, await ask(hubRequest(place, 'anonymous', 'POST', '/v1/agents', writeJson(draftOf(name) as never))))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const refused = await plainFaults(place)
  if (refused.length > 0) return refused
  await byOthers(place, names, note)
  await nameFiles(place, faults)
  await nameTogether(place, faults)
  return [...faults.values()]
}

/** A plain name is taken: otherwise nothing was tried. */
async function plainFaults(place: Place): Promise<Fault[]> {
  const draft = draftOf({ position: 'name', what: '', text: plainName() })
  const answer = await ask(hubRequest(place, 'anonymous', 'POST', '/v1/agents', writeJson(draft as never)))
  return isTaken(answer) ? [] : [fault('names', 'a plain name', `was refused: ${answer.status} ${answer.text.slice(0, 200)}`)]
}

type Note = (door: string, name: Name, answer: Answer) => void

/** Some of each kind at the other doors, and there and at the first one the names of another wallet. */
async function byOthers(place: Place, names: readonly Name[], note: Note): Promise<void> {
  const { world } = place.installation
  const owner = await personIn(world, 0n)
  const people = { ...place.scene.people, publisher: { ...owner, session: await openSession(world, owner) } }
  const own: Place = { ...place, scene: { ...place.scene, people } }
  const handle = newHandle()
  const published = await mutate(own, 'publisher', 'registry.publish', { listing: draftFor(handle, 'text.fuzz', owner.address) })
  const agent_id = /agt_[0-9a-f]{32}/.exec(published.text)?.[0] ?? ''
  const revise = (name: Name) => ({ agent_id, listing: { ...draftOf(name), handle, payout: owner.address } }) as unknown as Value
  const plain = await mutate(own, 'publisher', 'registry.revise', revise({ position: 'name', what: '', text: plainName() }))
  if (!isTaken(plain)) throw new Error(`A plain name was refused at registry.revise: ${plain.status} ${plain.text.slice(0, 200)}`)
  const some = [...new Map(names.map((name) => [`${name.position} ${name.what}`, name])).values()]
  for (const name of some.filter((_, at) => at % 4 === 0).slice(0, 24)) {
    const listing = { ...draftOf(name), payout: owner.address } as unknown as Value
    note('registry.publish', name, await mutate(own, 'publisher', 'registry.publish', { listing }))
    if (name.position !== 'handle') note('registry.revise', name, await mutate(own, 'publisher', 'registry.revise', revise(name)))
  }
  for (const name of await namesOfAnother(place)) {
    const listing = { ...draftOf(name), payout: owner.address } as unknown as Value
    note('POST /v1/agents', name, await ask(hubRequest(place, 'anonymous', 'POST', '/v1/agents', writeJson(draftOf(name) as never))))
    note('registry.publish', name, await mutate(own, 'publisher', 'registry.publish', { listing }))
    note('registry.revise', name, await mutate(own, 'publisher', 'registry.revise', revise(name)))
    note('listing.revise', name, await run(own, 'publisher', { type: 'listing.revise', ...(revise(name) as Tree) }))
  }
}

/** SECURITY.md: names of listings are compared by appearance with those of other wallets. */
async function namesOfAnother({ installation }: Place): Promise<Name[]> {
  const other = await personIn(installation.world, 0n)
  const name = plainName()
  await other.send({ type: 'listing.publish', listing: { ...draftFor(newHandle(), 'text.fuzz', other.address), name } as never })
  const marked = [...name].map((letter, at) => (at === 3 ? `${letter}\u0307` : letter)).join('')
  const alike = [
    name,
    name.toUpperCase(),
    name.toLowerCase(),
    name.replace(' ', '  '),
    name.normalize('NFD'),
    marked,
    ...withOne(name, cyrillic),
  ]
  return alike.map((text) => ({ position: 'name', what: 'a name of another wallet', text }))
}

const wallets = 5

/** One name, or one handle, of several wallets at the same moment: one of them has it. */
async function nameTogether(place: Place, faults: Map<string, Fault>): Promise<void> {
  for (const position of ['name', 'handle'] as const) {
    const [name, handle] = [plainName(), newHandle()]
    const answers = await Promise.all(
      Array.from({ length: wallets }, () => {
        const draft = draftOf({ position: 'name', what: '', text: position === 'name' ? name : plainName() })
        const listing = position === 'handle' ? { ...draft, handle } : draft
        return ask(hubRequest(place, 'anonymous', 'POST', '/v1/agents', writeJson(listing as never)))
      }),
    )
    const taken = answers.filter(isTaken).length
    if (taken > 1)
      faults.set(`together ${position}`, fault('names', `one ${position} at the same moment`, `${taken} of ${wallets} wallets have it`))
  }
}

/** One person may post so often at once. */
const postsEach = 20

/** SECURITY.md: "File names contain no invisible characters." One at a time: beside a refused name, each would be refused. */
async function nameFiles(place: Place, faults: Map<string, Fault>): Promise<void> {
  const { world } = place.installation
  const hidden = unseen.filter((letter) => letter.trim() !== '' || /[\u2028\u2029\ufeff]/.test(letter))
  let client = await personIn(world, 0n)
  if (!(await isKept(place, client, 'report.txt')))
    faults.set('plain file', fault('names', 'the plain name of a file', 'was refused, so that nothing was tried'))
  for (const [at, letter] of hidden.entries()) {
    if (at % postsEach === postsEach - 2) client = await personIn(world, 0n)
    const name = `re${letter}port.txt`
    if (await isKept(place, client, name)) faults.set('file', fault('names', 'the name of a file', `${JSON.stringify(name)} was kept`))
  }
}

/** Whether a goal with a file of this name is taken. */
async function isKept({ installation }: Place, client: Pick<ScenePerson, 'send'>, name: string): Promise<boolean> {
  const content = Buffer.from(randomBytes(16).toString('hex')).toString('base64')
  const goal = {
    text: 'Write one short text.',
    criteria: [{ text: 'It is there.' }],
    budget: '10000000',
    review_hours: 1,
    visibility: 'public',
    rail: 'escrow',
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const id = `00000000-0000-7000-8000-${randomBytes(6).toString('hex')}`
  const attachments = [{ name, media_type: 'text/plain', artifact_type: 'text.plain', content }]
  const posted = await client.send<{ goal_id: string }>({ type: 'goal.post', id, goal, attachments }).catch(() => null)
  const files = posted ? await installation.world.system.db.artifact.findMany({ where: { goalId: posted.goal_id } }) : []
  return files.some((file) => file.name === name)
}

export const reservedNames: Attack = { name: 'reserved names', run: impersonate }
