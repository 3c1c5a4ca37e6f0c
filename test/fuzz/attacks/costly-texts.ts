import { deliver } from '../edge/deliver.ts'
import { type Fault, lookAt } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { costlyPieces } from '../inputs/hostile-texts.ts'
import { replaceAt, type Value } from '../inputs/json-text.ts'
import { placeName, positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { isDestructive, type Operation, type Place } from '../operations/operations.ts'
import { entitledOf } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

/** A place of an operation that takes a long text. */
type Sink = { readonly operation: Operation; readonly role: Role; readonly at: readonly (string | number)[]; readonly length: number }

/** Shorter texts cost nothing that shows. */
const minLength = 2_000
const maxLength = 60_000
/** Texts of one group are sent at once. */
const together = 8
/** Processor time of all threads of a process that a text of 60 kB may cost more than a plain one of its length. */
const maxExcessMs = 250

const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

/** A text costs about as much as any other of its length, at each place that takes a long one. */
async function weighAll(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const sink of await sinksOf(place)) {
    const plain = await costOf(
      place,
      sink,
      Array.from({ length: together }, () => repeated('Ab cd. ', sink.length)),
    )
    // It is refused, or limited, before it is read.
    if (plain === null) continue
    for (let at = 0; at < costlyPieces.length; at += together) {
      const pieces = costlyPieces.slice(at, at + together)
      const cost = await costOf(
        place,
        sink,
        pieces.map((piece) => `x${repeated(piece, sink.length - 2)}y`),
      )
      if (cost !== null && cost > plain + maxExcessMs) faults.push(...(await weighSingly(place, sink, pieces)))
      if (faults.length > 0) return faults
    }
  }
  return faults
}

/** Each alone, and twice: other work may fall into it. */
async function weighSingly(place: Place, sink: Sink, pieces: readonly string[]): Promise<Fault[]> {
  for (const piece of pieces) {
    const excess: number[] = []
    for (let tries = 0; tries < 3 && (excess.at(-1) ?? maxExcessMs + 1) > maxExcessMs; tries++) {
      const cost = (await costOf(place, sink, [`x${repeated(piece, sink.length - 2)}y`])) ?? 0
      excess.push(cost - ((await costOf(place, sink, [repeated('Ab cd. ', sink.length)])) ?? 0))
    }
    const min = Math.min(...excess)
    const subject = `${sink.operation.name} ${placeName(sink.at)}: ${JSON.stringify(piece)}`
    if (min > maxExcessMs)
      return [fault('a text costs as much as its length', subject, `${sink.length} characters took ${Math.round(min)} ms more`)]
  }
  return []
}

/** Processor time of the process that worked maxSent, in all its threads. Null where the first text is not read. */
async function costOf(place: Place, { operation, role, at }: Sink, texts: readonly string[]): Promise<number | null> {
  const bases = await Promise.all(texts.map(() => Promise.resolve(operation.base(place, role)).catch((): Value => null)))
  const before = await lookAt(place.installation)
  const answers = await Promise.all(
    texts.map((text, n) =>
      deliver(
        place,
        operation,
        operation.request(
          place,
          role,
          replaceAt(bases[n] ?? null, at, () => text),
        ),
      ),
    ),
  )
  const after = await lookAt(place.installation)
  if (answers.every(({ status }) => status === 429)) {
    await pause(2_000)
    return null
  }
  return Math.max(after.web.usedMs - before.web.usedMs, after.hub.usedMs - before.hub.usedMs)
}

async function sinksOf(place: Place): Promise<Sink[]> {
  const all = (await plainOperations(place.installation)).filter((one) => /^(trpc|command|hub):/.test(one.name) && !one.isStream)
  const sinks: Sink[] = []
  for (const operation of all) {
    if (operation.isClosed || isDestructive(operation)) continue
    const role = operation.isReading ? operation.roles[0] : entitledOf(operation)?.as
    if (!role || !operation.roles.includes(role)) continue
    const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
    for (const { path, schema, value } of positionsOf(base, operation.schema)) {
      const isFree = typeof value === 'string' && !schema.pattern && !schema.format && !schema.enum && schema.const === undefined
      // The text of a query travels in its address.
      const maxSent = operation.isReading && !/markdown|quotes|Terms/.test(operation.name) ? 6_000 : maxLength
      const length = Math.min(schema.maxLength ?? maxLength, maxSent)
      if (isFree && length >= minLength && path.every((key) => typeof key !== 'number' || key === 0))
        sinks.push({ operation, role, at: path, length })
    }
  }
  return sinks
}

export const costlyTexts: Attack = { name: 'costly texts', run: weighAll }
