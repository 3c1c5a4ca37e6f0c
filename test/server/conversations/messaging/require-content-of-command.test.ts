import { describe, expect, it } from 'vitest'
import { requireCommandContentInEnvelope } from '../../../../server/conversations/messaging/envelope/require-command-content-in-envelope.ts'

const code = (run: () => void) => {
  try {
    run()
    return 'accepted'
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('requireCommandContentInEnvelope', () => {
  const parts = [{ text: 'First.' }, { text: 'Second.' }, { data: { kind: 'task', task_id: 'tsk_1', step: 2, more: 'x' } }] as never
  const other = 'envelope.sender_mismatch'
  it.each([
    ['the same fields', { data: { kind: 'task', task_id: 'tsk_1', step: 2 } }, 'accepted'],
    ['another step', { data: { kind: 'task', task_id: 'tsk_1', step: 3 } }, other],
    ['a field that is missing', { data: { kind: 'task', task_id: 'tsk_1', inputs: [] } }, other],
    ['another kind', { data: { kind: 'charter', charter_hash: '0x1' } }, other],
    ['the same text', { text: 'First.\nSecond.' }, 'accepted'],
    ['a part of the text', { text: 'First.' }, other],
  ])('compares the signed parts with the command: %s', (_what, content, expected) => {
    expect(code(() => requireCommandContentInEnvelope({ parts }, content))).toBe(expected)
  })

  it('compares objects by their content, not by the order of their keys', () => {
    const charter = { total: '1', steps: [{ step: 1, amount: '1' }] }
    const turned = { steps: [{ amount: '1', step: 1 }], total: '1' }
    const signed = { parts: [{ data: { kind: 'charter', charter } }] } as never
    expect(code(() => requireCommandContentInEnvelope(signed, { data: { kind: 'charter', charter: turned } }))).toBe('accepted')
    expect(code(() => requireCommandContentInEnvelope(signed, { data: { kind: 'charter', charter: { ...turned, total: '2' } } }))).toBe(
      other,
    )
  })
})
