/** Messages per page of the audit. */
export const auditPageSize = 100

/** The message after which the page begins. */
export function readPageStart(params: { get(name: string): string | null }): number {
  const text = params.get('after') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}
