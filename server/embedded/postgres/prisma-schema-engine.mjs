// Answers Prisma's command line in place of its native schema engine where that is not installed, since it is a download, and when
// migrations are deployed: the same JSON-RPC over standard input and output, served by the engine's WebAssembly build over node-postgres.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import readline from 'node:readline'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'

const internalChar = 18
const charArray = 1002

const args = process.argv.slice(2)
const valuesOf = (flag) => args.filter((_, i) => args[i - 1] === flag)

// Discrete fields, since node-postgres prefers a connection string to `database`, and a shadow database named beside
// one would silently be the real one.
function connectionTo(url, database) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const ssl = searchParams.get('sslmode')
  return {
    host: decodeURIComponent(hostname),
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: database ?? databaseIn(pathname),
    ...(ssl === null || ssl === 'disable' ? {} : { ssl: { rejectUnauthorized: ssl === 'verify-full' || ssl === 'verify-ca' } }),
  }
}

const databaseIn = (pathname) => decodeURIComponent(pathname.slice(1))
const quoted = (name) => `"${name.replaceAll('"', '""')}"`

async function runOn(connection, sql) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function createDatabase(url) {
  const name = databaseIn(new URL(url).pathname)
  await runOn(connectionTo(url, 'postgres'), `create database ${quoted(name)}`)
  return name
}

// The adapter refuses PostgreSQL's internal "char", which the engine's own catalogue queries return. It is let through
// as an array of characters, and the column's type is turned back for the engine, which insists on it.
const { handleRowDescription } = pg.Query.prototype
pg.Query.prototype.handleRowDescription = function acceptInternalChar(message) {
  handleRowDescription.call(this, message)
  for (const field of message.fields) if (field.dataTypeID === internalChar) field.dataTypeID = charArray
}

function fitForEngine(adapter) {
  const queryRaw = adapter.queryRaw.bind(adapter)
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query)
    result.columnTypes = result.columnTypes.map((type) => (type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type))
    return result
  }
  // The adapter cuts scripts at every semicolon, also inside a function's body. A script without parameters goes to
  // PostgreSQL whole.
  adapter.executeScript = async (script) => {
    try {
      await runPatiently(adapter.underlyingDriver(), script)
    } catch (error) {
      // Turns it into one that the engine can read the message of.
      adapter.onError(error)
    }
  }
  return adapter
}

/** The lock timeout of a migration: all queries of the table wait behind it, and hubs are running. */
const lockMs = 1_000
/** Then it lets them continue for so long, and comes again. What holds the table may be a backup, which takes minutes. */
const pauseMs = 2_000
const maxAttempts = 400
const lockNotAvailable = '55P03'

