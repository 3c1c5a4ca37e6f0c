import type { ProblemCode } from '@parley/protocol'
import { expect } from 'vitest'
import { DomainError } from '../../server/errors.ts'

/** Expects a refusal with this code. The message is not compared. */
export async function expectProblem(attempt: Promise<unknown>, code: ProblemCode): Promise<DomainError> {
  const error = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof DomainError)) throw error ?? new Error(`was not refused; expected ${code}`)
  expect(error.code, error.message).toBe(code)
  return error
}
