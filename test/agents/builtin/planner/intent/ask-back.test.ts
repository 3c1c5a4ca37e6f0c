import { describe, expect, it } from 'vitest'
import { askBack } from '../../../../../agents/builtin/planner/intent/ask-back.ts'

describe('askBack', () => {
  it.each([
    ['can you help me with my numbers', /^Paste the numbers/],
    ['Help me with my text, please!', /^Paste or attach the text/],
    ['i need help with my table', /^Paste or attach the table/],
    ['help me with these dates', /^Write the dates/],
    ['Kannst du mir bei meinen Zahlen helfen?', /^Fügen Sie die Zahlen ein/],
    ['Peux-tu m’aider avec mon texte ?', /^Collez ou joignez le texte/],
    ['¿Puedes ayudarme con mis números?', /^Pegue los números/],
    ['能帮我处理一下我的数字吗？', /^请贴出数字/],
  ])('asks for what is missing: %s', (text, question) => {
    expect(askBack(text)).toMatch(question)
  })

  it.each(['help me with my numbers 3, 5 and 9', 'help me with my taxes', 'What is the average of my numbers?', 'numbers'])(
    'leaves %s to the tools',
    (text) => {
      expect(askBack(text)).toBeUndefined()
    },
  )
})
