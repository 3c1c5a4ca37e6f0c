/** The run: rounds of hostile cases over everything that can be asked, and after each a look at whether all still holds. */

import { seeded, seedOf, shuffled } from '../../support/random.ts'
import { type Attack, attacks } from '../attacks/index.ts'
import { type Bystander, startBystander } from '../ground/bystander.ts'
import type { Role } from '../ground/cast.ts'
import { closeConnections } from '../ground/http.ts'
import { type Installation, startInstallation } from '../ground/installation.ts'
import { createScene } from '../ground/scene.ts'
import { allOperations } from '../operations/all.ts'
import { isDestructive, type Operation, type Place } from '../operations/operations.ts'
import { asItIs, bareName, type Case, casesOf, fullName, nameOf } from './cases.ts'
import { createCoverage } from './coverage.ts'
import { closeLines, lineOf, overheardAt } from './deliver.ts'
import { bookFaults, mb, memoryFaults, neighbourFaults } from './health.ts'
import { completed, learnCompletion } from './learn-completion.ts'
import { type Fault, loginsOf, lookAt, overheardFaults, processFaults } from './oracles.ts'
import { readHidden, sweep } from './read-pages-and-lists.ts'
import { figuresOf, isFull, isOver, note, type Outcome, type Run, type RunOptions } from './state.ts'
import { tryCase, tryNarrowed } from './try-case.ts'
import { isRefusal, tryRefusals } from './try-refusals.ts'

const roundMs = 45_000
/** Attacks in a round. One that breaks something lasting ends them earlier. */
const attacksMs = 110_000
/** Cases in a round of what is refused to everybody at that door. */
const maxOfClosed = 4
const maxRestarts = 16

export async function runFuzz(options: RunOptions): Promise<Outcome> {
  const run = await begin(options)
  try {
    const random = seeded(options.seed)
    const waiting = options.only
      ? attacks.filter(({ name }) => name === options.only)
      : shuffled(
          attacks.filter(({ name }) => fits(run, name)),
          random,
        )
    const [early, late] = [waiting.filter(({ spoils }) => !spoils), waiting.filter(({ spoils }) => spoils)]
    do await round(run, early)
    while (!isOver(run) && !options.only && run.operations.length > 0)
    await finish(run, early)
    await Promise.all(run.background)
    if (!options.only || run.findings.size === 0)
      for (const fault of await bookFaults(run.installation)) note(run, fault, 'the whole run', '')
    await finish(run, late)
  } finally {
    await end(run)
  }
  return { findings: [...run.findings.values()], coverage: run.coverage, figures: figuresOf(run) }
}

const fits = ({ options }: Pick<Run, 'options'>, name: string) => options.fitting?.test(name) ?? true
async function begin(options: RunOptions): Promise<Run> {
  const installation = await startInstallation(options)
  const started = await prepare(installation, options)
  const looks = await lookAt(installation, true)
  return {
    ...{ options, coverage: createCoverage(), findings: new Map(), until: Date.now() + options.minutes * 60_000 },
    ...{ admitted: new Map(), completions: new Map(), looks: null, refused: new Set(), learned: new Set() },
    ...{
      installation,
      ...started,
      worstP99: 0,
      base: looks,
      rounds: 0,
      restarts: 0,
      reads: 0,
      attacks: 0,
      background: [],
      isPoisoned: false,
    },
    maxRss: { web: 0, hub: 0 },
    maxHeld: { web: 0, hub: 0 },
    seconds: { scenes: 0, learning: 0, attacks: 0, cases: 0, sweeps: 0 },
  }
}

async function prepare(installation: Installation, { product, fitting, sweeps, tell }: RunOptions) {
  const all = (await allOperations(installation, product)).filter(({ variant }) => !variant?.entitled.isRefused)
  const bystander = await startBystander(installation)
  const idleP99 = sweeps === false ? 0 : await measureIdle(bystander)
  tell(`${all.length} operations; an unrelated room hears within ${idleP99.toFixed(1)} ms (p99, idle)`)
  return { operations: all.filter(({ name }) => fitting?.test(name) ?? true), bystander, idleP99 }
}

async function measureIdle(bystander: Bystander): Promise<number> {
  await bystander.p99(100)
  return bystander.p99()
}

