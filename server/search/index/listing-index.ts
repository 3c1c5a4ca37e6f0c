/** An inverted index of listings: columns by slot, skills, terms. A changed listing takes a new slot. */
import type { Embedder } from '../meaning/embedder.ts'
import { signatureBytes } from '../text/minhash-signature.ts'
import { addSlot, createFilterIndex, type FilterIndex } from './filter-index.ts'
import { createDictionary, createGrowableColumn, createLists, type Dictionary, type GrowableColumn, type Lists } from './growable-column.ts'
import type { IndexedSkill, IndexRecord, PresenceTimes, Standing } from './index-record.ts'
import { advertisedOf, createListingVectors, type ListingVectors, putVectors } from './listing-vectors.ts'
import { createTermSkillMasks, keepMasks, keptMasks, type TermSkillMasks } from './term-skill-masks.ts'
import { addPosting, createVocabulary, impactBits, internTerm, maskOn, maxImpact, reserveLists, type Vocabulary } from './vocabulary.ts'

export type ListingIndex = {
  /** The number of used slots, and of those with a current listing. */
  slots: number
  live: number
  readonly slotOf: Map<string, number>
  readonly ids: string[]
  readonly stamps: string[]
  readonly vocabulary: Vocabulary
  /** Of listings that are being loaded. */
  skillMasks: TermSkillMasks
  /** For each slot its terms in ascending order, each as `code << 8 | impact`, and a checksum of them. */
  readonly terms: Lists
  readonly termStart: GrowableColumn<Uint32Array>
  readonly termCount: GrowableColumn<Uint16Array>
  readonly checksum: GrowableColumn<Uint32Array>
  readonly columns: Columns
  readonly skills: SkillRows
  readonly owners: Dictionary
  readonly payouts: Dictionary
  /** By payee: its last slot, plus 1. */
  readonly lastOfPayout: GrowableColumn<Uint32Array>
  /** What listings can be filtered by exactly, as `kind:value`: their attributes, and the ids and output types of their skills. */
  readonly values: Dictionary
  /** The kinds before the colons, and the kind of each value. */
  readonly kinds: Dictionary
  readonly kindOfValue: GrowableColumn<Uint8Array>
  /** The codes of the values that are languages. */
  readonly languages: number[]
  /** For each slot its values, each once: first the attributes. */
  readonly valueLists: Lists
  readonly slotsByValue: FilterIndex
  /** Null: meanings are not compared. */
  readonly vectors: ListingVectors | null
  /** While many listings are loaded, their postings are not written. `finishLoading` writes all at once. */
  isLoading: boolean
}

/** By slot. Times in Unix milliseconds. */
export type Columns = {
  /** 1: current. */
  readonly isLive: GrowableColumn<Uint8Array>
  /** The first 13 hexadecimal digits of the id: they decide most ties without comparing strings. */
  readonly idHead: GrowableColumn<Float64Array>
  readonly idTail: GrowableColumn<Float64Array>
  readonly owner: GrowableColumn<Uint32Array>
  readonly payout: GrowableColumn<Uint32Array>
  /** 1: the owner's own wallet is the payee. Of another address, it is not proved that it belongs to the owner. */
  readonly paysOwner: GrowableColumn<Uint8Array>
  /** Since when it names its payee. */
  readonly payoutSince: GrowableColumn<Float64Array>
  /** The previous slot with the same payee, plus 1; 0 for none. Old versions stay until the compaction. */
  readonly previousOfPayout: GrowableColumn<Uint32Array>
  readonly publishedAt: GrowableColumn<Float64Array>
  readonly textSince: GrowableColumn<Float64Array>
  /** NaN for our own listings. */
  readonly expiresAt: GrowableColumn<Float64Array>
  /** NaN: never connected. */
  readonly seenAt: GrowableColumn<Float64Array>
  readonly hasLeft: GrowableColumn<Uint8Array>
  readonly ratings: GrowableColumn<Uint32Array>
  readonly sum: GrowableColumn<Float64Array>
  readonly total: GrowableColumn<Float64Array>
  readonly judges: GrowableColumn<Uint32Array>
  readonly paidSteps: GrowableColumn<Uint32Array>
  readonly payers: GrowableColumn<Uint32Array>
  readonly failedSteps: GrowableColumn<Uint32Array>
  /** NaN: unknown. */
  readonly latencyMs: GrowableColumn<Float32Array>
  readonly skillStart: GrowableColumn<Uint32Array>
  readonly skillCount: GrowableColumn<Uint8Array>
  readonly valueStart: GrowableColumn<Uint32Array>
  readonly attributeCount: GrowableColumn<Uint8Array>
  /** Of all values, the attributes included. */
  readonly valueCount: GrowableColumn<Uint16Array>
  /** 1: its skills have different prices, and its postings have masks. */
  readonly hasPrices: GrowableColumn<Uint8Array>
  /** The lowest price of the listing's skills, as a number; infinite without a skill. */
  readonly minPrice: GrowableColumn<Float64Array>
  readonly signature: GrowableColumn<Uint8Array>
}

