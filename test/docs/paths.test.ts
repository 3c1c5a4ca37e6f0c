import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']
const below = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))

it.each([...pages, ...below.map((name) => `docs/${name}`)])('%s names files that are there', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8')
  const named = [...text.matchAll(/`((?:agents|app|contracts|deploy|prisma|protocol|server|test)\/[\w./[\]-]+\.\w+)`/g)].map(
    ([, file = '']) => file,
  )
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

it('names every command that there is, and none that there is not', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const text = ['README.md', ...below.map((name) => `docs/${name}`)].map((page) => readFileSync(path.join(root, page), 'utf8')).join('\n')
  const documented = new Set([...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name))
  expect([...documented].filter((name) => !(name in scripts))).toEqual([])
  const shown = Object.keys(scripts).filter((name) => /^(bench|chaos|sim):/.test(name))
  expect(shown.filter((name) => !documented.has(name))).toEqual([])
})
