import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileContentFault, fileNameFault, uploadTypes } from '@parley/protocol'
import { CliError } from '../cli-error.ts'

/** A file of a goal. `content`: base64. */
export type AttachedFile = { readonly name: string; readonly media_type: string; readonly artifact_type: string; readonly content: string }

const mediaTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/csv',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.html': 'text/markdown',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
}

/** Reads the files of `--attach`. @throws {CliError} for a file that cannot be read or is not accepted */
export function readAttachedFiles(files: readonly string[]): Promise<AttachedFile[]> {
  return Promise.all(files.map(readAttachedFile))
}

async function readAttachedFile(file: string): Promise<AttachedFile> {
  const bytes = await readFile(file).catch(() => {
    throw new CliError(`${file} cannot be read.`)
  })
  const name = path.basename(file)
  const media_type = mediaTypes[path.extname(name).toLowerCase()] ?? 'text/plain'
  const fault = fileNameFault(name) ?? fileContentFault(media_type, bytes)
  if (fault !== null)
    throw new CliError(`${name}: ${fault}${media_type === 'text/plain' ? ` Accepted types: ${uploadTypes.join(', ')}.` : ''}`)
  const artifact_type = media_type === 'text/csv' ? 'table.csv' : 'file.any'
  return { name, media_type, artifact_type, content: bytes.toString('base64') }
}

/** Characters of a file that the quote reads. */
const maxHead = 30_000

/** The file as a quote request has it: the beginning of a text instead of its content. */
export function toQuoteFile({ content, ...file }: AttachedFile): object {
  if (file.media_type.startsWith('image/') && file.media_type !== 'image/svg+xml') return file
  const text = Buffer.from(content, 'base64').toString()
  return { ...file, head: text.slice(0, maxHead), is_whole: text.length <= maxHead }
}