async function round(run: Run, waiting: Attack[]): Promise<void> {
  run.rounds++
  if (run.isPoisoned) await restart(run)
  const { installation, options } = run
  const scene = await timed(run, 'scenes', () => createScene(installation.world, installation.hub.url))
  const place: Place = { installation, scene, lines: {}, privateIds: [] }
  watchLogs(installation, scene)
  try {
    await lineOf(place, 'worker')
    await lineOf(place, 'planner')
    await readHidden(place)
    await installation.web.look()
    for (const one of [installation.web, installation.hub]) one.takeFaults()
    const told = overheardFaults(place, { overheard: overheardAt(place) }, '')
    for (const fault of told) note(run, fault, `round ${run.rounds}`, 'A private goal was posted, funded and claimed.')
    if (run.rounds === 1) await learnFirst(run, place)
    await timed(run, 'attacks', () => attack(run, place, waiting))
    run.looks = null
    // Whatever the attacks have taken: on a busy machine nothing would be left.
    await timed(run, 'cases', () => hammer(run, place, Math.min(Date.now() + roundMs, run.until)))
    if (options.sweeps !== false && !run.isPoisoned && !isFull(run)) await timed(run, 'sweeps', () => look(run, place))
  } finally {
    closeLines(place)
  }
}

/** Longer than any part of a run, also on a busy machine. */
const pauseMs = 1_800_000

/** Keeps how long it took. The minutes of a run count the cases only, and stand still meanwhile. */
async function timed<T>(run: Run, what: keyof Run['seconds'], work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const isCounted = what === 'cases'
  if (!isCounted) run.until += pauseMs
  try {
    return await work()
  } finally {
    const ms = performance.now() - begun
    run.seconds[what] += ms / 1_000
    if (!isCounted) run.until += ms - pauseMs
  }
}

/** Who gets past the first check with a valid input, of each operation; and that anonymous callers get no further than allowed. Asked once in a run. */
async function learn(run: Run, place: Place, operations: readonly Operation[]): Promise<void> {
  const { only } = run.options
  for (const operation of operations) {
    if (only && !only.startsWith(`${operation.name} | `)) continue
    if (run.learned.has(operation.name) || isOver(run)) continue
    run.learned.add(operation.name)
    // `who may` reports it if several cannot be made.
    if (operation.variant && !(await isMakeable(place, operation))) continue
    // What changes nothing is asked as several anyway.
    if (operation.isReading) {
      const [role] = operation.roles
      if (role && !operation.isStream) await learnCompletion(run, place, operation, role)
      continue
    }
    const admitted: Role[] = []
    for (const role of operation.roles) {
      // Once it is known who may, it is asked only whether nobody may too.
      if (admitted.length > 0 && role !== 'anonymous') continue
      const { status } = await tryCase(run, place, { operation, role, place: '(all)', mutation: asItIs })
      if (status >= 200 && status < 400) admitted.push(role)
    }
    run.admitted.set(operation.name, admitted)
    const [first] = admitted
    if (first) await learnCompletion(run, place, operation, first)
  }
}

const isMakeable = (place: Place, { base, roles: [role] }: Operation) =>
  role !== undefined &&
  Promise.resolve()
    .then(() => base(place, role))
    .then(
      () => true,
      () => false,
    )

async function learnFirst(run: Run, place: Place): Promise<void> {
  const lasting = run.operations.filter((one) => !isDestructive(one))
  await timed(run, 'learning', () => learn(run, place, lasting))
}

/** The attacks that are no change of one place; all of them once, before the cases. */
async function attack(run: Run, place: Place, waiting: Attack[]): Promise<void> {
  const until = Date.now() + attacksMs
  for (const one of waiting.filter(({ waits }) => waits)) {
    waiting.splice(waiting.indexOf(one), 1)
    run.background.push(strike(run, place, one))
  }
  while (waiting.length > 0 && Date.now() < until && !isOver(run)) {
    const one = waiting.shift()
    if (!one) return
    if (await launch(run, place, one)) run.isPoisoned = true
    if (run.isPoisoned) return
  }
}

/** One attack, and what the processes say of it. */
async function launch(run: Run, place: Place, one: Attack): Promise<boolean> {
  run.looks = null
  const before = await lookAt(run.installation)
  const isLasting = await strike(run, place, one)
  const { faults } = await processFaults(run.installation, one.name, before)
  faults.push(...logFaults(run.installation, one.name))
  // Many requests are many works.
  const broken = faults.filter(({ oracle, detail }) => !oracle.startsWith('bounded work') && !one.isLogged?.test(detail))
  for (const fault of broken) note(run, fault, one.name, one.name)
  return isLasting
}