/** By skill row. */
export type SkillRows = {
  used: number
  readonly ids: Dictionary
  readonly types: Dictionary
  /** By the code of an id or an output type: its code among the values of listings. */
  readonly valueOfId: GrowableColumn<Uint32Array>
  readonly valueOfOutput: GrowableColumn<Uint32Array>
  readonly nameTexts: Dictionary
  readonly id: GrowableColumn<Uint32Array>
  readonly name: GrowableColumn<Uint32Array>
  /** The price as a number, which orders all prices but the closest, and exactly. */
  readonly price: GrowableColumn<Float64Array>
  readonly exactPrice: GrowableColumn<BigInt64Array>
  readonly typeLists: Lists
  readonly outputStart: GrowableColumn<Uint32Array>
  readonly outputCount: GrowableColumn<Uint8Array>
  readonly inputStart: GrowableColumn<Uint32Array>
  readonly inputCount: GrowableColumn<Uint8Array>
  /** How many listings give each skill each name, by the codes of both. */
  readonly namesOf: Map<number, Map<number, number>>
}

/** `embedder`: of the vectors of its listings. */
export function createListingIndex(embedder: Embedder | null = null): ListingIndex {
  return {
    slots: 0,
    live: 0,
    slotOf: new Map(),
    ids: [],
    stamps: [],
    vocabulary: createVocabulary(),
    skillMasks: createTermSkillMasks(),
    terms: createLists(),
    termStart: createGrowableColumn(Uint32Array),
    termCount: createGrowableColumn(Uint16Array),
    checksum: createGrowableColumn(Uint32Array),
    columns: createColumns(),
    skills: createSkillRows(),
    owners: createDictionary(),
    payouts: createDictionary(),
    lastOfPayout: createGrowableColumn(Uint32Array),
    values: createDictionary(),
    kinds: createDictionary(),
    kindOfValue: createGrowableColumn(Uint8Array),
    languages: [],
    valueLists: createLists(),
    slotsByValue: createFilterIndex(),
    vectors: embedder && createListingVectors(embedder),
    isLoading: false,
  }
}

function createColumns(): Columns {
  return {
    isLive: createGrowableColumn(Uint8Array),
    idHead: createGrowableColumn(Float64Array),
    idTail: createGrowableColumn(Float64Array),
    owner: createGrowableColumn(Uint32Array),
    payout: createGrowableColumn(Uint32Array),
    paysOwner: createGrowableColumn(Uint8Array),
    payoutSince: createGrowableColumn(Float64Array),
    previousOfPayout: createGrowableColumn(Uint32Array),
    publishedAt: createGrowableColumn(Float64Array),
    textSince: createGrowableColumn(Float64Array),
    expiresAt: createGrowableColumn(Float64Array),
    seenAt: createGrowableColumn(Float64Array),
    hasLeft: createGrowableColumn(Uint8Array),
    ratings: createGrowableColumn(Uint32Array),
    sum: createGrowableColumn(Float64Array),
    total: createGrowableColumn(Float64Array),
    judges: createGrowableColumn(Uint32Array),
    paidSteps: createGrowableColumn(Uint32Array),
    payers: createGrowableColumn(Uint32Array),
    failedSteps: createGrowableColumn(Uint32Array),
    latencyMs: createGrowableColumn(Float32Array),
    skillStart: createGrowableColumn(Uint32Array),
    skillCount: createGrowableColumn(Uint8Array),
    valueStart: createGrowableColumn(Uint32Array),
    attributeCount: createGrowableColumn(Uint8Array),
    valueCount: createGrowableColumn(Uint16Array),
    hasPrices: createGrowableColumn(Uint8Array),
    minPrice: createGrowableColumn(Float64Array),
    signature: createGrowableColumn(Uint8Array, signatureBytes),
  }
}

