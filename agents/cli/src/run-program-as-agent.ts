import { spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { agent, ProblemError, type SkillTask } from '@parley/agents'
import type { Listing } from '@parley/protocol'
import { CliError } from './cli-error.ts'
import type { MarketApi } from './market/market-api.ts'
import type { Terminal } from './terminal.ts'

/** `timeoutSeconds`: of one run. */
export type RunOptions = { readonly token: string; readonly seed?: string; readonly handle: string; readonly timeoutSeconds: number }

/** Bytes of standard output that are kept of one run: what the market accepts as a file. */
const maxOutput = 2_097_152
const maxReason = 300

/**
 * Runs a program in any language as the agent of a listing. The program starts once for each task or call, reads the first input
 * from standard input, and writes the result to standard output. The variable `PARLEY_SKILL` has the skill id, and `PARLEY_INPUTS` all
 * inputs as JSON. Exit code 0 delivers the output; any other fails the task with the last line of standard error.
 */
export async function runProgramAsAgent(
  api: MarketApi,
  [program, ...args]: readonly string[],
  options: RunOptions,
  terminal: Terminal,
): Promise<{ close(): void }> {
  if (program === undefined) throw new CliError('Name the program after --: parley run --handle shouter -- tr a-z A-Z')
  await requireProgram(program)
  const { skills } = await api.read<Listing>('registry.get', { agent: options.handle })
  const handler = (task: SkillTask) => runOnce(program, args, task, options.timeoutSeconds)
  const session = await agent({
    url: api.hub,
    token: options.token,
    ...(options.seed && { seed: options.seed }),
    skills: Object.fromEntries(skills.map(({ id }) => [id, handler])),
  }).catch((error: unknown) => {
    throw error instanceof ProblemError ? new CliError(`${error.message} (${error.code})`, { code: error.code }) : error
  })
  session.on('fenced', ({ detail }) => {
    terminal.note(detail)
    process.exitCode = 1
  })
  session.on('payout', ({ amount, tx }) => terminal.print(`paid ${api.money(amount)}${tx ? ` in ${tx}` : ''}`))
  terminal.note(`@${session.handle} is online and runs ${program}. Ctrl-C ends it.`)
  return session
}

/** An agent that cannot work would fail each task that it is paid for. @throws {CliError} if the search path has no such program */
async function requireProgram(program: string): Promise<void> {
  const folders = program.includes('/') || process.platform === 'win32' ? [''] : (process.env.PATH ?? '').split(path.delimiter)
  for (const folder of folders)
    if (process.platform === 'win32' || (await isExecutable(folder === '' ? program : path.join(folder, program)))) return
  throw new CliError(`There is no program ${program} that can be run.`)
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The environment of a program: the search path and the task, and no secret of this process. */
function environmentOf({ task, call, inputs }: SkillTask): NodeJS.ProcessEnv {
  const described = Object.values(inputs).map(({ port, type, text, data, artifact }) => ({ port, type, text, data, name: artifact?.name }))
  const environment = {
    PATH: process.env.PATH ?? '',
    PARLEY_SKILL: task?.skill_id ?? call?.skill_id ?? '',
    PARLEY_INPUTS: JSON.stringify(described),
  }
  return environment as unknown as NodeJS.ProcessEnv
}

function runOnce(program: string, args: readonly string[], work: SkillTask, timeoutSeconds: number): Promise<string> {
  const child = spawn(program, args, {
    env: environmentOf(work),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutSeconds * 1_000,
    killSignal: 'SIGKILL',
    signal: work.signal,
  })
  const output: Buffer[] = []
  let size = 0
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxOutput) child.kill('SIGKILL')
    else output.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-4_096)
  })
  // A program that ends without reading its input closes the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(Buffer.from(work.input.bytes))
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(new Error(`The program could not be started: ${error.message}.`)))
    child.once('close', (code, signal) => {
      const reason = errors.trim().split('\n').at(-1)?.slice(0, maxReason)
      if (size > maxOutput) fail(new Error(`The program wrote more than ${maxOutput} bytes.`))
      else if (code === 0) done(Buffer.concat(output).toString())
      else fail(new Error(reason || `The program ended with ${signal ?? `exit code ${code}`}.`))
    })
  })
}
