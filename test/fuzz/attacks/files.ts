import { type Fault, limits, lookAt } from '../edge/oracles.ts'
import { newId, openSession, personIn } from '../ground/cast.ts'
import { type Answer, ask } from '../ground/http.ts'
import type { Tree, Value } from '../inputs/json-text.ts'
import { type Place, webRequest } from '../operations/operations.ts'
import { recipes } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, mutate, run } from './request-helpers.ts'

/** Types that the product shows, checks or knows by name, and some that it does not. */
const types = [
  'image/svg+xml',
  'text/plain',
  'text/markdown',
  'text/csv',
  'text/html',
  'application/json',
  'application/pdf',
  'application/zip',
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/xml',
  'application/octet-stream',
  'image/svg+xml; charset=utf-16',
  'TEXT/HTML',
  'x/y',
]

/** Tokens of formats, whose parsers may go back over all that came before. */
const tokens: { readonly [type: string]: readonly string[] } = {
  'image/svg+xml': [
    ...[
      'url(',
      'url("',
      '<a ',
      '<g>',
      '<!--',
      '<![CDATA[',
      '&x;',
      '&#',
      'href=',
      'style="',
      '/*',
      '@import',
      'on a=',
      '\\',
      ' ',
      '\t\n',
      '<?xml ',
      '<!ENTITY a "',
    ],
    ...[
      'data:',
      '<use href="#',
      'xlink:',
      ' a="',
      "'",
      '{',
      ';',
      ':',
      'javascript:',
      'image-set(',
      'expression(',
      '-->',
      ']]>',
      '\ufeff',
      '%20',
      'var(--',
      '#',
    ],
  ],
  'text/markdown': ['*a_ ', '[', '![', '](', '> ', '`', '~~~\n', '|', '<a ', '&x;', '1. ', '\n\n', '_', '#', '- ', '<!--', '[^', '\\'],
  'text/csv': ['"', ',', '\n', '""', ',"', '\r', '=1+', ';'],
  'text/html': ['<a ', '<', '<!--', '<script>', '&x;', '<p>', '<svg>', '<![CDATA['],
  'text/plain': [' ', '\t', '\n', '\r\n', '\u0301', '\u200b', 'a', '\u202e', 'a@', '0', '4111 '],
  'application/json': ['[', '{"a":', '"', ',', '\\u', '1', '[[],', '{"":{},', ' '],
  'application/pdf': ['%PDF-1.7\n', '1 0 obj ', '<<', '(', '/A ', '%', 'stream\n', '%%EOF'],
  'application/zip': ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', '\0'],
  'image/png': ['\x89PNG\r\n\x1a\n', 'IHDR', '\0\0\0\0IDAT', '\0'],
  'application/xml': ['<a>', '<!ENTITY a "', '<?xml ', '<!--', '&a;'],
}
/** What is put around the tokens, so that they are read as what they are. */
const frames: { readonly [type: string]: readonly (readonly [string, string])[] } = {
  'image/svg+xml': [
    ['', ''],
    ['<svg xmlns="http://www.w3.org/2000/svg" style="', '"></svg>'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><style>', '</style></svg>'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><a href="', '"/></svg>'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', '</svg>'],
  ],
  'application/json': [
    ['', ''],
    ['{"a":"', '"}'],
  ],
  'text/html': [['', '']],
}
/** Bytes of each file, and how many of them are sent at once: what is quadratic is found small, what has a small constant is found large. */
const passes = [
  { size: 100_000, files: 8 },
  { size: 600_000, files: 4 },
]
/** One person may post so often at once. */
const postsEach = 50

type File = { readonly what: string; readonly name: string; readonly media_type: string; readonly bytes: Buffer }
const upload = ({ name, media_type, bytes }: File): Value => ({
  name,
  media_type,
  artifact_type: 'text.plain',
  content: bytes.toString('base64'),
})
const repeated = (token: string, size: number) => Buffer.from(token.repeat(Math.ceil(size / token.length)).slice(0, size), 'utf8')

function* heavyFiles(): Generator<(size: number) => File> {
  for (const [type, list] of Object.entries(tokens))
    for (const [at, [before, after]] of (frames[type] ?? [['', '']]).entries())
      for (const token of list)
        yield (size) => ({
          what: `${JSON.stringify(token)} in ${type}${at === 0 ? '' : `, frame ${at}`}`,
          ...{ name: 'file.txt', media_type: type },
          bytes: Buffer.concat([Buffer.from(before), repeated(token, size), Buffer.from(after)]),
        })
}

/** Small contents of the wrong kind, and names that break headers and paths. */
function oddFiles(): File[] {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
  const bodies: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['one NUL', Buffer.alloc(1)],
    ['no UTF-8', Buffer.from([0xc3, 0x28, 0xff, 0xfe])],
    ['a picture', png],
    ['half a picture', png.subarray(0, 20)],
    ['a picture and a page', Buffer.concat([png, Buffer.from('<script>alert(1)</script>')])],
    ['a document and a page', Buffer.from('%PDF-1.7\n<html><script>alert(1)</script>')],
    ['another order of bytes', Buffer.from('\ufeff<svg/>', 'utf16le')],
    ['JSON that is not complete', Buffer.from('{"a":[1,2')],
    ['a number', Buffer.from('1e999')],
  ]
  const names = [
    'график.csv',
    '表.csv',
    'é.csv',
    'a"b.txt',
    "a'b.txt",
    'a\\b.txt',
    'a;b=c.txt',
    '../../x.txt',
    'a/b.txt',
    '%0d%0aX-A: 1.txt',
    'a\r\nX-A: 1.txt',
    `${'n'.repeat(251)}.txt`,
    '.txt',
    'con',
    '\u{1f600}.txt',
    '\ud800.txt',
    '__proto__',
    'a b .txt',
  ]
  return [
    ...types.flatMap((media_type) =>
      bodies.map(([what, bytes]): File => ({ what: `${what} as ${media_type}`, name: 'file.bin', media_type, bytes })),
    ),
    ...names.map(
      (name): File => ({
        what: `the name ${JSON.stringify(name.slice(0, 40))}`,
        name,
        media_type: 'text/plain',
        bytes: Buffer.from(`Text of ${newId()}`),
      }),
    ),
  ]
}

