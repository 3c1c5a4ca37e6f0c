// Run manually, since it takes minutes: `node test/server/embedded/fresh-clone.mjs [folder]`. Clones this repository, and with
// nothing but Node and npm: first start, Ctrl-C, no process left; second start in under 8 s, Ctrl-C, no process left.
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')
const clone = process.argv[2] ?? path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-')), 'clone')
const [webPort, hubPort] = [process.env.PORT ?? '3190', process.env.HUB_PORT ?? '4190']

function fail(sentence) {
  console.error(`FAILED: ${sentence}`)
  process.exit(1)
}

/** Processes that were started from the clone, by their command line or the folder they work in. */
function leftovers() {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim())
  return lines.filter((line) => {
    const pid = Number(line.split(' ')[0])
    if (pid === process.pid || line === '') return false
    if (line.includes(`${clone}/`) && !line.includes('fresh-clone.mjs')) return true
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(clone)
    } catch {
      return false
    }
  })
}

/** One `npm start`, until it reports that it is ready; resolves to the seconds that took, and how to press Ctrl-C. */
function start() {
  const begun = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: webPort, HUB_PORT: hubPort },
  })
  const ended = new Promise((done) => child.once('exit', done))
  const ready = new Promise((done, refuse) => {
    child.stdout.on('data', (text) => {
      process.stdout.write(text)
      if (String(text).includes('Parley is ready')) done((performance.now() - begun) / 1000)
    })
    ended.then(() => refuse(new Error('npm start ended before it was ready')), refuse)
  })
  // A terminal sends Ctrl-C to the whole group.
  const press = async () => {
    process.kill(-child.pid, 'SIGINT')
    await ended
    for (let tries = 0; leftovers().length > 0 && tries < 100; tries++) await new Promise((done) => setTimeout(done, 100))
    if (leftovers().length > 0) fail(`left after Ctrl-C:\n${leftovers().join('\n')}`)
  }
  return { ready, press }
}

async function demand(url) {
  const response = await fetch(url).catch((error) => fail(`${url}: ${error.message}`))
  if (!response.ok) fail(`${url} answered ${response.status}`)
}

if (!fs.existsSync(clone)) execFileSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' })
const first = start()
console.log(`first start: ${(await first.ready).toFixed(1)} s`)
await demand(`http://127.0.0.1:${webPort}/`)
await demand(`http://127.0.0.1:${hubPort}/health`)
await first.press()
const chain = fs.readFileSync(path.join(clone, '.parley/chain/deployment.json'), 'utf8')

const second = start()
const seconds = await second.ready
console.log(`second start: ${seconds.toFixed(1)} s`)
await demand(`http://127.0.0.1:${webPort}/`)
await second.press()
if (chain !== fs.readFileSync(path.join(clone, '.parley/chain/deployment.json'), 'utf8')) fail('the second start has another chain')
if (seconds >= 8) fail(`the second start took ${seconds.toFixed(1)} s, and 8 are allowed`)
console.log(`all well; the clone is ${clone}`)
