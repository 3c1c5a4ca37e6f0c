// The rules of the codebase's structure, as tests. If a rule and a document disagree, the rule counts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  acceptances,
  callStates,
  channelStates,
  commandTypes,
  conversationStates,
  eventTypes,
  goalStates,
  holdStates,
  stepStates,
  taskStates,
  teamStates,
  transferStates,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { modelEnvironment } from '../agents/builtin/model/model-settings.ts'
import { environment } from '../server/env.ts'

const root = path.join(import.meta.dirname, '..')
/** The modules of server/, from low to high: a module imports only from those before it. */
const modules =
  'telemetry audit identity policy safety memory delivery reputation registry resource-pools federation settlement conversations teams tasks calls goals notifications'.split(
    ' ',
  )
const entryPoints = 'commands hub trpc webhooks jobs'.split(' ')
/** The sub-folders of server/settlement, from low to high: a file imports only from its own sub-folder and from lower ones. */
const settlementLayers =
  'ledger signers rails alarms chain-events chain holds charters disputes channels credits stripe indexer submit reconciliation worker'.split(
    ' ',
  )
/** The files beside the sub-folders. All sub-folders may import the errors; the index imports everything. */
const settlementRoot = ['errors.ts', 'index.ts']
/** The maximum number of entries of a folder inside server/. */
const maxEntries = 20

const generated = new Set([
  'node_modules',
  '.git',
  '.parley',
  '.next',
  'dist',
  'artifacts',
  'cache',
  'coverage',
  'ignition',
  'prisma/client',
])
function walk(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const at = folder ? `${folder}/${entry.name}` : entry.name
    if (generated.has(entry.name) || generated.has(at)) return []
    return entry.isDirectory() ? walk(at) : [at]
  })
}
const all = walk('')
const texts = new Map<string, string>()
function read(file: string): string {
  const text = texts.get(file) ?? readFileSync(path.join(root, file), 'utf8')
  texts.set(file, text)
  return text
}
const code = all.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
/** Tests and measurements may import everything. */
const isApart = (file: string) => /^(test|bench|chaos|sim)\//.test(file)
const source = code.filter((file) => !isApart(file))
const under = (...folders: string[]) => source.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
const find = (files: string[], pattern: RegExp) => files.filter((file) => pattern.test(read(file)))

/** The part of the codebase to which a path belongs: a module, an entry point, or another folder. */
function zone(file: string): string {
  const [first = '', second = ''] = file.split('/')
  if (first !== 'server') return file.includes('/') ? first : 'root'
  if (modules.includes(second)) return `module:${second}`
  if (entryPoints.includes(second)) return `entry:${second}`
  if (second === 'embedded') return 'embedded'
  return file === 'server/main.ts' ? 'main' : file === 'server/compose.ts' ? 'compose' : 'shared'
}

/** May `from` import `to`? Calls go down. */
function mayCall(from: string, to: string): boolean {
  if (from === to || to === 'protocol') return true
  if (from === 'protocol' || from === 'contracts' || from === 'prisma') return false
  if (from === 'agents') return to === 'contracts'
  if (from === 'app' || from === 'root')
    return ['entry:trpc', 'entry:webhooks', 'contracts', ...(from === 'root' ? ['app', 'embedded'] : [])].includes(to)
  if (from === 'embedded') return ['shared', 'contracts', 'prisma'].includes(to)
  if (from === 'shared') return to === 'prisma' || to === 'contracts'
  if (from.startsWith('module:')) {
    // A quote has to be what the built-in planner would do, so both run the same code.
    if (from === 'module:goals' && to === 'agents') return true
    // A webhook goes through the same egress guard as a gateway's request.
    if (from === 'module:notifications' && to === 'agents') return true
    if (to.startsWith('module:')) return modules.indexOf(to.slice('module:'.length)) < modules.indexOf(from.slice('module:'.length))
    return ['shared', 'prisma', 'contracts'].includes(to)
  }
  if (from.startsWith('entry:')) return ['shared', 'compose', 'contracts', 'entry:commands'].includes(to) || to.startsWith('module:')
  if (from === 'compose') return to === 'shared' || to === 'contracts' || to.startsWith('module:')
  return from === 'main' && (to === 'shared' || to === 'compose' || to.startsWith('entry:'))
}

