/** Whether an error is a room's expected refusal, and no bug. The bundler may load its class twice, so the name decides. */
export function isFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'DomainError'
}
