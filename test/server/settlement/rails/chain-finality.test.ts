import { describe, expect, it } from 'vitest'
import { chainFinality } from '../../../../server/settlement/rails/chain-finality.ts'

const of = (CHAIN_ID: number, CHAIN_CONFIRMATIONS = 0, CHAIN_FINALITY?: 'safe' | 'finalized' | 'confirmations') =>
  chainFinality({ CHAIN_ID, CHAIN_CONFIRMATIONS, CHAIN_FINALITY })

describe('chainFinality', () => {
  it('takes every new block of the local chain for final', () => {
    expect(of(31_337)).toEqual({ finality: 'confirmations', confirmations: 0, fallbackConfirmations: null })
  })

  it("follows the chain's own mark where its preset names one, and what was asked for before that", () => {
    expect(of(1)).toMatchObject({ finality: 'finalized', fallbackConfirmations: 64 })
    expect(of(8_453)).toMatchObject({ finality: 'safe' })
    expect(of(8_453, 0, 'finalized')).toMatchObject({ finality: 'finalized' })
    expect(of(424_242, 12)).toEqual({ finality: 'confirmations', confirmations: 12, fallbackConfirmations: 12 })
    expect(of(424_242, 0, 'safe')).toMatchObject({ finality: 'safe', fallbackConfirmations: null })
  })

  it('refuses a chain of value whose every new block would be final, and states what to set', () => {
    for (const ask of [() => of(424_242), () => of(8_453, 0, 'confirmations'), () => of(1, 0, 'confirmations')])
      expect(ask).toThrow(/CHAIN_FINALITY to safe or finalized, or CHAIN_CONFIRMATIONS to 1 or more/)
  })
})
