import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const PackageIndex = z.object({
  packages: z.array(z.object({ name: z.string(), version: z.string(), file: z.string(), sha256: z.string(), size: z.int() })),
})

/** The packages that this market serves: names, versions, file names, SHA-256 in hex, sizes in bytes. */
export type PackageIndex = z.infer<typeof PackageIndex>

/** The folder that the build of the packages fills. */
export const builtPackages = path.join(process.cwd(), 'dist/packages')

/** The list of the built packages; null if this installation has none. */
export async function readPackageIndex(folder = builtPackages): Promise<PackageIndex | null> {
  try {
    return PackageIndex.parse(JSON.parse(await readFile(path.join(folder, 'index.json'), 'utf8')))
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null
    throw error
  }
}