function watchLogs({ web, hub }: Installation, scene: Place['scene']): void {
  for (const one of [web, hub]) one.watch([...loginsOf(scene), ...scene.secrets.filter((word) => word.startsWith('zq'))])
}

/** A log has no login, and no text of the private goal. */
function logFaults({ web, hub }: Installation, subject: string): Fault[] {
  return [web, hub].flatMap((one) =>
    one
      .takeLeaks()
      .slice(0, 1)
      .map((detail) => ({ oracle: `no secret in the log of the ${one.name}`, subject, detail })),
  )
}

/** Attacks for which the rounds had no time, and then those that leave the installation broken: a run has each of them once. */
async function finish(run: Run, waiting: Attack[]): Promise<void> {
  while (waiting.length > 0 && !isFull(run)) {
    if (run.isPoisoned) await restart(run)
    const { installation } = run
    const place: Place = { installation, scene: await createScene(installation.world, installation.hub.url), lines: {}, privateIds: [] }
    watchLogs(installation, place.scene)
    try {
      for (let one = waiting.shift(); one; one = isFull(run) ? undefined : waiting.shift()) {
        run.isPoisoned = (await timed(run, 'attacks', () => launch(run, place, one as Attack))) && !one.spoils
        if (run.isPoisoned) break
      }
    } finally {
      closeLines(place)
    }
  }
}

/** Whether what it found fails again without it. */
async function strike(run: Run, place: Place, one: Attack): Promise<boolean> {
  run.attacks++
  const begun = performance.now()
  const faults = await one.run(place).catch((error: unknown): Fault[] => [
    {
      oracle: 'the attack ends',
      subject: one.name,
      detail: error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1] ?? ''}` : String(error),
    },
  ])
  run.options.tell(`attack: ${one.name}, ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
  for (const fault of faults) note(run, fault, one.name, one.name)
  return faults.some(({ isLasting }) => isLasting)
}

async function hammer(run: Run, place: Place, ends: number): Promise<void> {
  const { options, operations } = run
  const random = seeded(seedOf(options.seed, `round ${options.only ? 0 : run.rounds}`))
  // Their objects are made for each scene: one round has them.
  const tried = operations.filter(({ variant }) => !variant || run.rounds === 1 || options.only !== undefined)
  const [gentle, last] = [tried.filter((one) => !isDestructive(one)), tried.filter(isDestructive)]
  await hammerThese(run, place, shuffled(gentle, random), Date.now() + (ends - Date.now()) * 0.75)
  await learn(run, place, last)
  await hammerThese(run, place, shuffled(last, random), ends)
}

/** One case of each in turn, so that every operation has had its share when the time is up. */
async function hammerThese(run: Run, place: Place, operations: readonly Operation[], until: number): Promise<void> {
  const all = await Promise.all(operations.map((operation) => queueOf(run, place, operation)))
  const isTogether = (one: Case) => !run.options.only && isRefusal(one)
  const together = interleave(all.map((queue) => queue.filter((one) => isTogether(one) && isAdmitted(run, one))))
  await tryRefusals(run, place, together, Date.now() + (until - Date.now()) / 2)
  run.looks = null
  const queues = all.map((queue) => queue.filter((one) => !isTogether(one)))
  // What is stored can break what is read later: writes that an actor may do run twice in each round.
  queues.push(...queues.filter(([one]) => one && !one.operation.isReading && run.admitted.get(one.operation.name)?.length))
  for (let left = true; left && !run.isPoisoned; ) {
    left = false
    for (const queue of queues) {
      if (Date.now() > until || isOver(run) || run.isPoisoned) return
      const one = next(run, queue)
      if (!one) continue
      left = true
      const status = await tryNarrowed(run, place, one)
      // It comes back too slowly to wait for.
      if (status === 429) queue.length = Math.floor(queue.length / 2)
    }
  }
}

/** Whose requests get as far as their content. */
const isAdmitted = ({ admitted }: Run, { operation, role }: Case) =>
  operation.isReading ? role === operation.roles[0] : (admitted.get(fullName(operation))?.[0] ?? role) === role

/** One of each list in turn. */
function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}

/** What has been tried least at its place goes first. */
function next({ coverage }: Run, queue: Case[]): Case | undefined {
  const head = queue.slice(0, 60)
  const [best] = head.map((one, at) => ({ at, tried: coverage.tried(one) })).sort((a, b) => a.tried - b.tried)
  return best ? queue.splice(best.at, 1)[0] : undefined
}