type Door = { readonly name: string; send(place: Place, files: readonly File[]): Promise<Answer> }
const goals: Door = {
  name: 'goals.post',
  async send(place, files) {
    const body = (await recipes['goals.post']?.(place, 'client')) as Tree
    const { follows: _, ...goal } = body.goal as Tree
    return mutate(place, 'client', 'goals.post', { ...body, goal, attachments: files.map(upload) })
  },
}
const others: readonly Door[] = [
  {
    name: 'task.complete',
    send: (place, files) =>
      run(place, 'helper', { type: 'task.complete', task_id: place.scene.tasks.underway, artifacts: files.map(upload) }),
  },
  {
    name: 'channels.ask',
    async send(place, files) {
      return mutate(place, 'client', 'channels.ask', {
        ...((await recipes['channels.ask']?.(place, 'client')) as Tree),
        attachments: files.map(upload),
      })
    },
  },
  {
    name: 'call.answer',
    send: async (place, files) =>
      run(place, 'helper', {
        type: 'call.answer',
        ...((await recipes['call.answer']?.(place, 'helper')) as Tree),
        artifacts: files.map(upload),
      }),
  },
]

/** A file takes a bounded time to look at, whatever is in it, and what was taken can be had again. */
async function uploadAll(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const heavy = [...heavyFiles()]
  let [posts, from] = [0, await withUploader(place)]
  for (const { size, files } of passes)
    for (let at = 0; at < heavy.length; at += files) {
      if (++posts % postsEach === 0) from = await withUploader(place)
      const group = heavy.slice(at, at + files)
      // All at once: what takes its time is looked for among them.
      const sent = group.map((make) => make(size))
      const worked = await workOf(from, goals, sent)
      if (worked > limits.workMs / 2)
        for (const make of group) if (faults.length === 0) faults.push(...(await weigh(from, goals, make, size)))
      if (faults.length > 0) return faults
    }
  for (const door of others)
    for (const make of heavy.filter((_, at) => at % 9 === 0).slice(0, 6))
      if (faults.length === 0) faults.push(...(await weigh(place, door, make, 100_000)))
  return [...faults, ...(await uploadOdd(await withUploader(place)))]
}

