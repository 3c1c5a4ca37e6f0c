import { describe, expect, it } from 'vitest'
import { checkAnswerExists } from '../../../../../agents/builtin/reviewer/criteria/check-answer-exists.ts'
import type { Deliverable } from '../../../../../agents/builtin/reviewer/criteria/deliverable.ts'

const text = (content: string): Deliverable => ({ name: 'answer.txt', mediaType: 'text/plain', text: content, size: content.length })
const pdf: Deliverable = { name: 'report.pdf', mediaType: 'application/pdf', text: null, size: 2_048 }

describe('checkAnswerExists', () => {
  it.each([
    ['How many orders are there?', [], /no deliverable/],
    ['How many orders are there?', [text('  ')], /empty/],
    ['How many orders are there?', [text('There are orders.')], /asks for a number/],
    ['Wie viele Bestellungen gibt es?', [text('Es gibt Bestellungen.')], /asks for a number/],
    ['Translate good morning', [text("I can't translate that.")], /there is no answer/],
    ['Translate good morning', [text('Translate “good morning”')], /repeats the goal/],
  ])('reports as not answered: %s %s', (goal, deliverables, why) => {
    const found = checkAnswerExists(goal, deliverables)
    expect(found.status).toBe('failed')
    expect(found.evidence).toMatch(/^Not answered: /)
    expect(found.evidence).toMatch(why)
  })

  it('reports an answer without its words, which may have to be erased', () => {
    expect(checkAnswerExists('How many are there?', [text('There are three.')])).toEqual({
      status: 'met',
      evidence: 'answer.txt has 16 bytes.',
    })
    expect(checkAnswerExists('How many are there?', [pdf]).status).toBe('met')
  })
})
