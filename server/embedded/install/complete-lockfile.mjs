// A registry that lacks some platform builds makes `npm install` leave them out of the lockfile, and `npm ci` then
// refuses that lockfile everywhere. Write the missing optional entries from what their parents declare.
// Run after every `npm install`: node server/embedded/install/complete-lockfile.mjs
import fs from 'node:fs'

const systems = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  win: 'win32',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  android: 'android',
  openharmony: 'openharmony',
  sunos: 'sunos',
  aix: 'aix',
  linuxmusl: 'linux',
}
const processors = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  aarch64: 'arm64',
  arm: 'arm',
  armv7: 'arm',
  armhf: 'arm',
  ia32: 'ia32',
  x86: 'ia32',
  ppc64: 'ppc64',
  ppc64le: 'ppc64',
  s390x: 's390x',
  riscv64: 'riscv64',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasm32: 'wasm32',
}

/** The lock key under which `name` resolves from `from`, walking up as Node does; null where it is missing. */
function resolveFrom(packages, from, name) {
  for (let dir = from; ; dir = dir.includes('/node_modules/') ? dir.slice(0, dir.lastIndexOf('/node_modules/')) : '') {
    const key = `${dir ? `${dir}/` : ''}node_modules/${name}`
    if (packages[key]) return key
    if (!dir) return null
  }
}

/** The entry npm would have written, as far as the name shows; null where the name shows no platform. */
function entryFor(name, version, parent) {
  const words = name.split('/').at(-1).split(/[-_.]/)
  const os = words.map((word) => systems[word]).find(Boolean)
  const cpu = words.map((word) => processors[word]).find(Boolean)
  if (!os && !cpu) return null
  const entry = { version }
  if (cpu) entry.cpu = [cpu]
  if (parent.dev) entry.dev = true
  if (os === 'linux' && words.some((word) => /^(gnu|glibc|gnueabihf)$/.test(word))) entry.libc = ['glibc']
  if (os === 'linux' && words.some((word) => /musl/.test(word))) entry.libc = ['musl']
  if (parent.license) entry.license = parent.license
  entry.optional = true
  if (os) entry.os = [os]
  return entry
}

const file = process.argv[2] ?? 'package-lock.json'
const lock = JSON.parse(fs.readFileSync(file, 'utf8'))
let added = 0
for (const [key, parent] of Object.entries(lock.packages)) {
  if (key === '') continue
  for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
    const found = resolveFrom(lock.packages, key, name)
    if (found && lock.packages[found].version === range) continue
    const entry = !found && /^\d+\.\d+\.\d+[\w.+-]*$/.test(range) ? entryFor(name, range, parent) : null
    if (entry) {
      lock.packages[`node_modules/${name}`] = entry
      added++
    } else if (!found) console.warn(`left out of the lockfile: ${name}@${range}, wanted by ${key}`)
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`entries added: ${added}`)
