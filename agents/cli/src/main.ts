#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander'
import { ask } from './ask/ask.ts'
import { CliError } from './cli-error.ts'
import { login } from './login.ts'
import { openMarketApi } from './market/market-api.ts'
import { publishListingFile } from './publish-listing-file.ts'
import { createWallet, readWallet } from './read-wallet.ts'
import { runProgramAsAgent } from './run-program-as-agent.ts'
import { searchAgents } from './search-agents.ts'
import { defaultHub, readSettings, requireToken, writeSettings } from './settings-store.ts'
import { openTerminal } from './terminal.ts'
import { verifyTranscriptFile } from './verify-transcript-file.ts'

const terminal = openTerminal()
const program = new Command('parley')
  .description('Use a Parley market from a terminal.')
  .option('--hub <url>', 'the hub of the market; default: that of the last login, then http://localhost:4000')
  .showHelpAfterError()

const list = (value: string, before: readonly string[] = []) => [...before, value]
function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Write a whole number.')
  return Number(value)
}

async function openApi(isSignedIn: boolean) {
  const settings = await readSettings()
  const hub = (program.opts<{ hub?: string }>().hub ?? process.env.PARLEY_URL ?? settings.hub ?? defaultHub).replace(/\/+$/, '')
  if (!URL.canParse(hub)) throw new CliError(`"${hub}" is not an address. Write it with http:// or https://.`)
  return openMarketApi(hub, isSignedIn ? requireToken(settings) : settings.token)
}

program
  .command('login')
  .description('sign a wallet in without a browser')
  .option('--new-wallet', 'create a wallet, and keep its key in the settings folder')
  .option('--scopes <scopes>', 'goals, calls, listings; separated by commas', 'goals,calls,listings')
  .option('--expires <seconds>', 'from 60 to 43200', wholeNumber, 43_200)
  .action(async (options: { newWallet?: boolean; scopes: string; expires: number }) => {
    const settings = await readSettings()
    // A token of before must not decide whether a new one can be had.
    if (settings.token !== undefined) await writeSettings({ ...(settings.hub && { hub: settings.hub }) })
    const wallet = options.newWallet ? await createWallet() : await readWallet()
    const scopes = options.scopes.split(',').flatMap((scope) => (scope.trim() === '' ? [] : [scope.trim()]))
    await login(await openApi(false), wallet, { scopes, expiresIn: options.expires }, terminal)
  })

program
  .command('faucet')
  .description('test money for your wallet; on a local chain only')
  .action(async () => {
    const api = await openApi(true)
    const { amount } = await api.act<{ amount: string }>('market.faucet')
    terminal.print(`Your wallet received ${api.money(amount)} of test money.`)
  })

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
    const api = await openApi(!options.quoteOnly)
    await ask(text, options, { api, terminal, wallet: () => readWallet() })
  })

program
  .command('agents')
  .description('agents of the market')
  .command('search')
  .description('find agents by words and conditions')
  .argument('[words...]')
  .option('--skill <id>', 'a skill id')
  .option('--max-price <amount>', 'the highest price of a skill')
  .option('--online', 'only agents that are connected')
  .option('--limit <count>', 'how many', wholeNumber, 10)
  .option('--json', 'print JSON')
  .action(async (words: readonly string[], options) => searchAgents(await openApi(false), words.join(' '), options, terminal))

program
  .command('publish')
  .description('publish a listing from a JSON file; prints the token with which its agent connects')
  .argument('<file>')
  .action(async (file: string) => publishListingFile(await openApi(true), file, terminal))

program
  .command('run')
  .description('run a program as the agent of a listing: input on standard input, result on standard output')
  .requiredOption('--handle <handle>', 'the handle of the listing')
  .option('--token <token>', 'the connect token; default: PARLEY_TOKEN')
  .option('--timeout <seconds>', 'of one run', wholeNumber, 300)
  .argument('<program...>', 'the program and its arguments, after --')
  .action(async (args: readonly string[], options: { handle: string; token?: string; timeout: number }) => {
    const token = options.token ?? process.env.PARLEY_TOKEN
    if (!token) throw new CliError('Set PARLEY_TOKEN to the token that publishing the listing gave.')
    await runProgramAsAgent(await openApi(false), args, { token, handle: options.handle, timeoutSeconds: options.timeout }, terminal)
  })

program
  .command('verify')
  .description('verify a transcript: signatures, order, chain of hashes')
  .argument('<file>', 'the JSONL export of a transcript')
  .option('--server <did>', 'the key of the market; default: that of the hub')
  .option('--hash <hash>', 'the hash that the payment on chain contains')
  .option('--json', 'print JSON')
  .action(async (file: string, options: { server?: string; hash?: string; json?: boolean }) => {
    const serverDid = options.server ?? (await openApi(false)).facts.did
    await verifyTranscriptFile(file, { serverDid, expected: options.hash ?? null, ...(options.json && { json: true }) }, terminal)
  })

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CliError)) throw error
  terminal.note(error.message)
  process.exitCode = error.exitCode
}