function createSkillRows(): SkillRows {
  return {
    used: 0,
    ids: createDictionary(),
    types: createDictionary(),
    valueOfId: createGrowableColumn(Uint32Array),
    valueOfOutput: createGrowableColumn(Uint32Array),
    nameTexts: createDictionary(),
    id: createGrowableColumn(Uint32Array),
    name: createGrowableColumn(Uint32Array),
    price: createGrowableColumn(Float64Array),
    exactPrice: createGrowableColumn(BigInt64Array),
    typeLists: createLists(),
    outputStart: createGrowableColumn(Uint32Array),
    outputCount: createGrowableColumn(Uint8Array),
    inputStart: createGrowableColumn(Uint32Array),
    inputCount: createGrowableColumn(Uint8Array),
    namesOf: new Map(),
  }
}

/** Adds a listing, or replaces its earlier version. */
export function putRecord(index: ListingIndex, record: IndexRecord): void {
  removeListing(index, record.agentId)
  const slot = index.slots
  for (const column of Object.values(index.columns)) column.ensure(slot + 1)
  for (const column of [index.termStart, index.termCount, index.checksum]) column.ensure(slot + 1)
  index.ids.push(record.agentId)
  index.stamps.push(record.stamp)
  putFacts(index, slot, record)
  putTerms(index, slot, record)
  if (index.vectors) putVectors(index.vectors, slot, record)
  putSkills(index, slot, record)
  putValues(index, slot, record)
  setStanding(index, slot, record.standing)
  setPresence(index, slot, record.presence)
  index.slotOf.set(record.agentId, slot)
  index.columns.isLive.data[slot] = 1
  index.slots++
  index.live++
}

function putFacts({ columns, owners, payouts, lastOfPayout }: ListingIndex, slot: number, record: IndexRecord): void {
  const payout = payouts.codeOf(record.payout)
  lastOfPayout.ensure(payout + 1)
  columns.previousOfPayout.data[slot] = lastOfPayout.data[payout] as number
  lastOfPayout.data[payout] = slot + 1
  columns.idHead.data[slot] = Number.parseInt(record.agentId.slice(4, 17), 16) || 0
  columns.idTail.data[slot] = shortIdOf(record.agentId)
  columns.owner.data[slot] = owners.codeOf(record.ownerId)
  columns.payout.data[slot] = payout
  columns.payoutSince.data[slot] = record.payoutSince
  columns.paysOwner.data[slot] = Number(isOwnWallet(record))
  columns.publishedAt.data[slot] = record.publishedAt
  columns.textSince.data[slot] = record.textSince
  columns.expiresAt.data[slot] = record.expiresAt ?? Number.NaN
  columns.signature.data.set(record.signature, slot * signatureBytes)
}

/** An owner who has not proved its wallet is `unproved:` and the wallet. */
function isOwnWallet({ ownerId, payout }: IndexRecord): boolean {
  const owner = ownerId.toLowerCase()
  return owner.startsWith('did:pkh:') && owner.endsWith(`:${payout.toLowerCase()}`)
}

const maxAttributes = 255
function putValues(index: ListingIndex, slot: number, record: IndexRecord): void {
  const { columns, valueLists, slotsByValue } = index
  const attributes = [...new Set(record.attributes)].slice(0, maxAttributes)
  const codes = attributes.map((one) => valueCode(index, one))
  addSkillValues(index, slot, codes)
  for (const code of codes) addSlot(slotsByValue, code, slot)
  columns.valueStart.data[slot] = valueLists.add(codes)
  columns.attributeCount.data[slot] = attributes.length
  columns.valueCount.data[slot] = codes.length
  columns.minPrice.data[slot] = Math.min(...record.skills.map(({ price }) => Number(price)))
}

