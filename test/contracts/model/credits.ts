/** An account's own affairs: what it can withdraw, and who signs for it. */
import type { Address } from 'viem'
import { creditOf, emitEvent, type Run, refuse, requireSigned, takeNonce, zeroAddress } from './call-context.ts'
import { pushOrRevert } from './tokens.ts'
import type { Call } from './types.ts'

type CallOf<F extends Call['fn']> = Extract<Call, { fn: F }>

export function withdraw(run: Run, account: Address, token: Address, to: Address): void {
  if (to === zeroAddress || to === run.state.escrow) refuse('BadRecipient')
  const amount = creditOf(run.state, token, account)
  if (amount === 0n) refuse('NothingToWithdraw')
  run.state.credits[token] = { ...run.state.credits[token], [account]: 0n }
  emitEvent(run, 'CreditWithdrawn', { token, account, to, amount })
  pushOrRevert(run, token, to, amount)
}

export function withdrawCreditTo(run: Run, { account, token, to, deadline, signature }: CallOf<'withdrawCreditTo'>): void {
  if (BigInt(run.state.time) > deadline) refuse('TooLate')
  const nonce = takeNonce(run, account)
  requireSigned(run, account, { type: 'CreditWithdrawal', account, token, to, nonce, deadline }, signature)
  withdraw(run, account, token, to)
}

export function setSigner(run: Run, account: Address, signer: Address, allowed: boolean): void {
  run.state.signers[`${account} ${signer}`] = allowed
  emitEvent(run, 'SignerSet', { account, signer, allowed })
}

export function setSignerBySignature(run: Run, call: CallOf<'setSignerBySignature'>): void {
  const { account, signer, allowed, deadline, signature } = call
  if (BigInt(run.state.time) > deadline) refuse('TooLate')
  const nonce = takeNonce(run, account)
  requireSigned(run, account, { type: 'SetSigner', account, signer, allowed, nonce, deadline }, signature)
  setSigner(run, account, signer, allowed)
}
