import { conversationStates, conversationTransitions, type Envelope } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { applyMessage, type ConversationRecord } from '../../../../server/conversations/rooms/conversation.ts'

const conversation = (changes: Partial<ConversationRecord> = {}): ConversationRecord => ({
  roomId: 'rom_1',
  goalId: 'gol_1',
  state: 'discussion',
  nextSpeakers: ['did:key:a'],
  triggers: [],
  openQuestionId: null,
  isPublic: false,
  requiresConfirmation: false,
  version: 1,
  ...changes,
})
const message = (changes: object = {}) =>
  ({ id: 'e1', sender_id: 'did:key:lead', state: 'discussion', type: 'discussion', parts: [], ...changes }) as unknown as Envelope
const client = 'did:pkh:eip155:1:0xclient'

describe('applyMessage', () => {
  it.each(conversationStates.flatMap((from) => conversationStates.map((to) => [from, to] as const)))(
    '%s → %s is as in the table',
    (from, to) => {
      const isAllowed = (conversationTransitions[from] as readonly string[]).includes(to)
      expect(applyMessage(conversation({ state: from }), message({ state: to }), client).state).toBe(isAllowed ? to : from)
    },
  )
  it('reads an unknown state as a discussion and an unknown act as talk', () => {
    expect(applyMessage(conversation({ state: 'execution' }), message({ state: 'meditation', type: 'hum' }), client)).toMatchObject({
      state: 'discussion',
      triggers: [],
    })
  })
  it('keeps the client’s open question until the client speaks', () => {
    const asked = applyMessage(conversation(), message({ id: 'q1', expects: 'reply', to: [client] }), client)
    expect(asked.openQuestionId).toBe('q1')
    expect(applyMessage(asked, message(), client).openQuestionId).toBe('q1')
    expect(applyMessage(asked, message({ sender_id: client }), client).openQuestionId).toBeNull()
  })
  it('takes triggers from a pause only', () => {
    expect(applyMessage(conversation(), message({ type: 'pause', triggers: ['tsk_1'] }), client).triggers).toEqual(['tsk_1'])
    expect(applyMessage(conversation({ triggers: ['tsk_1'] }), message({ triggers: ['tsk_2'] }), client).triggers).toEqual(['tsk_1'])
  })
})
