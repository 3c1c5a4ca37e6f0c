/** An error for the user: what went wrong and what to do. `exitCode`: 1 for a failure, 2 if nothing was bought. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