type Import = { readonly file: string; readonly to: string; readonly isType: boolean }
const imports: Import[] = source.flatMap((file) =>
  [...read(file).matchAll(/^(?:import|export)( type)?[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/gms)].flatMap(
    ([, type, from, dynamic]) => {
      const spec = from ?? dynamic ?? ''
      const isType = type !== undefined
      if (spec.startsWith('.')) return { file, isType, to: path.posix.normalize(path.posix.join(path.posix.dirname(file), spec)) }
      if (spec.startsWith('@/')) return { file, isType, to: spec.slice(2) }
      const own = /^@parley\/(protocol|agents)/.exec(spec)?.[1]
      return own ? { file, isType, to: `${own}/src/index.ts` } : []
    },
  ),
)

/** Imports between sub-folders of server/settlement that go up. Types count, too. */
function layerFaults(all: readonly Import[]): string[] {
  const layer = (file: string): number => {
    const [, , folder = '', name] = file.split('/')
    if (name === undefined) return folder === 'errors.ts' ? -1 : settlementLayers.length
    return settlementLayers.indexOf(folder)
  }
  const within = all.filter(({ file, to }) => zone(file) === 'module:settlement' && zone(to) === 'module:settlement')
  return within.filter(({ file, to }) => layer(to) > layer(file)).map(({ file, to }) => `${file} → ${to}`)
}

/** The cycles among these imports, each as the files along it. Type imports count, too. */
function importCycles(all: readonly Import[]): string[] {
  const targets = Map.groupBy(all, ({ file }) => file)
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): string[] => {
    if (trail.includes(file)) return [[...trail.slice(trail.indexOf(file)), file].join(' → ')]
    if (done.has(file)) return []
    const found = (targets.get(file) ?? []).flatMap(({ to }) => visit(to, [...trail, file]))
    done.add(file)
    return found
  }
  return [...targets.keys()].flatMap((file) => visit(file, []))
}

const camel = (kebab: string) => kebab.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

describe('one name on every layer', () => {
  const handlers = read('server/commands/handlers.ts')
  const permits = read('server/policy/permit.ts')
  /** Reads; and talk and heartbeats, whose record is the log itself. */
  const unaudited = ['listing.discover', 'artifact.get', 'channel.quote', 'call.get', 'memory.read', 'message.post', 'task.progress']

  it.each(commandTypes)('%s', (type) => {
    const [noun = '', verb = ''] = type.replaceAll('_', '-').split('.')
    const files = source.filter((file) => new RegExp(`^server/(${modules.join('|')})/(?:[a-z-]+/)*${verb}-${noun}s?\\.ts$`).test(file))
    expect(files, `server/<module>/…/${verb}-${noun}.ts`).toHaveLength(1)
    const [file = ''] = files
    const name = camel(path.basename(file, '.ts'))
    expect(read(file), `${file} exports ${name}`).toMatch(new RegExp(`^export (async )?function ${name}\\(`, 'm'))
    expect(handlers, 'server/commands/handlers.ts').toMatch(new RegExp(`'${type}': .*\\b${name}\\b`))
    expect(permits, 'server/policy/permit.ts').toContain(`'${type}'`)
    expect(read(file), `${file} asks permit`).toMatch(new RegExp(`\\b(await permit|requirePermission)\\(ctx, '${type}'\\)`))
    if (!unaudited.includes(type))
      expect(find(under(file.split('/').slice(0, 2).join('/')), new RegExp(`action: .*'${type}'`)), `audit row of ${type}`).not.toEqual([])
    const mirror = `test/${file.replace(/\.ts$/, '.test.ts')}`
    expect(all.includes(mirror) ? mirror : 'no such file').toBe(mirror)
  })

  it.each(eventTypes)('%s', (type) => {
    expect(read('server/jobs/event-handlers.ts')).toMatch(new RegExp(`^  '${type}': `, 'm'))
    expect(
      find(under('server'), new RegExp(`type: '${type}'|'${type.replace('.', '\\.')}'`)).filter(
        (file) => file !== 'server/jobs/event-handlers.ts',
      ),
    ).not.toEqual([])
  })
})

