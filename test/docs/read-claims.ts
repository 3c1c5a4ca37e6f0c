import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')

/** A page of `docs/` whose numbered table maps claims to code and tests. */
export function readClaims(file: string) {
  const page = readFileSync(path.join(root, file), 'utf8')
  const rows = page.split('\n').flatMap((line) => (/^\| \d+ \|/.test(line) ? [line.split('|').map((cell) => cell.trim())] : []))
  const cited = filesIn(page)
  // A test's name stands behind its file: "…" as in the code.
  const named = [...page.matchAll(/`(test\/[^`]+\.test\.ts)`((?: "[^"]+")+)/g)].flatMap(([, where = '', names = '']) =>
    [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => ({ file: where, name })),
  )
  const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].flatMap(([, to = '']) => (to.includes(':') ? [] : [path.join('docs', to)]))
  return {
    page,
    /** Of each line of the table its number, and the files in its last two cells. */
    lines: rows.map(([, number = '', , code = '', test = '']) => ({ number: Number(number), code: filesIn(code), tests: filesIn(test) })),
    cited,
    named,
    links,
    brokenLinks: links.filter((one) => !existsSync(path.join(root, one))),
    missing: cited.filter((one) => !existsSync(path.join(root, one))),
    unknown: named.filter((one) => !readFileSync(path.join(root, one.file), 'utf8').includes(one.name)),
  }
}

const filesIn = (text: string) =>
  [...text.matchAll(/`((?:server|protocol|agents|test|app)\/[^`*]+\.[a-z]+)`/g)].map(([, file = '']) => file)
