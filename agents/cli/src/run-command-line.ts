import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { ask } from './ask/ask.ts'
import { CliError } from './cli-error.ts'
import { login } from './login.ts'
import { openMarketApi } from './market/market-api.ts'
import { publishListingFile } from './publish-listing-file.ts'
import { createWallet, readWallet } from './read-wallet.ts'
import { runProgramAsAgent } from './run-program-as-agent.ts'
import { searchAgents } from './search-agents.ts'
import { defaultHub, readSettings, requireToken } from './settings-store.ts'
import type { Terminal } from './terminal.ts'
import { verifyTranscriptFile } from './verify-transcript-file.ts'

const list = (value: string, before: readonly string[] = []) => [...before, value]
const wholeNumber = (min: number, max: number) => (value: string) => {
  if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
    throw new InvalidArgumentError(`Write a whole number from ${min} to ${max}.`)
  return Number(value)
}

/** What each command is added to and writes to. */
type Setup = { readonly program: Command; readonly terminal: Terminal }

/** `isSignedIn`: for the wallet of the last login, whose token goes to its own market only. */
async function openApi({ program }: Setup, isSignedIn: boolean) {
  const settings = await readSettings()
  const hub = (program.opts<{ hub?: string }>().hub || process.env.PARLEY_URL || settings.hub || defaultHub).replace(/\/+$/, '')
  if (!/^https?:\/\//.test(hub) || !URL.canParse(hub)) throw new CliError(`"${hub}" is not an address. Write it with http:// or https://.`)
  return openMarketApi(hub, isSignedIn ? requireToken(settings, hub) : undefined)
}

function addLogin(setup: Setup): void {
  const { program, terminal } = setup
  program
    .command('login')
    .description('sign a wallet in without a browser')
    .option('--new-wallet', 'create a wallet, and keep its key in the settings folder')
    .option('--scopes <scopes>', 'goals, calls, listings; separated by commas', 'goals,calls,listings')
    .option('--expires <seconds>', 'from 60 to 43200', wholeNumber(60, 43_200), 43_200)
    .action(async (options: { newWallet?: boolean; scopes: string; expires: number }) => {
      const wallet = options.newWallet ? await createWallet() : await readWallet()
      const scopes = options.scopes.split(',').flatMap((scope) => (scope.trim() === '' ? [] : [scope.trim()]))
      await login(await openApi(setup, false), wallet, { scopes, expiresIn: options.expires }, terminal)
    })
}

function addFaucet(setup: Setup): void {
  const { program, terminal } = setup
  program
    .command('faucet')
    .description('test money for your wallet; on a local chain only')
    .action(async () => {
      const api = await openApi(setup, true)
      const { amount } = await api.act<{ amount: string }>('market.faucet')
      terminal.print(`Your wallet received ${api.money(amount)} of test money.`)
    })
}

function addAsk(setup: Setup): void {
  const { program, terminal } = setup
  program
    .command('ask')
    .description('ask the market: plan, price, and after your approval the answer')
    .argument('<text>', 'what you need, in plain words')
    .option('--attach <file>', 'a file of the goal; can be repeated', list, [])
    .option('--budget <amount>', 'the most that may be set aside')
    .option('--quote-only', 'show the plan and its price, and buy nothing')
    .option('--yes', 'approve the plan without a question')
    .option('--accept', 'accept and pay the delivery without a question')
    .option('--out <folder>', 'where to save the files of the answer', '.')
    .option('--json', 'print JSON')
    .action(async (text: string, options) => {
      const api = await openApi(setup, !options.quoteOnly)
      await ask(text, options, { api, terminal, wallet: () => readWallet() })
    })
}

function addAgentSearch(setup: Setup): void {
  const { program, terminal } = setup
  program
    .command('agents')
    .description('agents of the market')
    .command('search')
    .description('find agents by words and conditions')
    .argument('[words...]')
    .option('--skill <id>', 'a skill id')
    .option('--max-price <amount>', 'the highest price of a skill')
    .option('--online', 'only agents that are connected')
    .option('--limit <count>', 'how many', wholeNumber(1, 100), 10)
    .option('--json', 'print JSON')
    .action(async (words: readonly string[], options) => searchAgents(await openApi(setup, false), words.join(' '), options, terminal))
}

function addPublish(setup: Setup): void {
  const { program, terminal } = setup
  program
    .command('publish')
    .description('publish a listing from a JSON file; prints the token with which its agent connects')
    .argument('<file>')
    .action(async (file: string) => publishListingFile(await openApi(setup, true), file, terminal))
}

function addRun(setup: Setup): void {
  const { program, terminal } = setup
  program
    .command('run')
    .description('run a program as the agent of a listing: input on standard input, result on standard output')
    .requiredOption('--handle <handle>', 'the handle of the listing')
    .option('--token <token>', 'the connect token; default: PARLEY_TOKEN')
    .option('--timeout <seconds>', 'of one run', wholeNumber(1, 86_400), 300)
    .argument('<program...>', 'the program and its arguments, after --')
    .action(async (args: readonly string[], options: { handle: string; token?: string; timeout: number }) => {
      const token = options.token || process.env.PARLEY_TOKEN
      if (!token) throw new CliError('Set PARLEY_TOKEN to the token that publishing the listing gave.')
      const { handle, timeout: timeoutSeconds } = options
      const session = await runProgramAsAgent(await openApi(setup, false), args, { token, handle, timeoutSeconds }, terminal)
      terminal.onInterrupt = `@${handle} is offline.`
      process.once('SIGTERM', () => session.close())
    })
}

function addVerify(setup: Setup): void {
  const { program, terminal } = setup
  program
    .command('verify')
    .description('verify a transcript: signatures, order, chain of hashes')
    .argument('<file>', 'the JSONL export of a transcript')
    .option('--server <did>', 'the key of the market; default: that of the hub')
    .option('--hash <hash>', 'the hash that the payment on chain contains')
    .option('--json', 'print JSON')
    .action(async (file: string, options: { server?: string; hash?: string; json?: boolean }) => {
      const serverDid = options.server ?? (await openApi(setup, false)).facts.did
      await verifyTranscriptFile(file, { serverDid, expected: options.hash ?? null, ...(options.json && { json: true }) }, terminal)
    })
}

/** Whether the user asked for JSON, also if the command line has an error. What follows `--` is of another program. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).includes('--json')
}

/** With `--json` there is one document on standard output: the result, or else the error. */
function report(error: unknown, args: readonly string[], terminal: Terminal): number {
  const isUsage = error instanceof CommanderError
  const exitCode = error instanceof CliError || isUsage ? error.exitCode : 1
  if (exitCode === 0) return exitCode
  const message = error instanceof Error ? error.message : String(error)
  // The parser has written its message.
  if (!isUsage) terminal.note(error instanceof CliError ? message : `The program has a bug: ${message}`)
  const code = error instanceof CliError ? error.code : undefined
  if (wantsJson(args) && !terminal.hasPrintedJson) terminal.printJson({ error: { message, ...(code !== undefined && { code }) } })
  return exitCode
}

/**
 * Runs one command. `args`: the words after the program's name. The result is the exit code; an agent that `run` started goes on until the
 * process ends.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('parley')
    .description('Use a Parley market from a terminal.')
    .option('--hub <url>', 'the hub of the market; default: that of the last login, then http://localhost:4000')
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.print(text.trimEnd()), writeErr: (text) => terminal.note(text.trimEnd()) })
  for (const add of [addLogin, addFaucet, addAsk, addAgentSearch, addPublish, addRun, addVerify]) add({ program, terminal })
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return report(error, args, terminal)
  }
}
