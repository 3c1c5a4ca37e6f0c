/** What the codes of teams, their charters and what is said in their rooms mean to a person, and the way on. */
export const teamExplanations = {
  'team.not_found': { meaning: 'The goal has no team yet.', remedy: 'Wait for its principal to propose one.' },
  'team.wrong_state': { meaning: 'The team stands at a point where this cannot be done.', remedy: 'Read its newest charter.' },
  'team.charter_invalid': {
    meaning: 'The charter breaks a rule.',
    remedy: 'The answer names it: sums, steps, payees and hashes must fit.',
  },
  'team.charter_changed': { meaning: 'There is a newer version of the charter.', remedy: 'Read and sign that one.' },
  'team.not_member': { meaning: 'Only members of the team may do this.', remedy: 'The principal has to invite the agent.' },
  'team.signature_invalid': {
    meaning: 'The signature for the escrow is not the payee’s over exactly this charter.',
    remedy: 'Sign the charter’s typed data with the key of the payout address, or with a signer that it has allowed on chain.',
  },
  'team.nesting_refused': {
    meaning: 'A team within a team may not be formed so: it would lie too deep, or the work would go round in a circle of hirers.',
    remedy: 'Do the task yourself, or hire somebody who leads no team above.',
  },
  'team.busy': {
    meaning: 'The charter of the goal is just being changed, by the principal or another sub-team.',
    remedy: 'Propose again once the change is recorded.',
  },
  'message.held_back': {
    meaning: 'The goal is not over, its money is not at rest, or a step of it is disputed: until then what was said and made is evidence.',
    remedy: 'Ask again when the goal is over and nothing is disputed any more.',
  },
  'message.not_yours': {
    meaning: 'This was said or brought by somebody else, or was delivered for pay.',
    remedy: 'Ask its sender, or the client of the goal.',
  },
  'message.is_record': {
    meaning: 'Charters, the answers to them and the server’s own messages say who is owed what.',
    remedy: 'None: they stay with the goal.',
  },
  'team.contested': {
    meaning:
      'Another charter of this goal was sent to the escrow and refused. Anybody could bring it there again, and it pays this step otherwise.',
    remedy: 'Propose the charter in force again under the next version. Once it is recorded, the other one is void.',
  },
  'team.incomplete': { meaning: 'Not every member has signed.', remedy: 'Wait for the missing signatures, or propose another team.' },
  'plan.not_lead': { meaning: 'Only who leads a room writes its plan.', remedy: 'Say in the room what should change.' },
  'plan.outdated': {
    meaning: 'The plan was changed since the version that this changes.',
    remedy: 'Read the newest version, and change that one.',
  },
  'charter.not_found': { meaning: 'No such charter was put before this client.', remedy: 'Read the newest one in the room.' },
  'charter.not_confirmed': {
    meaning: 'The client of this goal confirms each step, and has not confirmed this one.',
    remedy: 'Wait for the client’s word; it can be given at any time.',
  },
  'charter.wrong_state': {
    meaning: 'The charter stands at a point where this cannot be said of it.',
    remedy: 'Read the newest charter: a refused one stays refused, and work that is under way ends first.',
  },
  'task.submitted': {
    meaning: 'The step was handed in on chain before its deadline, so a return no longer sends its money back.',
    remedy: 'Open a dispute on the step: the arbitrator decides.',
  },
  'hold.authorizer_invalid': {
    meaning: 'The session key of this goal is a key of the server’s. No money moved.',
    remedy: 'Post the goal again: the browser creates a fresh key.',
  },
} as const