/** Adds the values of a slot's skills, each once. */
function addSkillValues({ columns, skills }: ListingIndex, slot: number, codes: number[]): void {
  const { id, outputStart, outputCount, typeLists, valueOfId, valueOfOutput } = skills
  const add = (code: number) => (codes.includes(code) ? 0 : codes.push(code))
  const start = columns.skillStart.data[slot] as number
  for (let row = start; row < start + (columns.skillCount.data[slot] as number); row++) {
    add(valueOfId.data[id.data[row] as number] as number)
    const first = outputStart.data[row] as number
    for (let i = first; i < first + (outputCount.data[row] as number); i++)
      add(valueOfOutput.data[typeLists.items.data[i] as number] as number)
  }
}

function valueCode({ values, kinds, kindOfValue, languages }: ListingIndex, value: string): number {
  const known = values.texts.length
  const code = values.codeOf(value)
  if (code < known) return code
  const kind = value.slice(0, value.indexOf(':'))
  kindOfValue.ensure(code + 1)
  kindOfValue.data[code] = kinds.codeOf(kind)
  if (kind === 'language') languages.push(code)
  return code
}

/** The last 40 bits of an id: enough to recognise one of the first results in a cursor. */
export function shortIdOf(agentId: string): number {
  return Number.parseInt(agentId.slice(-10), 16) || 0
}

function putTerms(index: ListingIndex, slot: number, { terms, impacts, skillMasks }: IndexRecord): void {
  const packed = new Uint32Array(terms.length)
  terms.forEach((term, position) => {
    const impact = impacts[position] as number
    const code = internTerm(index.vocabulary, term)
    if (!index.isLoading) addPosting(index.vocabulary, code, ((slot << impactBits) | impact) >>> 0, skillMasks?.[position] ?? 0)
    packed[position] = ((code << impactBits) | impact) >>> 0
  })
  index.columns.hasPrices.data[slot] = Number(skillMasks !== null)
  if (skillMasks !== null && index.isLoading) keepMasks(index.skillMasks, slot, packed, skillMasks)
  index.termStart.data[slot] = index.terms.add(packed.sort())
  index.termCount.data[slot] = terms.length
  index.checksum.data[slot] = checksumOf(index, slot)
}

const slotsPerStep = 500

/** Writes the postings of all listings that were put while `isLoading` was set, in steps. Much faster than one listing at a time. */
export function* finishLoading(index: ListingIndex): Generator<void> {
  const counts = new Uint32Array(index.vocabulary.terms.texts.length)
  const { items, used } = index.terms
  for (let i = 0; i < used; i++) (counts[(items.data[i] as number) >>> impactBits] as number)++
  yield
  reserveLists(index.vocabulary, counts)
  for (let slot = 0; slot < index.slots; slot++) {
    putPostings(index, slot)
    if (slot % slotsPerStep === slotsPerStep - 1) yield
  }
  index.isLoading = false
  index.skillMasks = createTermSkillMasks()
  for (let slot = 0; slot < index.slots; slot++) if (index.columns.isLive.data[slot] !== 1) forgetTerms(index, slot)
}

function putPostings(index: ListingIndex, slot: number): void {
  const terms = packedTerms(index, slot)
  const masks = keptMasks(index.skillMasks, slot, terms.length)
  for (let i = 0; i < terms.length; i++) {
    const packed = terms[i] as number
    addPosting(index.vocabulary, packed >>> impactBits, ((slot << impactBits) | (packed & maxImpact)) >>> 0, masks?.[i] ?? 0)
  }
}

function forgetTerms(index: ListingIndex, slot: number): void {
  for (const packed of packedTerms(index, slot)) (index.vocabulary.frequency.data[packed >>> impactBits] as number)--
}

