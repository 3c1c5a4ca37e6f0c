import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** Files that are text. Fonts and pictures are compressed already. */
const isText = /\.(?:js|css|json|svg|txt)$/
/** A smaller file fits into one packet. */
const minBytes = 1_024
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }

/** Writes a Brotli copy beside each text file of a folder, as small as possible: it is written once and read by each visitor. */
export async function compressBuiltFiles(folder: string): Promise<void> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => isText.test(name))
  const compressOne = async (name: string) => {
    const bytes = await fs.promises.readFile(path.join(folder, name))
    if (bytes.length >= minBytes) await fs.promises.writeFile(path.join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, best))
  }
  await Promise.all(names.map(compressOne))
}
