/** What a `CliError` has besides its words. `code`: of the problem that the market answered. */
export type CliErrorFacts = {
  /** 1 for a failure, 2 if nothing was bought. */
  readonly exitCode?: 1 | 2
  readonly code?: string | undefined
  /** The same request may succeed later: the network or the market is away, or the market limits the rate. */
  readonly isTemporary?: boolean
}

/** An error for the user: what went wrong and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number
  readonly code: string | undefined
  readonly isTemporary: boolean
  constructor(message: string, { exitCode = 1, code, isTemporary = false }: CliErrorFacts = {}) {
    super(message)
    this.exitCode = exitCode
    this.code = code
    this.isTemporary = isTemporary
  }
}
