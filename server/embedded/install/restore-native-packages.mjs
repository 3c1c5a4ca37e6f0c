// npm silently leaves out optional native packages whose `engines` exclude the Node that npm itself runs on.
// This script already runs on the pinned Node, so let npm, on that Node, put back what was left out.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { stampInstall } from './ensure-installed.mjs'

const npmMajor = Number(/node\/v(\d+)/.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? 0)
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Node ${process.version} runs this script, but Parley pins Node 26 as a package and none was installed for ${process.platform}-${process.arch}. Run "npm ci --include=optional", or install Node 24 or newer.`,
  )
  process.exit(1)
}
if (npmMajor && npmMajor < 24 && !process.env.PARLEY_HEALING) {
  const healed = spawnSync(process.execPath, [process.env.npm_execpath, 'install', '--no-save', '--prefer-offline', '--ignore-scripts'], {
    stdio: 'inherit',
    env: { ...process.env, PARLEY_HEALING: '1', npm_config_node_gyp: undefined },
  })
  if (healed.status) process.exit(healed.status)
}
stampInstall(path.resolve(import.meta.dirname, '../../..'))