describe('calls', () => {
  it('go down', () => {
    // A page may name the type of what it shows; it imports no code of the shared files into the browser.
    const named = ({ file, to, isType }: Import) => isType && zone(file) === 'app' && zone(to) === 'shared'
    expect(imports.filter((one) => !mayCall(zone(one.file), zone(one.to)) && !named(one)).map(({ file, to }) => `${file} → ${to}`)).toEqual(
      [],
    )
  })

  it('from goals and notifications to the agents reach the quote, the sandbox and the egress guard only', () => {
    const reached = imports
      .filter(({ file, to }) => file.startsWith('server/') && zone(to) === 'agents')
      .map(({ file, to }) => [zone(file), to])
    const guard = 'agents/builtin/resource-gateway/net'
    expect([...new Set(reached.map(String))].sort()).toEqual([
      'module:goals,agents/builtin/planner/charter/charter-of-quote.ts',
      'module:goals,agents/builtin/planner/quote/examples/find-example-goals.ts',
      'module:goals,agents/builtin/planner/quote/quote-goal.ts',
      // The rules of criteria decide what the server and the reviewer say of a delivery.
      'module:goals,agents/builtin/reviewer/criteria/index.ts',
      // The check of a contest runs the code of its entries there.
      'module:goals,agents/builtin/specialists/sandbox/run-in-sandbox.ts',
      `module:notifications,${guard}/address-policy.ts`,
      `module:notifications,${guard}/bounded-fetch.ts`,
    ])
  })

  it('enter a module by its index', () => {
    const sneaking = imports.filter(
      ({ file, to }) => zone(to).startsWith('module:') && zone(to) !== zone(file) && !/^server\/[a-z-]+(\/index\.ts)?$/.test(to),
    )
    expect(sneaking.map(({ file, to }) => `${file} → ${to}`)).toEqual([])
  })

  it('form no cycle, types included', () => {
    expect(imports.length).toBeGreaterThan(5_000)
    expect(importCycles(imports)).toEqual([])
  })

  it('of a sub-folder of settlement go to lower ones', () => {
    expect(layerFaults(imports)).toEqual([])
    const folders = readdirSync(path.join(root, 'server/settlement'), { withFileTypes: true })
    expect(folders.map(({ name }) => name).sort()).toEqual([...settlementRoot, ...settlementLayers].sort())
  })

  it('of a higher sub-folder of settlement, and those in a cycle, are found', () => {
    const [ledger, hold] = ['server/settlement/ledger/ledger.ts', 'server/settlement/holds/hold.ts']
    const up: Import = { file: ledger, to: hold, isType: true }
    const down: Import = { file: hold, to: ledger, isType: false }
    expect(layerFaults([up, down])).toEqual([`${ledger} → ${hold}`])
    expect(layerFaults([{ file: hold, to: 'server/settlement/index.ts', isType: true }])).toHaveLength(1)
    expect(importCycles([up, down])).toEqual([[ledger, hold, ledger].join(' → ')])
  })

  it('every index states what its module owns, never does and reads', () => {
    const faults = [...modules, ...entryPoints.filter((entryPoint) => existsSync(path.join(root, 'server', entryPoint)))].flatMap(
      (name) => {
        const file = `server/${name}/index.ts`
        if (!all.includes(file)) return name === 'trpc' || name === 'webhooks' ? [] : [`${file} is missing`]
        const head = read(file).split('*/')[0] ?? ''
        return ['Owns', 'Never', 'Reads'].filter((word) => !head.includes(word)).map((word) => `${file} has no ${word}`)
      },
    )
    expect(faults).toEqual([])
  })

  it('only server/compose.ts names adapters', () => {
    const adapters = [...read('server/compose.ts').matchAll(/\b(create[A-Z]\w+)\b/g)].map(([, name]) => name ?? '')
    const ofModules = adapters.filter(
      (name) => find(under(...modules.map((module) => `server/${module}`)), new RegExp(`export (async )?function ${name}\\b`)).length > 0,
    )
    expect(ofModules.length).toBeGreaterThan(1)
    const elsewhere = ofModules.flatMap((name) => {
      const home = find(under(...modules.map((module) => `server/${module}`)), new RegExp(`export (async )?function ${name}\\b`)).map(
        (file) => zone(file),
      )
      return find(under('server', 'app'), new RegExp(`\\b${name}\\b`)).filter(
        (file) => file !== 'server/compose.ts' && !home.includes(zone(file)),
      )
    })
    expect(elsewhere).toEqual([])
  })
})

