// `npm run test:containers [-- --no-build]`: builds the images of deploy/Dockerfile, checks their size and their bills of materials, and runs a
// market in them. `--no-build` takes the images of the last run. Skipped with a message where there is no container runtime.
import { callerEnvironment } from '../../server/embedded/install/child-environment.mjs'
import { type ContainerRuntime, findContainerRuntime, type Target } from './container-runtime.ts'
import { isFlawless, runContainerScenario } from './run-container-scenario.ts'
import { startBackingServices } from './start-backing-services.ts'

/** In bytes. */
const maxSizes: Readonly<Record<Target, number>> = { hub: 500_000_000, web: 600_000_000 }
const name = 'test:containers'

/** Packages without which a part of the image would not work; and ones that are for development only. */
const needed: Readonly<Record<Target, readonly string[]>> = { hub: ['pg', 'ws', 'prisma'], web: ['pg', 'next', 'react'] }
const unneeded = ['vitest', '@biomejs/biome', 'hardhat', 'rolldown', 'vitepress']

function checkImage(runtime: ContainerRuntime, target: Target): { readonly megabytes: number; readonly packages: number } {
  const size = runtime.sizeOf(target)
  if (size > maxSizes[target]) throw new Error(`The image of the ${target} has ${size} bytes; ${maxSizes[target]} are allowed.`)
  const sbom = JSON.parse(runtime.readFile(target, '/app/sbom.cdx.json')) as {
    bomFormat: string
    components: { group?: string; name: string }[]
  }
  const packages = new Set(sbom.components.map((one) => (one.group ? `${one.group}/${one.name}` : one.name)))
  const missing = needed[target].filter((one) => !packages.has(one))
  const surplus = unneeded.filter((one) => packages.has(one))
  if (sbom.bomFormat !== 'CycloneDX' || missing.length + surplus.length > 0)
    throw new Error(
      `The bill of materials of the ${target} lacks ${missing.join(', ') || 'nothing'}; too much: ${surplus.join(', ') || 'nothing'}.`,
    )
  return { megabytes: Math.round(size / 1e6), packages: sbom.components.length }
}

async function main(runtime: ContainerRuntime): Promise<{ ok: boolean; figures: object }> {
  if (!process.argv.includes('--no-build')) {
    await runtime.build('hub')
    await runtime.build('web')
  }
  const images = { hub: checkImage(runtime, 'hub'), web: checkImage(runtime, 'web') }
  await using services = await startBackingServices()
  const out = await runContainerScenario(runtime, services, (line) => console.log(line))
  const { hub, web } = images
  const sizes = { hub_mb: hub.megabytes, hub_packages: hub.packages, web_mb: web.megabytes, web_packages: web.packages }
  return { ok: isFlawless(out), figures: { ...sizes, ...out } }
}

const runtime = findContainerRuntime(callerEnvironment())
if (runtime === null) {
  console.log('Skipped: there is no container runtime. Install docker or podman, or name one in CONTAINER_RUNTIME.')
  console.log(JSON.stringify({ name, ok: true, figures: { skipped: 1 } }))
} else {
  const { ok, figures } = await main(runtime).catch((error: unknown) => {
    console.error(error)
    return { ok: false, figures: {} }
  })
  console.log(JSON.stringify({ name, ok, figures }))
  process.exitCode = ok ? 0 : 1
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