/** What the schema forbids is tried without the optional places too. */
async function queueOf(run: Run, place: Place, plain: Operation): Promise<Case[]> {
  const completion = run.completions.get(plain.name)
  const all = await queueOfInput(run, place, completed(plain, completion))
  if (!completion && !run.options.only) return all
  const bare = await queueOfInput(run, place, { ...plain, name: `${plain.name}${bareName}` })
  const boundaries = bare.filter(
    ({ mutation }) => run.options.only || (!mutation.isWithin && /^(size|number|missing)$/.test(mutation.group)),
  )
  return interleave([all, boundaries])
}

async function queueOfInput(run: Run, place: Place, operation: Operation): Promise<Case[]> {
  const admitted = run.admitted.get(fullName(operation)) ?? operation.roles.slice(0, 1)
  const others = operation.roles.filter((role) => !admitted.includes(role))
  const random = seeded(seedOf(run.options.seed, `${run.rounds} ${operation.name}`))
  const { only } = run.options
  const lists: Case[][] = []
  for (const role of only ? operation.roles : [...admitted.slice(0, 2), ...shuffled(others, random).slice(0, 1)]) {
    if (only && !only.startsWith(`${operation.name} | ${role} | `)) continue
    const cases = await casesOf(operation, role, place, random).catch(() => [])
    if (!operation.isClosed) run.coverage.expect(cases)
    lists.push(only ? cases.filter((one) => nameOf(one) === only) : cases)
  }
  const all = interleaved(lists)
  return operation.isClosed && !only ? all.slice(0, maxOfClosed) : all
}

/** Two of who may do it, then one of each of the others. */
function interleaved([first = [], ...others]: readonly (readonly Case[])[]): Case[] {
  const longest = Math.max(Math.ceil(first.length / 2), ...others.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => [
    ...first.slice(2 * at, 2 * at + 2),
    ...others.flatMap((list) => list.slice(at, at + 1)),
  ]).flat()
}

/** All pages and lists, and how the processes and the neighbours are. */
async function look(run: Run, place: Place): Promise<void> {
  const { options, installation } = run
  const rolesNow: Role[] = options.only ? ['client'] : run.rounds % 2 === 1 ? ['client', 'anonymous'] : ['stranger', 'operator']
  const hidden = await installation.world.system.db.goal.findMany({ where: { visibility: 'private' }, select: { id: true }, take: 2_000 })
  place.privateIds = hidden.map(({ id }) => id)
  const swept = await sweep(place, run.operations, rolesNow, options.product)
  run.reads += swept.reads
  for (const { read, ...fault } of swept.faults) {
    note(run, fault, `sweep | ${read.role} | ${read.name}`, read.path)
    run.isPoisoned = true
  }
  const { p99, faults } = await neighbourFaults(run.bystander, run.idleP99)
  run.worstP99 = Math.max(run.worstP99, p99)
  const books = await bookFaults(installation)
  const logged = logFaults(installation, `round ${run.rounds}`)
  for (const fault of [...faults, ...logged, ...(await memoryFaults(installation, run)), ...books])
    note(run, fault, `round ${run.rounds}`, '')
  options.tell(
    `round ${run.rounds}: ${run.coverage.figures().cases} cases, ${run.reads} reads, p99 ${run.worstP99.toFixed(1)} ms, ` +
      `web ${mb(run.maxHeld.web)} MB and hub ${mb(run.maxHeld.hub)} MB held, ${run.findings.size} findings`,
  )
  for (const one of [installation.web, installation.hub])
    if (!one.isAlive()) {
      note(run, { oracle: 'processes live', subject: one.name, detail: 'it has ended' }, `round ${run.rounds}`, '')
      run.isPoisoned = true
    }
}

async function restart(run: Run): Promise<void> {
  if (++run.restarts > maxRestarts) throw new Error('The installation was broken too often to go on.')
  run.bystander.close()
  await run.installation[Symbol.asyncDispose]()
  run.installation = await startInstallation(run.options)
  Object.assign(run, await prepare(run.installation, run.options))
  run.base = await lookAt(run.installation, true)
  run.isPoisoned = false
}

async function end(run: Run): Promise<void> {
  run.bystander.close()
  closeConnections()
  await run.installation[Symbol.asyncDispose]()
}