/** A script is one transaction for PostgreSQL: where it got no lock nothing of it has happened, and it is run again whole. */
async function runPatiently(pool, script) {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    try {
      await client.query(`set lock_timeout = ${lockMs}`)
      return await client.query(script)
    } catch (error) {
      if (error.code !== lockNotAvailable || attempt === maxAttempts) throw error
    } finally {
      await client.query('reset lock_timeout').catch(() => undefined)
      client.release()
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Connections for the engine, which leaves some of them open: `closeAll` ends what one call has left. */
function connectionsTo(url) {
  const open = new Set()
  const factory = new PrismaPg(connectionTo(url))
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = fitForEngine(await connect())
    open.add(adapter)
    return adapter
  }
  factory.connectToShadowDb = async () => {
    const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`
    await runOn(connectionTo(url), `create database ${quoted(name)}`)
    const shadow = fitForEngine(await new PrismaPg(connectionTo(url, name)).connect())
    const dispose = shadow.dispose.bind(shadow)
    shadow.dispose = async () => {
      await dispose()
      await runOn(connectionTo(url), `drop database if exists ${quoted(name)} with (force)`)
    }
    return shadow
  }
  const closeAll = async () => {
    await Promise.allSettled([...open].map((adapter) => adapter.dispose()))
    open.clear()
  }
  return { factory: bindMigrationAwareSqlAdapterFactory(factory), closeAll }
}

async function loadEngine() {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => fs.writeSync(2, `${message}\n`) }
  const require = createRequire(import.meta.url)
  const glueFile = '@prisma/schema-engine-wasm/schema_engine_bg'
  const glue = await import(glueFile)
  const bytes = fs.readFileSync(path.join(path.dirname(require.resolve(glueFile)), 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start?.()
  return glue.SchemaEngine
}

// These two replay the migrations on a shadow database, but the engine knows how to make one only after a diagnosis.
const needDiagnosis = new Set(['createMigration', 'evaluateDataLoss'])

function engineFor(url) {
  const loaded = loadEngine()
  const { factory, closeAll } = connectionsTo(url)
  const datamodels = valuesOf('--datamodels').map((file) => [file, fs.readFileSync(file, 'utf8')])
  return async (method, params) => {
    const engine = await (await loaded).new({ datamodels: datamodels.length > 0 ? datamodels : undefined }, () => {}, factory)
    try {
      if (needDiagnosis.has(method)) {
        const { migrationsList, filters } = params
        await engine.diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: true })
      }
      return await engine[method](params)
    } finally {
      await closeAll()
      engine.free?.()
    }
  }
}

function errorFor(error) {
  let known = {}
  try {
    known = JSON.parse(error.message)
  } catch {
    // Not the engine's own error, whose message is JSON.
  }
  const data = { is_panic: false, message: known.message ?? error.message, error_code: known.code ?? error.code, meta: known.meta }
  return { code: 4466, message: 'An error happened. Check the data field for details.', data }
}

/** Serves one JSON-RPC request per line, one after another, until the input ends. */
function serve(url) {
  const call = engineFor(url)
  const own = {
    getDatabaseVersion: () => call('version'),
    createDatabase: async (params) => ({ databaseName: await createDatabase(params?.datasource?.url ?? url) }),
    ensureConnectionValidity: () => runOn(connectionTo(url), 'select 1').then(() => ({})),
  }
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answer = async ({ id, method, params }) => {
    try {
      const result = own[method] ? await own[method](params) : await call(method, params)
      if (method !== 'diff' || typeof result?.stdout !== 'string') return send({ id, result: result ?? null })
      // The command line shows what the engine asks it to print, and ignores the text of a result.
      send({ id: 1_000_000 + id, method: 'print', params: { content: result.stdout } })
      send({ id, result: { exitCode: result.exitCode, stdout: null } })
    } catch (error) {
      send({ id, error: errorFor(error) })
    }
  }
  let last = Promise.resolve()
  const lines = readline.createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const request = line.trim() === '' ? {} : JSON.parse(line)
    // Without a method it is the answer to a `print`.
    if (request.method) last = last.then(() => answer(request))
  })
  lines.on('close', () => last.then(() => process.exit(0)))
}

/** `cli can-connect-to-database` and `cli create-database`: one question, answered by the exit code. */
async function answerOnce(url, question) {
  const log = (level, fields) =>
    fs.writeSync(2, `${JSON.stringify({ timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' })}\n`)
  try {
    if (question === 'create-database') await createDatabase(url)
    else await runOn(connectionTo(url), 'select 1')
    process.exit(0)
  } catch (error) {
    // The command line throws the first line away.
    log('INFO', { message: 'Starting schema engine CLI' })
    log('ERROR', { message: error.message, is_panic: false, error_code: error.code === '3D000' ? 'P1003' : 'P1001' })
    process.exit(1)
  }
}

/** The datasource is given as JSON, or as a URL that may be base64. */
function datasourceUrl() {
  const given = valuesOf('--datasource')[0] ?? '{}'
  if (given.startsWith('{')) return JSON.parse(given).url ?? 'postgresql://none@127.0.0.1:1/none'
  return given.startsWith('postgres') ? given : Buffer.from(given, 'base64').toString()
}

if (args.includes('--version')) process.stdout.write('schema-engine-cli (wasm)\n')
else if (args.includes('cli')) await answerOnce(datasourceUrl(), args.at(-1))
else serve(datasourceUrl())
