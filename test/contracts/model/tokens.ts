/** The two tokens of the differential test: TestUSDC, and the wayward one that refuses whom it likes. */
import type { Address, Hex } from 'viem'
import { bps, isSignedBy, type Run, refuse } from './call-context.ts'
import { answers, type Message, type Signature, type Token } from './types.ts'

const unlimited = 2n ** 256n - 1n

export function tokenOf(run: Run, token: Address): Token {
  return run.state.tokens[token] ?? refuse('TokenNotAllowed')
}

export const balanceOf = (token: Token, account: Address) => token.balances[account] ?? 0n

/** A transfer out of the escrow. Whether the token went along with it. */
export function push(run: Run, at: Address, to: Address, amount: bigint): boolean {
  const token = tokenOf(run, at)
  if (refusalOf(token, to) !== null) return false
  move(token, run.state.escrow, to, amount)
  return true
}

/** A transfer out of the escrow that must succeed. */
export function pushOrRevert(run: Run, at: Address, to: Address, amount: bigint): void {
  const token = tokenOf(run, at)
  const refusal = refusalOf(token, to)
  if (refusal !== null) refuse(refusal)
  move(token, run.state.escrow, to, amount)
}

/** A transfer from `from` into the escrow, out of its allowance; `amount` or more has to arrive. */
export function pull(run: Run, at: Address, from: Address, amount: bigint): void {
  const token = tokenOf(run, at)
  const allowance = token.allowances[from] ?? 0n
  if (allowance < amount) refuse('ERC20InsufficientAllowance')
  if (allowance !== unlimited) token.allowances[from] = allowance - amount
  const refusal = refusalOf(token, run.state.escrow)
  if (refusal !== null) refuse(refusal)
  receive(run, token, from, amount)
}

export function receive(run: Run, token: Token, from: Address, amount: bigint): void {
  if (balanceOf(token, from) < amount) refuse('ERC20InsufficientBalance')
  if (move(token, from, run.state.escrow, amount) < amount) refuse('ReceivedLess')
}

/** The error of a transfer to `to` that has to succeed; null if it does. */
function refusalOf(token: Token, to: Address): string | null {
  const answer = token.answers[to] ?? answers.true
  if (answer === answers.revert) return 'Error'
  return answer === answers.false || answer === answers.garbage ? 'SafeERC20FailedOperation' : null
}

/** What arrives. */
function move(token: Token, from: Address, to: Address, amount: bigint): bigint {
  const lost = (amount * BigInt(token.feeBps)) / bps
  token.balances[from] = balanceOf(token, from) - amount
  token.balances[to] = balanceOf(token, to) + amount - lost
  return amount - lost
}

/** ERC-3009, as TestUSDC checks it; the wayward token takes any authorization. */
export function receiveWithAuthorization(
  run: Run,
  at: Address,
  given: { from: Address; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex },
  signature: Signature,
): void {
  const token = tokenOf(run, at)
  if (token.signed) {
    const message: Message = { type: 'ReceiveWithAuthorization', ...given, to: run.state.escrow }
    if (!isSignedBy(run.state, given.from, message, signature)) refuse('ERC3009InvalidSignature')
    const time = BigInt(run.state.time)
    if (time <= given.validAfter || time >= given.validBefore) refuse('ERC3009InvalidAuthorizationTime')
    const used = `${given.from} ${given.nonce}`
    if (token.authorizations[used]) refuse('ERC3009UsedAuthorization')
    token.authorizations[used] = true
  }
  receive(run, token, given.from, given.value)
}