describe('sizes and folders', () => {
  it('no file exceeds its limit', () => {
    const cap = (file: string): number => {
      if (isApart(file)) return 500
      if (/^app\/.*(page|layout)\.tsx$/.test(file)) return 200
      if (/^server\/[a-z-]+\/[a-z]+-[a-z-]+\.ts$/.test(file) && modules.includes(file.split('/')[1] ?? '')) return 150
      // In a sub-folder: a file that is named after its one function. An adapter has a function for each call of its rail.
      const isOneFunction =
        path.basename(file).includes('-') &&
        new RegExp(`^export (async )?function ${camel(path.basename(file, '.ts'))}\\(`, 'm').test(read(file))
      if (file.startsWith('server/settlement/') && !file.startsWith('server/settlement/rails/') && isOneFunction) return 150
      return 500
    }
    const sized = [...code.filter((file) => !file.startsWith('contracts/abi/')), ...all.filter((file) => file.endsWith('.mjs'))]
    const tall = (file: string, max: number) => {
      const lines = read(file).split('\n').length - 1
      return lines > max ? [`${file} has ${lines} lines, ${max} are allowed`] : []
    }
    expect([
      ...sized.flatMap((file) => tall(file, cap(file))),
      ...all.filter((file) => file.endsWith('.sol')).flatMap((file) => tall(file, 550)),
    ]).toEqual([])
  })

  it('no folder inside server/ has too many entries', () => {
    const inside = all.filter((file) => /^server\/[^/]+\//.test(file))
    const folders = new Set(inside.map((file) => path.posix.dirname(file)))
    const sizes = [...folders].map((folder) => ({ folder, entries: readdirSync(path.join(root, folder)).length }))
    expect(sizes.filter(({ entries }) => entries > maxEntries)).toEqual([])
  })

  it('server/ itself has few files', () => {
    const sharedFiles = all.filter((file) => /^server\/[^/]+\.ts$/.test(file) && zone(file) === 'shared')
    expect(sharedFiles.length, sharedFiles.join(', ')).toBeLessThanOrEqual(10)
  })

  it('no folder has a name without content', () => {
    const folders = new Set(all.flatMap((file) => file.split('/').slice(0, -1)))
    expect([...folders].filter((name) => /^_?(utils?|lib|common|shared|helpers?|misc)$/.test(name))).toEqual([])
  })

  it('nothing is left for later', () => {
    expect(
      find(
        [...code, ...all.filter((file) => /\.(mjs|sol)$/.test(file))].filter((file) => file !== 'test/house.test.ts'),
        /\b(TODO|FIXME|XXX)\b/,
      ),
    ).toEqual([])
  })
})

describe('one place for each', () => {
  it('the environment is read in server/env.ts', () => {
    const readers = find(under('server', 'app', 'protocol', 'agents', 'contracts'), /\bprocess\.env\b|\bimport\.meta\.env\b/)
    // The command line is a package of its own, with its own variables.
    const entries = /^(server\/embedded\/|contracts\/deploy\/|agents\/cli\/|agents\/(examples|builtin)\/[a-z-]+\.ts$)/
    expect(readers.filter((file) => file !== 'server/env.ts' && !entries.test(file))).toEqual([])
  })

  it('.env.example documents every variable of server/env.ts and of the model, its default and meaning', () => {
    const shape = { ...environment.shape, ...modelEnvironment.shape }
    const documented = read('.env.example')
      .split(/\n(?=# )/)
      .flatMap((block) => {
        const name = /^#? ?([A-Z][A-Z0-9_]+)=(.*)$/m.exec(block)
        return name ? [[name[1], block] as const] : []
      })
    expect(documented.map(([name]) => name)).toEqual(Object.keys(shape))
    for (const [name = '', block] of documented) {
      const { description = '' } = shape[name as keyof typeof shape]
      expect(block.replaceAll('\n# ', ' '), name).toContain(description)
      const given = new RegExp(`${name}=(.*)`).exec(block)?.[1] ?? ''
      const fallback = shape[name as keyof typeof shape].safeParse(undefined)
      if (fallback.success) expect(given, name).toBe(String(fallback.data ?? ''))
    }
  })

  it('the link of the framework is used in app/_components/ui/link.tsx', () => {
    expect(all.filter((file) => file.startsWith('app/') && read(file).includes("'next/link'"))).toEqual(['app/_components/ui/link.tsx'])
  })

  it('the database client is made in server/db.ts', () => {
    expect(find(under('server', 'app', 'agents'), /new PrismaClient\b/)).toEqual(['server/db.ts'])
  })

  it('states stand in the protocol, and the database has the same ones in the same order', () => {
    const schema = all
      .filter((file) => file.startsWith('prisma/') && file.endsWith('.prisma'))
      .map(read)
      .join('\n')
    const enums = Object.fromEntries(
      [...schema.matchAll(/^enum (\w+) \{([^}]*)\}/gm)].map(([, name, body]) => [name, body?.trim().split(/\s+/)]),
    )
    expect(enums).toMatchObject({
      ConversationState: [...conversationStates],
      GoalState: [...goalStates],
      HoldState: [...holdStates],
      TeamState: [...teamStates],
      TaskState: [...taskStates],
      Acceptance: [...acceptances],
      StepState: [...stepStates],
      ChannelState: [...channelStates],
      CallState: [...callStates],
      TransferState: [...transferStates],
    })
  })

  it('no module sends events to itself', () => {
    expect(find(under('server', 'app'), /new EventEmitter\b|from 'node:events'/)).toEqual([])
  })
})

describe('documents', () => {
  const pages = all.filter((file) => file.endsWith('.md'))

  it('cite files that are there', () => {
    const there = (file: string) => existsSync(path.join(root, file))
    const missing = pages.flatMap((page) => {
      const linked = [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, target = '']) =>
        path.posix.join(path.posix.dirname(page), target),
      )
      const cited = [...read(page).matchAll(/`((?:app|server|protocol|agents|contracts|prisma|test|docs)\/[\w./[\]@-]+)`/g)].map(
        ([, target = '']) => target,
      )
      return [...linked, ...cited].filter((target) => !there(target)).map((target) => `${page}: ${target}`)
    })
    expect(missing).toEqual([])
  })

  it('the glossary has each word once', () => {
    const words = [...read('docs/glossary.md').matchAll(/^\| \*\*([^*]+)\*\*/gm)].map(([, word]) => word)
    expect(words.length).toBeGreaterThan(30)
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  })
})
