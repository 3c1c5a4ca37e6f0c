import { closeLines, deliver } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import type { Answer } from '../ground/http.ts'
import { createScene } from '../ground/scene.ts'
import { kindOf } from '../inputs/id-kinds.ts'
import { replaceAt, type Value } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { isDestructive, type Operation, type Place } from '../operations/operations.ts'
import { commandOf, entitledOf } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

/**
 * The states of a goal in which each command about it may be sent. It follows protocol/SPEC.md (Commands, States, Erasure), and is not read
 * from the product. `over`: settling, paid, refunded or canceled.
 */
const statesOf: { readonly [command: string]: RegExp } = {
  'goal.claim': /^open$/,
  'goal.cancel': /^(funding|open|underway|review)$/,
  'goal.pause': /^(open|underway)$/,
  'goal.resume': /^(open|underway)$/,
  'goal.conclude': /^(open|underway)$/,
  'deadline.extend': /^(open|underway|review)$/,
  'revision.request': /^review$/,
  'task.accept': /^(underway|review)$/,
  'task.return': /^(underway|review)$/,
  'hold.authorize': /^funding$/,
  'hold.checkout': /^funding$/,
  'hold.reclaim': /^$/,
  'dispute.open': /^(underway|review)$/,
  'settlement_offer.make': /^(underway|review)$/,
  'team.propose': /^(open|underway)$/,
  'team.accept': /^(open|underway)$/,
  'team.decline': /^(open|underway)$/,
  'team.seal': /^(open|underway)$/,
  'team.authorize': /^(open|underway)$/,
  'team.veto': /^(open|underway)$/,
  'charter.submit': /^open$/,
  'charter.confirm': /^open$/,
  'charter.refuse': /^open$/,
  'task.assign': /^(underway|review)$/,
  'task.progress': /^(underway|review)$/,
  'task.complete': /^(underway|review)$/,
  'task.fail': /^(underway|review)$/,
  'sub_team.create': /^underway$/,
  'feedback.give': /^over$/,
  'message.erase': /^over$/,
  'artifact.erase': /^over$/,
  'entry.erase': /^over$/,
}

type Subject = { readonly state: string; readonly ids: { readonly [kind: string]: string } }

/** The goals of the fixture with their room and newest task, each in another state. */
async function subjectsOf({ installation, scene }: Place): Promise<Subject[]> {
  const { db } = installation.world.system
  const over = await db.goal.findFirst({ where: { roomId: scene.over.roomId }, select: { id: true } })
  const ids = [...Object.values(scene.goals).map(({ id }) => id), ...(over ? [over.id] : [])]
  const rows = await db.goal.findMany({ where: { id: { in: ids } }, select: { id: true, roomId: true, state: true } })
  const subjects: Subject[] = []
  // One of each state: what moves money is limited in number.
  for (const { id, roomId, state } of new Map(rows.map((row) => [row.state, row])).values()) {
    const tasks = await db.task.findMany({ where: { goalId: id }, orderBy: { id: 'desc' }, take: 1 })
    const task = tasks[0] ? { tsk: tasks[0].id } : {}
    subjects.push({ state: /^(settling|paid|refunded|canceled)$/.test(state) ? 'over' : state, ids: { gol: id, rom: roomId, ...task } })
  }
  return subjects
}

/** A command about a goal in a state in which it cannot be sent, by the role that may send it otherwise. */
async function sendAll({ installation }: Place): Promise<Fault[]> {
  // What it ends is its own.
  const place: Place = { installation, scene: await createScene(installation.world, installation.hub.url), lines: {}, privateIds: [] }
  const faults: Fault[] = []
  const writes = (await plainOperations(installation)).filter(({ name, isReading }) => name.startsWith('command:') && !isReading)
  const subjects = await subjectsOf(place)
  let proven = 0
  try {
    for (const operation of [...writes.filter((one) => !isDestructive(one)), ...writes.filter(isDestructive)]) {
      const command = commandOf(operation.name)
      const role = entitledOf(operation)?.as
      const allowed = command === null ? undefined : statesOf[command]
      if (!allowed || !role) continue
      const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
      for (const { state, ids } of subjects.filter((one) => !allowed.test(one.state))) {
        const input = about(operation, base, ids)
        if (input === null) continue
        proven++
        const before = await effectsOf(place, command ?? '', ids)
        const answer = await send(place, operation, role, input)
        faults.push(...answerFaults(operation.name, answer))
        // A repeated command repeats its answer, and changes nothing.
        if (answer.status >= 200 && answer.status < 300 && (await effectsOf(place, command ?? '', ids)) > before)
          faults.push(fault('states of a goal', operation.name, `was taken in the state ${state}: ${answer.text.slice(0, 160)}`))
      }
    }
  } finally {
    closeLines(place)
  }
  if (proven < 30) faults.push(fault('states of a goal', 'the attack', `only ${proven} requests were sent`))
  return faults
}

/** How often the command changed this goal, as the audit log records it. */
const effectsOf = ({ installation }: Place, action: string, { gol = '' }: Subject['ids']) =>
  installation.world.system.db.auditEntry.count({ where: { chain: gol, action } })

/** The same input about another goal, its room and its task; null where it names none of them. */
function about({ schema }: Operation, base: Value, ids: Subject['ids']): Value | null {
  const places = positionsOf(base, schema).filter(({ value }) => typeof value === 'string' && Object.hasOwn(ids, kindOf(value) ?? ''))
  if (places.length === 0) return null
  return places.reduce((input, { path, value }) => replaceAt(input, path, () => ids[kindOf(String(value)) ?? ''] ?? ''), base)
}

async function send(place: Place, operation: Operation, role: Role, input: Value): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await deliver(place, operation, operation.request(place, role, input))
    if (answer.status !== 429 || tries >= 3) return answer
    await pause(1_000)
  }
}

export const wrongStates: Attack = { name: 'states of a goal', run: sendAll }
