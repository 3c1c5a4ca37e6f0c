import { DomainError } from '../errors.ts'

export const chainInconsistent = (what: string, one: string, other: string) =>
  new DomainError('hold.chain_inconsistent', `Two nodes of the settlement chain tell different things: ${what}.`, {
    hint: 'No money moves until they agree. Find out which of CHAIN_RPC_URL and CHAIN_RPC_URL_2 is wrong.',
    facts: { what, one: one.slice(0, 200), other: other.slice(0, 200) },
  })

export const signerUnavailable = (role: string, why: string, cause?: unknown) =>
  new DomainError('hold.signer_unavailable', `The ${role} cannot sign: ${why}.`, {
    hint: 'Nothing is lost: it is asked for again. Look at the signer, its policy and its limits.',
    facts: { role, why },
    cause,
  })

export const nonceContended = (key: string) =>
  new DomainError('hold.chain_unavailable', 'Other transactions took every nonce that this one was signed for.', {
    hint: 'Nothing is lost: it is signed again in the next round.',
    facts: { key },
  })

export const transactionNotFound = (id: string) =>
  new DomainError('hold.not_found', 'There is no such transaction.', { facts: { transaction_id: id } })

export const transactionNotCancellable = (state: string) =>
  new DomainError('hold.wrong_state', `The transaction is ${state}; only one that was signed and is not mined can be cancelled.`, {
    hint: 'One without a nonce keeps nobody waiting. One that is mined has done what it does.',
    facts: { state },
  })
