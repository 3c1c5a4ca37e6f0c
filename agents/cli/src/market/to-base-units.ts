import { parseAmount } from '@parley/protocol'
import { CliError } from '../cli-error.ts'

/** The limit of an amount on the wire. */
const maxUnits = 2n ** 63n - 1n

/** Base units of a decimal amount, as a person writes it: "2.50". @throws {CliError} for anything else */
export function toBaseUnits(amount: string, decimals: number): string {
  const units = /^\d/.test(amount) ? parsed(amount, decimals) : null
  if (units === null) throw new CliError(`"${amount}" is not an amount. Write digits with one point, for example 2.50.`)
  if (units > maxUnits) throw new CliError(`${amount} is too large for an amount.`)
  return units.toString()
}

function parsed(amount: string, decimals: number): bigint | null {
  try {
    return parseAmount(amount, decimals)
  } catch {
    return null
  }
}
