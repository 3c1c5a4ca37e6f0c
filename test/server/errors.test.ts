import { Problem, type ProblemCode, problems } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { DomainError, toProblem, versionConflict } from '../../server/errors.ts'

describe('toProblem', () => {
  it.each(Object.keys(problems) as ProblemCode[])('reports %s with its own status and whether to try again', (code) => {
    const problem = toProblem(new DomainError(code, 'What happened.'), 'id-1')
    expect(problem).toEqual({
      type: `/problems/${code}`,
      title: expect.any(String),
      ...problems[code],
      detail: 'What happened.',
      code,
      instance: 'id-1',
    })
    expect(problem.title).not.toMatch(/[._]/)
    expect(Problem.safeParse(problem).success).toBe(true)
  })

  it('contains the hint and the facts where there are any', () => {
    const error = new DomainError('task.wrong_state', 'It is done.', { hint: 'Look.', facts: { state: 'completed', epoch: 2 } })
    expect(toProblem(error, 'id-2')).toMatchObject({ hint: 'Look.', facts: { state: 'completed', epoch: 2 } })
  })

  it('keeps what a bug says to itself', () => {
    for (const bug of [new Error('password=open-sesame'), 'open-sesame', null, { code: 'goal.not_found', message: 'open-sesame' }]) {
      const problem = toProblem(bug, 'id-3')
      expect(problem).toMatchObject({ code: 'server.internal_error', status: 500, instance: 'id-3' })
      expect(JSON.stringify(problem)).not.toContain('open-sesame')
    }
  })
})

describe('versionConflict', () => {
  it('may be tried again', () => {
    expect(toProblem(versionConflict('The goal'), '')).toMatchObject({ code: 'version.conflict', status: 409, retry: 'later' })
  })
})