/** Whether the terms of a slot are those that were written. */
export function isIntact(index: ListingIndex, slot: number): boolean {
  return index.checksum.data[slot] === checksumOf(index, slot)
}

function checksumOf(index: ListingIndex, slot: number): number {
  const start = index.termStart.data[slot] as number
  const end = start + (index.termCount.data[slot] as number)
  const { items } = index.terms
  let sum = end - start
  for (let i = start; i < end; i++) sum = Math.imul(sum ^ (items.data[i] as number), 0x01000193)
  return sum >>> 0
}

function putSkills(index: ListingIndex, slot: number, record: IndexRecord): void {
  const { columns, skills } = index
  const { id, name, price, exactPrice, outputStart, outputCount, inputStart, inputCount } = skills
  const end = skills.used + record.skills.length
  for (const column of [id, name, price, exactPrice, outputStart, outputCount, inputStart, inputCount]) column.ensure(end)
  columns.skillStart.data[slot] = skills.used
  columns.skillCount.data[slot] = record.skills.length
  for (const skill of record.skills) {
    const row = skills.used++
    const code = internValue(index, 'skill', skill.id)
    const typesOf = (names: readonly string[]) => names.map((name) => skills.types.codeOf(name))
    id.data[row] = code
    name.data[row] = skills.nameTexts.codeOf(skill.name)
    price.data[row] = Number(skill.price)
    exactPrice.data[row] = skill.price
    outputStart.data[row] = skills.typeLists.add(skill.outputTypes.map((type) => internValue(index, 'output', type)))
    outputCount.data[row] = skill.outputTypes.length
    inputStart.data[row] = skills.typeLists.add(typesOf(skill.inputTypes))
    inputCount.data[row] = skill.inputTypes.length
    countName(skills, row, 1)
  }
}

/** The code of a skill's id or output type, which is also a value of listings. */
function internValue(index: ListingIndex, kind: 'skill' | 'output', text: string): number {
  const [dictionary, column] =
    kind === 'skill' ? [index.skills.ids, index.skills.valueOfId] : [index.skills.types, index.skills.valueOfOutput]
  const code = dictionary.codeOf(text)
  column.ensure(code + 1)
  if (column.data[code] === 0) column.data[code] = valueCode(index, `${kind}:${text}`)
  return code
}

function countName({ namesOf, id, name }: SkillRows, row: number, change: number): void {
  const counts = namesOf.get(id.data[row] as number) ?? new Map<number, number>()
  namesOf.set(id.data[row] as number, counts)
  const count = (counts.get(name.data[row] as number) ?? 0) + change
  if (count > 0) counts.set(name.data[row] as number, count)
  else counts.delete(name.data[row] as number)
}

/** The name that most listings give a skill. */
export function labelOf({ namesOf, nameTexts, ids }: SkillRows, code: number): string {
  let [label, max] = [ids.texts[code] as string, 0]
  for (const [name, count] of namesOf.get(code) ?? []) {
    const text = nameTexts.texts[name] as string
    if (count > max || (count === max && text < label)) [label, max] = [text, count]
  }
  return label
}

export function setStanding({ columns }: ListingIndex, slot: number, standing: Standing): void {
  columns.ratings.data[slot] = standing.ratings
  columns.sum.data[slot] = standing.sum
  columns.total.data[slot] = standing.total
  columns.judges.data[slot] = standing.judges
  columns.paidSteps.data[slot] = standing.paidSteps
  columns.payers.data[slot] = standing.payers
  columns.failedSteps.data[slot] = standing.failedSteps
  columns.latencyMs.data[slot] = standing.latencyMs ?? Number.NaN
}

export function setPresence({ columns }: ListingIndex, slot: number, { seenAt, hasLeft }: PresenceTimes): void {
  columns.seenAt.data[slot] = seenAt ?? Number.NaN
  columns.hasLeft.data[slot] = hasLeft ? 1 : 0
}

