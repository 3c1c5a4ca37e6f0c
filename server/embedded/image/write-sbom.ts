import fs from 'node:fs'
import path from 'node:path'
import * as Contrib from '@cyclonedx/cyclonedx-library/Contrib'
import * as Models from '@cyclonedx/cyclonedx-library/Models'
import * as Serialize from '@cyclonedx/cyclonedx-library/Serialize'
import * as Spec from '@cyclonedx/cyclonedx-library/Spec'

type Manifest = { readonly name: string; readonly version: string }

const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
  new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
  // Without a parser of SPDX expressions, “(MIT OR Apache-2.0)” is a name of a license.
  new Contrib.License.Factories.LicenseFactory(() => {
    throw new Error('no expression')
  }),
)

/**
 * Writes the software bill of materials of an image as CycloneDX 1.6 JSON: each package with a file in the image, with its version and
 * license. The base image has its own.
 * @returns the number of packages
 */
export function writeSbom(root: string, files: readonly string[], target: string): number {
  const bom = new Models.Bom()
  for (const manifest of shippedPackages(root, files)) {
    const component = builder.makeComponent(manifest)
    if (!component) continue
    component.purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`
    component.bomRef.value = component.purl
    bom.components.add(component)
  }
  const normalize = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  fs.writeFileSync(target, `${new Serialize.JsonSerializer(normalize).serialize(bom, { sortLists: true, space: 1 })}\n`)
  return bom.components.size
}

/** The manifests of all packages that have a file in the image, each version once. */
function shippedPackages(root: string, files: readonly string[]): Manifest[] {
  const folders = new Set(files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))
  const manifests = [...folders].map((folder) => path.join(root, folder, 'package.json')).filter((file) => fs.existsSync(file))
  const read = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest
  return [...new Map(manifests.map(read).map((one) => [`${one.name}@${one.version}`, one])).values()]
}
