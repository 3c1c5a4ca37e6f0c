import { commandTypes, PostMessage } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { commandHandlers } from '../../../server/commands/handlers.ts'
import { parseCommand, parsePostMessage } from '../../../server/commands/index.ts'
import { DomainError } from '../../../server/errors.ts'

const codeOf = (input: unknown) => {
  try {
    parseCommand(input)
    return null
  } catch (error) {
    return error instanceof DomainError ? error.code : error
  }
}

describe('parseCommand', () => {
  it.each([
    ['not JSON', '{', 'request.malformed'],
    ['a key that stands twice', '{"type":"goal.claim","type":"goal.cancel"}', 'request.malformed'],
    ['a list', '[]', 'request.unknown_command'],
    ['nothing', null, 'request.unknown_command'],
    ['a type that is an object with a toString of its own', { type: { toString: 1 } }, 'request.unknown_command'],
    ['an unknown command', { type: 'goal.explode' }, 'request.unknown_command'],
    ['a prototype’s key', { type: 'constructor' }, 'request.unknown_command'],
    ['a command without its fields', { type: 'goal.claim' }, 'request.malformed'],
    ['an id of another kind', { type: 'goal.claim', goal_id: `tsk_${'0'.repeat(32)}` }, 'request.malformed'],
    ['data that calls itself content', { type: 'call.request', inputs: [{ data: { content: 'x'.repeat(400_000) } }] }, 'request.too_large'],
    ['files that are no files', { type: 'goal.post', attachments: [{ data: { content: 'x'.repeat(400_000) } }] }, 'request.too_large'],
    ['a message with unknown fields that are too large', { type: 'message.post', more: 'x'.repeat(400_000) }, 'request.too_large'],
    ['more than a frame', `"${'x'.repeat(9_000_000)}"`, 'request.too_large'],
  ])('refuses %s', (_what, input, code) => {
    expect(codeOf(input)).toBe(code)
  })
  it('reads text and values alike', () => {
    const command = { type: 'goal.claim', goal_id: `gol_${'0'.repeat(32)}` }
    expect(parseCommand(JSON.stringify(command))).toEqual(parseCommand(command))
  })
  it('does not count the files of a command', () => {
    const file = { name: 'a.txt', media_type: 'text/plain', artifact_type: 'text.plain', content: 'eHh4'.repeat(100_000) }
    const command = { type: 'task.complete', task_id: `tsk_${'0'.repeat(32)}`, artifacts: [file] }
    expect(codeOf(command)).toBeNull()
  })
  it('has a verb for every command', () => {
    expect(Object.keys(commandHandlers).sort()).toEqual([...commandTypes].sort())
  })
})

describe('parsePostMessage', () => {
  const room_id = `rom_${'0a'.repeat(16)}`
  const talk = (more: object) => ({ type: 'message.post', room_id, parts: [{ text: 'hi' }], ...more })
  it.each([
    ['texts', talk({})],
    ['an act', talk({ act: 'vote' })],
    ['nothing said', { type: 'message.post', room_id }],
    ['no parts', talk({ parts: [] })],
    ['a part of no kind', talk({ parts: [{}] })],
    ['other parts', talk({ parts: [{ text: 'a', mood: 'b' }, { data: { kind: 'x' } }] })],
    ['an answer to a member', talk({ reply_to: '019a0000-0000-7000-8000-000000000000', to: [`did:pkh:eip155:1:0x${'1a'.repeat(20)}`] })],
    ['a field nobody knows', talk({ mood: 'glad' })],
    ['what was signed', talk({ envelope: { a: [1] } })],
    ['another room', talk({ room_id: 'rom_1' })],
    ['a text that is none', talk({ parts: [{ text: 1 }] })],
    ['a text with data that is none', talk({ parts: [{ text: 'a', data: 'b' }] })],
    ['a part that is none', talk({ parts: ['hi'] })],
    ['parts that are no list', talk({ parts: { 0: { text: 'hi' } } })],
    ['too many parts', talk({ parts: Array(65).fill({ text: 'x' }) })],
    ['too long a text', talk({ parts: [{ text: 'x'.repeat(65_537) }] })],
    ['too long an act', talk({ act: 'x'.repeat(65) })],
    ['an act that is none', talk({ act: null })],
    ['no talk', { ...talk({}), type: 'goal.post' }],
  ])('takes %s as its schema does', (_what, value) => {
    const parsed = PostMessage.safeParse(value)
    if (parsed.success) expect(parsePostMessage(value)).toEqual(parsed.data)
    else expect(() => parsePostMessage(value)).toThrow(DomainError)
  })
})
