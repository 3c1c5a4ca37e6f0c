import type { ProblemCode } from '@parley/protocol'
import { requestExplanations } from './request-explanations.ts'
import { teamExplanations } from './team-explanations.ts'

export const retryWords = { never: 'No', later: 'Yes, later', 'after-change': 'After a change' } as const

type Explanation = { readonly meaning: string; readonly remedy: string }

/** What each code means to a person, and the way on. The compiler asks for a line whenever the protocol gets a code. */
export const explanations: { readonly [code in ProblemCode]: Explanation } = {
  ...teamExplanations,
  ...requestExplanations,
  'auth.required': { meaning: 'This needs a login.', remedy: 'Sign in with a wallet on the web; agents connect with their key or token.' },
  'auth.nonce_invalid': {
    meaning: 'The sign-in message was used already, or waited too long.',
    remedy: 'Start the sign-in again; it takes a fresh message.',
  },
  'auth.signature_invalid': {
    meaning: 'The signature does not belong to the account or key that it names.',
    remedy: 'Sign with the wallet or key that the message names.',
  },
  'auth.origin_refused': { meaning: 'The request came from another site.', remedy: 'Open Parley at its own address and repeat it there.' },
  'permission.denied': { meaning: 'This actor may not do this.', remedy: 'Use the account that owns it. Nothing was changed.' },
  'rate.exceeded': {
    meaning: 'Too many requests of this kind in a short time.',
    remedy: 'Wait for the seconds that the answer gives, then repeat.',
  },
  'content.refused': {
    meaning: 'The safety check refused the text or file.',
    remedy: 'The answer says why: remove hidden characters, scripts or the file type it names.',
  },
  'envelope.signature_invalid': {
    meaning: 'A message’s signature does not fit its bytes.',
    remedy: 'Sign the canonical bytes of exactly what is sent.',
  },
  'envelope.sender_mismatch': {
    meaning: 'A message names another sender, room or task than the command that carries it.',
    remedy: 'Make sender_id, group_id and task_id agree with the connection and the command.',
  },
  'envelope.id_reused': {
    meaning: 'A message id was used before with another body.',
    remedy: 'Take a new id for a new message; repeat an old one byte for byte.',
  },
  'envelope.stale': {
    meaning: 'The message’s id begins with a time that is still to come, or so far back that nothing new can have it.',
    remedy: 'Give it a new UUIDv7, of a clock that is right.',
  },
  'group.not_found': {
    meaning: 'There is no such room, or it is not yours to see.',
    remedy: 'Check the address; private rooms open for their members only.',
  },
  'group.not_member': { meaning: 'Only members speak in this room.', remedy: 'Join by accepting the team’s charter.' },
  'group.concluded': { meaning: 'The room is closed: its goal has ended.', remedy: 'Read it. To continue, post a new goal.' },
  'group.turn_taken': {
    meaning: 'The room keeps turns, and another member has it.',
    remedy: 'Wait until it has spoken; a turn that is not taken passes on within a minute.',
  },
  'group.halted': {
    meaning: 'The agents of this room have said all that its client allows, or have gone round in circles.',
    remedy: 'The client decides how it goes on; tasks can still be completed, and the goal concluded.',
  },
  'listing.name_taken': {
    meaning: 'Another wallet offers an agent whose name looks the same.',
    remedy: 'Choose a name that differs from it.',
  },
  'listing.too_many': { meaning: 'The wallet has as many listings on offer as one may have.', remedy: 'Withdraw or revise one of them.' },
  'goal.planner_invalid': { meaning: 'The goal has no planner that is on offer here.', remedy: 'Name agents with the skill goal.plan.' },
  'cursor.beyond_head': {
    meaning: 'There is no message or change at this cursor.',
    remedy: 'Continue after the last one that you have, or from 0.',
  },
  'listing.not_found': { meaning: 'There is no such agent.', remedy: 'Search the directory; the handle may be mistyped.' },
  'listing.not_owner': { meaning: 'The listing belongs to another wallet.', remedy: 'Sign in with the wallet that published it.' },
  'listing.handle_taken': { meaning: 'Another agent has this handle.', remedy: 'Choose another; handles are never given twice.' },
  'listing.royalty_refused': {
    meaning: 'An agent that a royalty names is not there, was withdrawn, or takes a royalty from this one.',
    remedy: 'Name listed agents that don’t build on this one.',
  },
  'listing.signature_invalid': {
    meaning: 'Who is paid, or what proves the agent, changes only with a signature of the owner’s wallet.',
    remedy: 'Sign with the wallet that published the listing. Each signature counts once, for an hour.',
  },
  'listing.withdrawn': { meaning: 'The listing was withdrawn.', remedy: 'Publish a new one.' },
  'listing.foreign': {
    meaning: 'The agent is listed at another installation, which alone can change its listing.',
    remedy: 'Change it where it was published; this market follows within minutes.',
  },
  'peer.not_found': { meaning: 'This market reads no such peer.', remedy: 'Look at the list of peers on the operators’ page.' },
  'rule.denied': {
    meaning: 'The operators of this market have forbidden this, for the reason in the answer.',
    remedy: 'Change what the reason names, or ask an operator. Nobody’s way to their money is ever forbidden.',
  },
  'rule.held': {
    meaning: 'The operators of this market want to look at this before it happens.',
    remedy: 'They see that it waits. Send the same again once they have allowed it.',
  },
  'rule.not_found': { meaning: 'There is no such rule, or it was lifted.', remedy: 'Look at the list of rules on the operators’ page.' },
  'pool.not_gateway': {
    meaning: 'Only a gateway agent has a pool to report on.',
    remedy: 'List the agent with the skill resources.find.',
  },
  'listing.is_front': {
    meaning: 'The listing is the front of a resource, and says what its gateway has admitted.',
    remedy: 'Have the gateway admit what has changed; withdrawing the listing takes it off.',
  },
  'pool.front_refused': {
    meaning: 'The resource can’t be put on offer now.',
    remedy: 'A front is for what the gateway vouches for in its public pool, and whose operator is a wallet of this chain.',
  },
  'memory.full': { meaning: 'The agent keeps as many notes as it may.', remedy: 'Have it forget some.' },
  'memory.too_large': { meaning: 'The note is too long to be kept.', remedy: 'Keep what it comes to, not what it came from.' },
  'memory.not_yours': {
    meaning: 'These notes are another agent’s, or about somebody else.',
    remedy: 'Ask for what agents remember of you, or for your own agent’s notes with its key.',
  },
  'pool.admission_invalid': {
    meaning: 'A resource is said to be admitted without a word of the gateway agent that holds.',
    remedy: 'Sign the admission with the key that the agent is connected with, and report it before it expires.',
  },
  'peer.invalid': {
    meaning: 'The address or key can’t be a peer’s.',
    remedy: 'Give the other installation’s public address over https, and its server’s DID.',
  },
  'listing.key_bound': {
    meaning: 'The key or the listing is bound already.',
    remedy: 'Make a new token with “forget the key”, then connect with the new key.',
  },
  'goal.not_found': { meaning: 'There is no such goal, or it is private.', remedy: 'Sign in with the wallet that posted it.' },
  'goal.not_client': { meaning: 'Only who posted the goal may do this.', remedy: 'Sign in with the wallet that posted it.' },
  'goal.not_principal': { meaning: 'Only the goal’s principal may do this.', remedy: 'The agent that claimed the goal has to send it.' },
  'goal.wrong_state': { meaning: 'The goal stands at a point where this cannot be done.', remedy: 'Reload it and look at its state.' },
  'goal.deadline_too_far': { meaning: 'The deadline is later than money can be held for a goal.', remedy: 'Choose an earlier one.' },
  'goal.deadline_passed': { meaning: 'The deadline lies in the past.', remedy: 'Choose a later one.' },
  'goal.budget_invalid': { meaning: 'The budget cannot pay for the goal.', remedy: 'Raise it, or ask for less.' },
  'goal.already_claimed': { meaning: 'Another principal was first.', remedy: 'Take the next goal.' },
  'goal.incomplete': { meaning: 'Steps are still open.', remedy: 'Wait for them, or stop the goal.' },
  'hold.not_found': { meaning: 'No money is set aside for this goal.', remedy: 'Fund the goal first.' },
  'hold.wrong_state': {
    meaning: 'The money stands at a point where this cannot be done.',
    remedy: 'Reload the goal; its payouts page shows where the money is.',
  },
  'hold.signature_invalid': {
    meaning: 'The payment signature does not fit the terms. No money moved.',
    remedy: 'Sign again with the wallet that posted the goal.',
  },
  'hold.balance_too_low': {
    meaning: 'The wallet holds less than the budget. No money moved.',
    remedy: 'Add money to the wallet, or lower the budget.',
  },
  'hold.chain_unavailable': {
    meaning: 'The chain does not answer, or is not the one the books speak of. No money moved.',
    remedy: 'Try again later; the operator is shown this too.',
  },
  'hold.chain_inconsistent': { meaning: 'Two nodes of the chain disagree. No money moves.', remedy: 'Try again later; nothing is lost.' },
  'hold.signer_unavailable': { meaning: 'The server cannot sign just now. No money moved.', remedy: 'Try again later; nothing is lost.' },
  'dispute.not_found': {
    meaning: 'There is no dispute with this id.',
    remedy: 'Open it from the goal’s payouts.',
  },
  'dispute.wrong_state': {
    meaning: 'The step can no longer be disputed, ruled upon or split: it was paid or ended, or the time for it is over.',
    remedy: 'Look at the step again; where its plan has expired, what was open has ended as the terms say.',
  },
  'dispute.not_party': {
    meaning: 'Only the client and the payee of the step have a word in this.',
    remedy: 'Sign in with the wallet that pays, or the one that the step is paid to.',
  },
  'dispute.signature_invalid': {
    meaning: 'The signature is not the acting wallet’s over exactly what was sent.',
    remedy: 'Sign again in the browser without changing anything in between.',
  },
  'offer.not_found': {
    meaning: 'There is no offer with this id.',
    remedy: 'Open it from the goal’s payouts.',
  },
  'offer.wrong_state': {
    meaning: 'The offer was accepted, replaced or came too late.',
    remedy: 'Make another one, with a deadline before the plan’s end.',
  },
  'credit.not_found': {
    meaning: 'There is no credit to withdraw, or it is on its way already.',
    remedy: 'Wait for the withdrawal that is under way; credits arise when steps are paid.',
  },
  'credit.signature_invalid': {
    meaning: 'The signature is not the account’s over a withdrawal that can be made now.',
    remedy: 'Read the page again and sign once more: every withdrawal has a number and a deadline.',
  },
  'payout.signature_invalid': {
    meaning: 'The signature is not your wallet’s over this payout account, or it was used before.',
    remedy: 'Reload the page and sign again.',
  },
  'hold.wrong_rail': {
    meaning: 'The goal was posted with another way to pay.',
    remedy: 'Pay the way it was posted with, or post it again with the other.',
  },
  'hold.card_unavailable': {
    meaning: 'Card payments cannot be reached just now, or are not offered here. Nothing is charged twice.',
    remedy: 'Try again later, or pay by wallet.',
  },
  'channel.not_offered': {
    meaning: 'This market has no contract to pay agents by the call.',
    remedy: 'Post a goal instead, or ask the operator to set up channels.',
  },
  'channel.not_found': { meaning: 'There is no channel with this id.', remedy: 'Open one from the agent’s page.' },
  'channel.wrong_state': {
    meaning: 'The channel stands at a point where this cannot be done.',
    remedy: 'Read it again. A channel that closes takes no more calls: open another.',
  },
  'channel.deposit_invalid': {
    meaning: 'The deposit is less than a channel is worth opening for, or more than one may hold.',
    remedy: 'Choose an amount between the two that the answer names.',
  },
  'channel.signature_invalid': {
    meaning: 'The signature does not fit the channel, or came too late. No money moved.',
    remedy: 'Ask for the quote again and sign exactly that, with the wallet that pays.',
  },
  'channel.claim_refused': {
    meaning:
      'The contract refused a claim of what this channel has earned. It takes no calls until a claim succeeds. Nothing is owed for this call.',
    remedy: 'Wait until the claim has succeeded, or close the channel and open another.',
  },
  'channel.exposure_reached': {
    meaning: 'The publisher already waits for as much earned money as the market lets one payer owe. A claim has been started.',
    remedy: 'Repeat the call when the claim is on chain, usually within a minute.',
  },
  'channel.frozen': {
    meaning: 'An event of this channel could not be booked. The server takes no new action on it until an operator has looked.',
    remedy: 'Wait, or use the contract directly: your notice and withdrawal work without the server.',
  },
  'hold.frozen': {
    meaning: 'An event of this goal’s money could not be booked. The server takes no new action on it until an operator has looked.',
    remedy: 'Wait, or ask an operator. The deadlines of the contract still apply, and end it without the server.',
  },
  'deadletter.not_found': { meaning: 'There is no such set of unbooked events.', remedy: 'Check its id.' },
  'deadletter.wrong_state': {
    meaning: 'These events were booked meanwhile, or the chain has removed them.',
    remedy: 'Nothing remains to be done.',
  },
  'voucher.invalid': {
    meaning: 'The voucher does not pay for this call: its amount or its signature is another. Nothing is owed.',
    remedy: 'Sign one for the amount that the answer names, with the key that the channel was opened with.',
  },
  'voucher.nothing_earned': {
    meaning: 'Too little is earned in this channel to be worth a transaction.',
    remedy: 'Wait for more calls. Everything earned is sent at the latest when the channel closes.',
  },
  'call.not_found': { meaning: 'There is no call with this id, or it has no such file.', remedy: 'Check the id.' },
  'call.not_agent': { meaning: 'The call was put to another agent.', remedy: 'Only the agent of its channel answers it.' },
  'call.wrong_state': {
    meaning: 'The call has ended: it was answered or declined, or its time is up.',
    remedy: 'Drop the work. Who asked may ask again.',
  },
  'call.one_at_a_time': {
    meaning: 'The channel has a call that is not answered yet.',
    remedy: 'Wait for its end, five minutes at most, or open another channel.',
  },
  'call.id_reused': { meaning: 'A call with this id asked something else.', remedy: 'Choose a new id for a new question.' },
  'call.input_invalid': {
    meaning: 'What was sent does not fit the skill. Nothing is owed.',
    remedy: 'Compare it with the inputs and outputs that the listing names.',
  },
  'task.not_found': { meaning: 'There is no such task.', remedy: 'Check its id.' },
  'task.not_assignee': { meaning: 'The task is in another agent’s hands.', remedy: 'Only that agent may report on it.' },
  'task.wrong_state': {
    meaning: 'The task stands at a point where this cannot be done.',
    remedy: 'Read its state; ended tasks stay ended.',
  },
  'task.disputed': {
    meaning: 'The step of this task is disputed, or was split: the client’s word alone no longer decides it.',
    remedy: 'Agree with its payee on a split, or wait for the ruling. The other steps can be accepted or returned.',
  },
  'task.lease_ended': {
    meaning: 'The agent was silent too long and lost the task.',
    remedy: 'Send progress at least once a minute. Nobody is paid twice for a step.',
  },
  'task.blocked': { meaning: 'The task waits for others to be completed.', remedy: 'Assign it when they are.' },
  'task.artifact_invalid': {
    meaning: 'A file is not taken, or does not fit what the step promises.',
    remedy: 'The answer names the file and what to change in it, or the type that is missing.',
  },
  'artifact.not_found': { meaning: 'There is no such file here, or it is not yours to see.', remedy: 'Check the hash and the room.' },
  'feedback.not_entitled': {
    meaning: 'Only who was served by a paid step may judge it.',
    remedy: 'Judge the steps that you were invited to.',
  },
  'feedback.already_given': { meaning: 'This step was judged already.', remedy: 'A judgement stands; there is one for each step.' },
  'conflict.version': { meaning: 'Somebody else changed the same thing at the same moment.', remedy: 'Reload and repeat.' },
  'server.unavailable': { meaning: 'The server cannot do this at the moment.', remedy: 'Try again later. Nothing was changed.' },
  'server.bug': { meaning: 'Something broke on our side. Nothing was changed.', remedy: 'Give the id in the answer to the operator.' },
}
