import { acceptances, conversationStates, goalStates, holdStates, stepStates, taskStates, transferStates } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { lookOf, looks } from '../../../../app/_components/ui/chip.tsx'
import { translate } from '../../translate.ts'

const t = translate('ui.chip')

describe('looks', () => {
  it.each([
    ['goal', goalStates],
    ['conversation', conversationStates],
    ['step', stepStates],
    ['task', taskStates],
    ['acceptance', acceptances],
    ['hold', holdStates],
    ['transfer', transferStates],
  ] as const)('has a word and an icon for every state of a %s', (kind, states) => {
    expect(Object.keys(looks[kind]).sort()).toEqual([...states].sort())
    const words = Object.values(looks[kind]).map(([, , word]) => t(word))
    expect(words.every((word) => word.length > 2)).toBe(true)
  })

  it('shows a state that this version does not know by its own name', () => {
    expect(lookOf('task', 'half_asleep', t)[2]).toBe('half asleep')
    expect(lookOf('task', 'constructor', t)[2]).toBe('constructor')
  })
})