/** Another client, who has posted nothing yet. */
async function withUploader({ installation, scene, ...place }: Place): Promise<Place> {
  const { world } = installation
  const client = await personIn(world, 0n)
  const people = { ...scene.people, client: { ...client, session: await openSession(world, client) } }
  return { ...place, installation, scene: { ...scene, people } }
}

/** Processor time of the two main threads meanwhile. */
async function workOf(place: Place, door: Door, files: readonly File[]): Promise<number> {
  const before = await lookAt(place.installation)
  await door.send(place, files)
  const after = await lookAt(place.installation)
  return Math.max(after.web.workedMs - before.web.workedMs, after.hub.workedMs - before.hub.workedMs)
}

/** Twice, because other work may fall into it; the smaller counts, without what a small file takes. */
async function weigh(place: Place, door: Door, make: (size: number) => File, size: number): Promise<Fault[]> {
  const worked: number[] = []
  for (let again = 0; again < 2; again++)
    worked.push((await workOf(place, door, [make(size)])) - (await workOf(place, door, [make(1_000)])))
  const min = Math.min(...worked)
  const detail = `${size} bytes took ${Math.round(min)} ms of a main thread`
  return min > limits.workMs / 3 ? [fault('bounded work for a file', `${door.name}: ${make(1).what}`, detail)] : []
}

async function uploadOdd(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const { artifact } = place.installation.world.system.db
  const files = oddFiles()
  for (let at = 0; at < files.length; at += 8) {
    const group = files.slice(at, at + 8)
    // All together, and where one of them is refused each alone.
    const whole = await goals.send(place, group)
    const answers = isTaken(whole) ? [whole] : await Promise.all(group.map((file) => goals.send(place, [file])))
    for (const [n, answer] of answers.entries()) {
      if (answer.status >= 500 || answer.status === 0)
        faults.push(
          fault('files are taken or refused', `goals.post: ${group[n]?.what}`, `answered ${answer.status}: ${answer.text.slice(0, 200)}`),
        )
      const goalId = isTaken(answer) ? /gol_[0-9a-f]{32}/.exec(answer.text)?.[0] : undefined
      const kept =
        goalId === undefined ? [] : await artifact.findMany({ where: { goalId }, select: { sha256: true, name: true, size: true } })
      for (const { sha256, name, size } of kept) {
        const paths = [`/api/artifacts/${goalId}/${sha256}`, `/api/artifacts/${goalId}/${sha256}?download`]
        for (const path of paths) {
          const served = await ask(webRequest(place, 'client', 'GET', path))
          if (served.status !== 200 || served.bytes !== size)
            faults.push(
              fault(
                'what was taken can be had again',
                'GET /api/artifacts',
                `${JSON.stringify(name)}: ${served.status}, ${served.bytes} of ${size} bytes`,
              ),
            )
          if (/script/.test(served.text) && !/sandbox/.test(`${served.headers['content-security-policy']}`))
            faults.push(fault('what was taken can be had again', 'GET /api/artifacts', `${JSON.stringify(name)} may run scripts`))
        }
      }
      if (goalId !== undefined) {
        const { status } = await ask(webRequest(place, 'client', 'GET', `/goals/${goalId}`))
        if (status !== 200)
          faults.push(
            fault(
              'what was taken can be had again',
              'page /goals/[id]',
              `answered ${status} after ${group
                .map(({ what }) => what)
                .join(', ')
                .slice(0, 200)}`,
            ),
          )
      }
    }
  }
  return faults.slice(0, 5)
}

export const files: Attack = { name: 'files', run: uploadAll }
