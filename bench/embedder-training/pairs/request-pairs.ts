/** Pairs of requests: tldr-pages (a command's use with its description), CLINC150 (two requests of one intent), public-apis (an API with its description). */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { splitIdentifier } from '../../market-search/corpora/corpus.ts'
import { createUniform, type Pair } from '../train-encoder.ts'

/** `folder`: `pages` of a copy of tldr-pages, the English ones. */
export async function readTldr(folder: string): Promise<Pair[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.md')).sort()
  const pages = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return pages.flatMap((page) => {
    const lines = page.split('\n')
    const name = lines[0]?.replace(/^# /, '') ?? ''
    const about = lines
      .flatMap((line) => (line.startsWith('> ') && !/More information|See also/.test(line) ? [line.slice(2)] : []))
      .join(' ')
    const uses = lines.flatMap((line) => (line.startsWith('- ') ? [line.slice(2).replace(/[[\]]/g, '').replace(/:$/, '')] : []))
    if (about === '' || uses.length < 2) return []
    return uses.map((use) => ({ left: use, right: `${name} ${about} ${uses.filter((one) => one !== use).join(' ')}`, group: name }))
  })
}

type Clinc = { readonly train: readonly (readonly [string, string])[] }

/** `file`: `data_full.json` of CLINC150. Its part for training. */
export async function readClinc(file: string): Promise<(epoch: number) => Pair[]> {
  const { train } = JSON.parse(await readFile(file, 'utf8')) as Clinc
  const byIntent = Map.groupBy(train, ([, intent]) => intent)
  return (epoch) => {
    const random = createUniform(2_000 + epoch)
    return train.map(([text, intent]) => {
      const others = byIntent.get(intent) ?? []
      const [other = ''] = others[Math.floor(random() * others.length)] ?? []
      return { left: text, right: `${splitIdentifier(intent)} ${other === text ? '' : other}`, group: intent }
    })
  }
}

/** `file`: the README of public-apis, with one table for each category. */
export async function readPublicApis(file: string): Promise<Pair[]> {
  let category = ''
  return (await readFile(file, 'utf8')).split('\n').flatMap((line) => {
    category = /^### (.*)/.exec(line)?.[1] ?? category
    const [, name = '', about = ''] = /^\| \[([^\]]+)\]\([^)]*\) \| ([^|]+) \|/.exec(line) ?? []
    return about === '' ? [] : [{ left: `${name} ${category}`, right: about }]
  })
}
