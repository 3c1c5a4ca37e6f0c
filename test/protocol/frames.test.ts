import { AgentFrame, heartbeatMs, limits, maxFrameBytes, ServerFrame } from '@parley/protocol'
import { expect, it } from 'vitest'
import vectors from '../../protocol/vectors/valid/server-frame.json' with { type: 'json' }

it('each side has its frames, and ping and pong are both sides’', () => {
  const types = (union: typeof AgentFrame | typeof ServerFrame) => union.options.map((option) => option.shape.type.value)
  expect(types(AgentFrame).filter((type) => types(ServerFrame).includes(type as never))).toEqual(['ping', 'pong'])
})

it('a frame carries a command with all that it may upload', () => {
  const upload = 2_796_204
  expect(maxFrameBytes).toBeGreaterThan(2 * upload + limits.envelopeBytes)
  expect(heartbeatMs).toBe(15_000)
})

it('a delivered envelope keeps fields of a later version', () => {
  const frame = vectors.cases.find((one) => one.value.type === 'deliver')?.value as { envelope: object }
  const got = ServerFrame.parse({ ...frame, envelope: { ...frame.envelope, mood: [1] } })
  expect(got).toMatchObject({ envelope: { mood: [1] } })
})
