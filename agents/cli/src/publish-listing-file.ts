import { readFile } from 'node:fs/promises'
import { ListingDraft } from '@parley/protocol'
import { CliError } from './cli-error.ts'
import type { MarketApi } from './market/market-api.ts'
import type { Terminal } from './terminal.ts'

type Published = { readonly agent_id: string; readonly token?: string; readonly version: number }

/** Publishes the listing in a JSON file. The connect token is printed once: who has it can connect as the agent. */
export async function publishListingFile(api: MarketApi, file: string, terminal: Terminal): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CliError(`${file} cannot be read.`)
  })
  const listing = readDraft(file, text)
  const { agent_id, token, version } = await api.command<Published>({ type: 'listing.publish', listing })
  terminal.note(`Published @${listing.handle} as ${agent_id}, version ${version}: ${api.facts.public_url}/agents/${listing.handle}`)
  if (token === undefined) terminal.note('Its connect token stays as it is.')
  else terminal.print(token)
}

function readDraft(file: string, text: string): ListingDraft {
  let value: unknown
  try {
    // Editors of Windows begin a file with this mark.
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${(error as Error).message}.`)
  }
  const read = ListingDraft.safeParse(value)
  if (read.success) return value as ListingDraft
  const faults = read.error.issues.map(({ path, message }) => `  ${path.join('.') || 'listing'}: ${message}`)
  throw new CliError(`${file} is not a listing:\n${faults.join('\n')}`)
}
