import { describe, expect, it } from 'vitest'
import { messageText } from '../../../app/_views/message-text.ts'
import { translate } from '../translate.ts'

const t = translate('views.message')

describe('messageText', () => {
  it('leaves out a criterion whose text is an object with a toString of its own', () => {
    expect(messageText([{ text: 'Count.' }, { data: { kind: 'goal', criteria: [{ text: { toString: 1 } }] } }], t)).toBe(
      'Count.\nAccepted when: ',
    )
  })

  it('has the criteria of a goal after its text', () => {
    const goal = { kind: 'goal', criteria: [{ text: 'There is a count.' }, { text: 'It is right.' }] }
    expect(messageText([{ text: 'Count.' }, { data: goal }, { data: { kind: 'plan' } }], t)).toBe(
      'Count.\nAccepted when: There is a count.\nAccepted when: It is right.',
    )
  })
})
