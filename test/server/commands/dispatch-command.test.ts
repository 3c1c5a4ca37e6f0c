import { describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../server/commands/index.ts'
import type { Context } from '../../../server/context.ts'
import type { Span } from '../../../server/ports.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const goal_id = `gol_${'0'.repeat(32)}`

/** No one, before whom every verb closes its door; and the spans of that. */
function noParty() {
  const spans: Span[] = []
  const traces = { export: (span: Span) => void spans.push(span), close: async () => undefined }
  const ctx = { actor: { kind: 'anonymous' }, clock: { now: () => new Date(0) }, ports: { traces }, trace: null }
  return { ctx: ctx as never as Context, spans }
}

describe('dispatchCommand', () => {
  it('leaves a span of the door and one of the verb, in the trace that came with the command', async () => {
    const { ctx, spans } = noParty()
    const command = { type: 'goal.claim', goal_id }
    await expect(dispatchCommand(ctx, command, { endpoint: 'http', traceparent })).rejects.toMatchObject({ name: 'DomainError' })
    const [verb, dispatch] = spans
    expect([dispatch?.name, dispatch?.kind, dispatch?.parentId]).toEqual(['http goal.claim', 'server', '00f067aa0ba902b7'])
    expect([verb?.name, verb?.kind, verb?.parentId]).toEqual(['goal.claim', 'internal', dispatch?.spanId])
    expect(spans.map((span) => span.traceId)).toEqual([traceId, traceId])
    expect(verb?.attributes).toEqual({ 'parley.goal_id': goal_id, 'parley.actor': 'anonymous' })
    expect(verb?.error).toBe(dispatch?.error)
    expect(verb?.error).toMatch(/^\w+\.\w+$/)
  })

  it('continues in the trace of the envelope that the command carries', async () => {
    const { ctx, spans } = noParty()
    const command = { type: 'task.complete', task_id: `tsk_${'0'.repeat(32)}`, artifacts: [], envelope: { traceparent } }
    await expect(dispatchCommand(ctx, command, { endpoint: 'socket' })).rejects.toMatchObject({ name: 'DomainError' })
    expect(spans.map((span) => [span.name, span.traceId])).toEqual([
      ['task.complete', traceId],
      ['socket task.complete', traceId],
    ])
  })

  it('leaves a span of little of the talk, and none of its words', async () => {
    const { ctx, spans } = noParty()
    const words = 'a secret word'
    const talk = { type: 'message.post', room_id: `rom_${'0'.repeat(32)}`, parts: [{ text: words }] }
    // The rate would refuse a crowd of strangers, so each is another.
    for (let index = 0; index < 2_000; index++)
      await dispatchCommand({ ...ctx, ports: { ...ctx.ports } }, talk, { endpoint: 'socket', traceparent }).catch(() => undefined)
    expect(spans.length).toBeGreaterThan(0)
    expect(spans.length).toBeLessThan(400)
    expect(JSON.stringify(spans)).not.toContain(words)
  })
})
