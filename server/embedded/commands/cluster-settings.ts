import { parseArgs } from 'node:util'
import { SetupProblem } from '../install/ensure-installed.mjs'

/** The settings of `npm run cluster`. `nats`: `auto` uses NATS if a nats-server is available. */
export type ClusterSettings = {
  readonly hubs: number
  readonly webs: number
  readonly port: number
  readonly nats: 'auto' | 'yes' | 'no'
  readonly agents: boolean
}

const maxProcesses = 9

/** @throws {SetupProblem} with a message for the user */
export function readClusterSettings(args: readonly string[]): ClusterSettings {
  const options = {
    hubs: { type: 'string', default: '3' },
    webs: { type: 'string', default: '2' },
    port: { type: 'string', default: '3000' },
    nats: { type: 'boolean' },
    'no-nats': { type: 'boolean' },
    'no-agents': { type: 'boolean' },
  } as const
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values']
  try {
    ;({ values } = parseArgs({ args: [...args], options }))
  } catch (error) {
    throw new SetupProblem(
      `${(error as Error).message}\nnpm run cluster knows --hubs N, --webs N, --port N, --nats, --no-nats and --no-agents.`,
    )
  }
  return {
    hubs: numberIn('hubs', values.hubs, 1, maxProcesses),
    webs: numberIn('webs', values.webs, 0, maxProcesses),
    port: numberIn('port', values.port, 1, 65_535),
    nats: values.nats ? 'yes' : values['no-nats'] ? 'no' : 'auto',
    agents: !values['no-agents'],
  }
}

function numberIn(name: string, text: string | undefined, min: number, max: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw new SetupProblem(`--${name} ${text} is none that can be started: give a number from ${min} to ${max}.`)
}

/** Formats a table for a terminal. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()).join('\n')
}
