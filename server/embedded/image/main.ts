// `node server/embedded/image/main.ts hub FOLDER`: copies what the hub's image contains into a new folder, with its bill of materials.
// The same for `web`. deploy/Dockerfile runs it after the build.
import fs from 'node:fs'
import path from 'node:path'
import { root } from '../processes/run-script.ts'
import { type ImageName, imageRoles } from './image-roles.ts'
import { traceImageFiles } from './trace-image-files.ts'
import { writeSbom } from './write-sbom.ts'

const [name = '', folder = ''] = process.argv.slice(2)
if (!(name in imageRoles) || folder === '') {
  console.error('Usage: node server/embedded/image/main.ts hub|web FOLDER')
  process.exit(2)
}
const target = path.resolve(folder)
if (fs.existsSync(target)) {
  console.error(`${folder} exists. Name a new folder.`)
  process.exit(2)
}
const { files, links } = await traceImageFiles(root, imageRoles[name as ImageName])
for (const file of files) {
  fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true })
  fs.copyFileSync(path.join(root, file), path.join(target, file))
}
for (const [link, to] of links) {
  fs.mkdirSync(path.dirname(path.join(target, link)), { recursive: true })
  fs.symlinkSync(to, path.join(target, link))
}
const packages = writeSbom(root, files, path.join(target, 'sbom.cdx.json'))
const size = files.reduce((sum, file) => sum + fs.statSync(path.join(root, file)).size, 0)
console.log(`${name}: ${files.length} files, ${Math.round(size / 1e6)} MB, ${packages} packages`)
