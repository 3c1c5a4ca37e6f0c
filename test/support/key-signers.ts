import type { Hex } from 'viem'
import type { ChainSigners } from '../../server/ports.ts'
import { createKeySigner } from '../../server/settlement/signers/key-signer.ts'

/** The server's roles, by keys of the test chain. */
export function keySigners(settler: Hex, evaluator: Hex, arbitrator?: Hex): ChainSigners {
  return {
    settler: createKeySigner('settler', settler),
    evaluator: createKeySigner('evaluator', evaluator),
    arbitrator: arbitrator === undefined ? null : createKeySigner('arbitrator', arbitrator),
  }
}