/** Takes a listing out. The next compaction frees its slot. */
export function removeListing(index: ListingIndex, agentId: string): void {
  const slot = index.slotOf.get(agentId)
  if (slot === undefined) return
  index.slotOf.delete(agentId)
  index.columns.isLive.data[slot] = 0
  index.live--
  if (!index.isLoading) forgetTerms(index, slot)
  const start = index.columns.skillStart.data[slot] as number
  for (let row = start; row < start + (index.columns.skillCount.data[slot] as number); row++) countName(index.skills, row, -1)
}

function packedTerms({ terms, termStart, termCount }: ListingIndex, slot: number): Uint32Array {
  const start = termStart.data[slot] as number
  return terms.items.data.subarray(start, start + (termCount.data[slot] as number))
}

/** The record of a slot, as it was put, with its current standing and presence. */
export function recordOf(index: ListingIndex, slot: number): IndexRecord {
  const { columns, vocabulary } = index
  const packed = packedTerms(index, slot)
  const expiresAt = columns.expiresAt.data[slot] as number
  const attributes = listOf(index.valueLists, columns.valueStart.data[slot] as number, columns.attributeCount.data[slot] as number)
  return {
    agentId: index.ids[slot] as string,
    stamp: index.stamps[slot] as string,
    ownerId: index.owners.texts[columns.owner.data[slot] as number] as string,
    payout: index.payouts.texts[columns.payout.data[slot] as number] as string,
    payoutSince: columns.payoutSince.data[slot] as number,
    publishedAt: columns.publishedAt.data[slot] as number,
    textSince: columns.textSince.data[slot] as number,
    expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
    attributes: attributes.map((code) => index.values.texts[code] as string),
    standing: standingOf(index, slot),
    presence: presenceOf(index, slot),
    skills: skillsOf(index, slot),
    terms: Array.from(packed, (one) => vocabulary.terms.texts[one >>> impactBits] as string),
    impacts: Uint8Array.from(packed, (one) => one & maxImpact),
    skillMasks: columns.hasPrices.data[slot] === 1 ? Uint16Array.from(packed, (one) => maskOn(vocabulary, one >>> impactBits, slot)) : null,
    signature: columns.signature.data.slice(slot * signatureBytes, (slot + 1) * signatureBytes),
    vector: index.vectors?.ofTexts.vectorOf(slot) ?? null,
    advertised: index.vectors && advertisedOf(index.vectors, slot),
  }
}

export function standingOf({ columns }: ListingIndex, slot: number): Standing {
  const latencyMs = columns.latencyMs.data[slot] as number
  return {
    ratings: columns.ratings.data[slot] as number,
    sum: columns.sum.data[slot] as number,
    total: columns.total.data[slot] as number,
    judges: columns.judges.data[slot] as number,
    paidSteps: columns.paidSteps.data[slot] as number,
    payers: columns.payers.data[slot] as number,
    failedSteps: columns.failedSteps.data[slot] as number,
    latencyMs: Number.isNaN(latencyMs) ? null : latencyMs,
  }
}

function presenceOf({ columns }: ListingIndex, slot: number): PresenceTimes {
  const seenAt = columns.seenAt.data[slot] as number
  return { seenAt: Number.isNaN(seenAt) ? null : seenAt, hasLeft: columns.hasLeft.data[slot] === 1 }
}

function skillsOf({ columns, skills }: ListingIndex, slot: number): IndexedSkill[] {
  const start = columns.skillStart.data[slot] as number
  return Array.from({ length: columns.skillCount.data[slot] as number }, (_, position) => {
    const row = start + position
    const types = (from: GrowableColumn<Uint32Array>, count: GrowableColumn<Uint8Array>) =>
      listOf(skills.typeLists, from.data[row] as number, count.data[row] as number).map((code) => skills.types.texts[code] as string)
    return {
      id: skills.ids.texts[skills.id.data[row] as number] as string,
      name: skills.nameTexts.texts[skills.name.data[row] as number] as string,
      price: skills.exactPrice.data[row] as bigint,
      outputTypes: types(skills.outputStart, skills.outputCount),
      inputTypes: types(skills.inputStart, skills.inputCount),
    }
  })
}

function listOf({ items }: Lists, start: number, count: number): number[] {
  return [...items.data.subarray(start, start + count)]
}
