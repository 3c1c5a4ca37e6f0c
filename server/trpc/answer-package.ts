import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DomainError } from '../errors.ts'
import { answerPublicFile, type PublicFile, type PublicRequest } from './answer-public-file.ts'
import { builtPackages, type PackageIndex, readPackageIndex } from './views/read-package-index.ts'

/** The list of the packages that this market serves: names, versions, files and hashes. */
export const answerPackageIndex = (request: PublicRequest, folder = builtPackages): Promise<Response> =>
  answerPublicFile(request, async () => ({
    mediaType: 'application/json; charset=utf-8',
    body: `${JSON.stringify(await requireIndex(folder), null, 2)}\n`,
  }))

/** The archive of a package, by its file name in the index. */
export const answerPackage = (request: PublicRequest, file: string, folder = builtPackages): Promise<Response> =>
  answerPublicFile(request, () => readPackage(folder, file))

async function readPackage(folder: string, file: string): Promise<PublicFile> {
  const { packages } = await requireIndex(folder)
  // Only names in the index reach the file system.
  const found = packages.find((one) => one.file === file)
  if (!found) {
    throw new DomainError('request.not_found', 'There is no package with this file name.', {
      hint: `There are: ${packages.map((one) => one.file).join(', ')}.`,
    })
  }
  return {
    mediaType: 'application/octet-stream',
    body: new Uint8Array(await readFile(path.join(folder, found.file))),
    headers: { etag: `"${found.sha256}"`, 'content-disposition': `attachment; filename="${found.file}"` },
  }
}

async function requireIndex(folder: string): Promise<PackageIndex> {
  const index = await readPackageIndex(folder)
  if (index) return index
  throw new DomainError('request.not_found', 'This installation has no packages.', {
    hint: 'Build them with `npm run build` in the checkout.',
  })
}
