/** Whether an error is an expected refusal of a module, not a bug. The bundler may load its class twice, so the name decides. */
export function isDomainError(error: unknown): boolean {
  return error instanceof Error && error.name === 'DomainError'
}
