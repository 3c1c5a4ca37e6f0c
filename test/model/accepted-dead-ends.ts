/** Where money may stay nevertheless, and why no automatic job can help. */
export const exceptions: readonly { readonly name: string; readonly reason: string }[] = [
  {
    name: 'lost key behind a credit',
    reason:
      'A credit (fee, royalty, or a payment that the token refused) is withdrawn by its holder only, in PlanEscrow. It counts as paid.',
  },
  {
    name: 'blacklisted address',
    reason:
      'A token that refuses a payee or a client leaves a credit, which can go to another address only by the signature of its holder.',
  },
  {
    name: 'frozen contract',
    reason: "A token's issuer that freezes the escrow or the channels' contract holds all of its money until it lifts that.",
  },
  {
    name: 'card closed, and no payout account',
    reason:
      "A refund that the client's card refuses for good is the client's credit, which waits for an account of the client's without an end.",
  },
  {
    name: 'events that cannot be booked',
    reason:
      "They freeze their goal or channel in the server until an operator has them booked. In the escrow anybody still ends the plan; in a channel the payer's notice does.",
  },
  {
    name: 'charter brought past the server',
    reason:
      'Members and client can seal a charter that the server never saw. It cannot close such a plan after the expiry where a debt is left; a holder of the charter can.',
  },
  {
    name: 'share that Stripe refuses for good',
    reason: 'A transfer that is refused for a reason that is neither the account nor time ends as failed, and is reported to an operator.',
  },
  {
    name: 'settlement given up',
    reason:
      'A settlement that the contract refuses is asked for again every hour until the expiry. One that it refuses until then is refunded, unless the client releases it: an end, and not the one that was agreed.',
  },
]
