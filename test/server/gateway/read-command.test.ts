import { commandTypes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../server/errors.ts'
import { readCommand } from '../../../server/gateway/index.ts'
import { verbs } from '../../../server/gateway/verbs.ts'

const codeOf = (input: unknown) => {
  try {
    readCommand(input)
    return null
  } catch (error) {
    return error instanceof DomainError ? error.code : error
  }
}

describe('readCommand', () => {
  it.each([
    ['not JSON', '{', 'request.malformed'],
    ['a key that stands twice', '{"type":"goal.claim","type":"goal.cancel"}', 'request.malformed'],
    ['a list', '[]', 'request.unknown_command'],
    ['nothing', null, 'request.unknown_command'],
    ['an unknown command', { type: 'goal.explode' }, 'request.unknown_command'],
    ['a prototype’s key', { type: 'constructor' }, 'request.unknown_command'],
    ['a command without its fields', { type: 'goal.claim' }, 'request.malformed'],
    ['an id of another kind', { type: 'goal.claim', goal_id: `tsk_${'0'.repeat(32)}` }, 'request.malformed'],
    ['more than a frame', `"${'x'.repeat(9_000_000)}"`, 'request.too_large'],
  ])('refuses %s', (_what, input, code) => {
    expect(codeOf(input)).toBe(code)
  })
  it('reads text and values alike', () => {
    const command = { type: 'goal.claim', goal_id: `gol_${'0'.repeat(32)}` }
    expect(readCommand(JSON.stringify(command))).toEqual(readCommand(command))
  })
  it('has a verb for every command', () => {
    expect(Object.keys(verbs).sort()).toEqual([...commandTypes].sort())
  })
})
