import { open } from 'node:fs/promises'
import path from 'node:path'
import { fileContentFault, fileNameFault, uploadBytes, uploadTypes } from '@parley/protocol'
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

/** Files of one goal. */
const maxFiles = 8

/** Reads the files of `--attach`. @throws {CliError} for a file that cannot be read or is not accepted, and for too many */
export async function readAttachedFiles(files: readonly string[]): Promise<AttachedFile[]> {
  if (files.length > maxFiles) throw new CliError(`A goal has at most ${maxFiles} files. These are ${files.length}.`)
  const read: AttachedFile[] = []
  for (const file of files) read.push(await readAttachedFile(file))
  const names = read.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) < index)
  if (repeated !== undefined) throw new CliError(`Two files have the name ${repeated}. Rename one of them.`)
  return read
}

async function readAttachedFile(file: string): Promise<AttachedFile> {
  const bytes = await readBounded(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be read: ${error.code}.`)
  })
  if (bytes === null) throw new CliError(`${file} is too large. The maximum is ${uploadBytes} bytes (2 MiB).`)
  const name = path.basename(file)
  const media_type = mediaTypes[path.extname(name).toLowerCase()] ?? 'text/plain'
  const fault = fileNameFault(name) ?? fileContentFault(media_type, bytes)
  if (fault !== null)
    throw new CliError(`${name}: ${fault}${media_type === 'text/plain' ? ` Accepted types: ${uploadTypes.join(', ')}.` : ''}`)
  const artifact_type = media_type === 'text/csv' ? 'table.csv' : 'file.any'
  return { name, media_type, artifact_type, content: bytes.toString('base64') }
}

/** The content; null if it is larger than accepted. Reads no further than that, because a device or pipe may never end. */
async function readBounded(file: string): Promise<Buffer | null> {
  const handle = await open(file)
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > uploadBytes) return null
    }
    return Buffer.concat(chunks)
  } finally {
    await handle.close()
  }
}

/** Characters of a file that the quote reads. */
const maxHead = 30_000

/** The file as a quote request has it: the beginning of a text instead of its content. */
export function toQuoteFile({ content, ...file }: AttachedFile): object {
  if (file.media_type.startsWith('image/') && file.media_type !== 'image/svg+xml') return file
  const text = Buffer.from(content, 'base64').toString()
  return { ...file, head: text.slice(0, maxHead), is_whole: text.length <= maxHead }
}
