/**
 * Who may send each writing operation, for the objects of a scene. It follows the column *who* of the commands in protocol/SPEC.md, and is
 * not read from the product: a missing check of a role is found by what this table says.
 */
import { agentRoles, personRoles } from '../ground/cast.ts'
import { type Entitled, type Operation, plainName } from '../operations/operations.ts'

const owner: Entitled = { as: 'publisher' }
const client: Entitled = { as: 'client' }
const operator: Entitled = { as: 'operator' }
const principal: Entitled = { as: 'lead' }
const anyPerson: Entitled = { as: 'client', others: personRoles }
const anyAgent: Entitled = { as: 'helper', others: agentRoles }
const anyone: Entitled = { as: 'client', others: ['anonymous', ...personRoles, ...agentRoles] }
const claimant: Entitled = { as: 'outsider' }

const byCommand: { readonly [type: string]: Entitled } = {
  'listing.publish': { as: 'publisher', others: personRoles },
  'listing.revise': owner,
  'listing.withdraw': owner,
  'listing_key.rotate': owner,
  'listing.erase': owner,
  'payout.change': owner,
  'payout_change.cancel': owner,
  'goal.post': anyPerson,
  'hold.authorize': client,
  'hold.checkout': client,
  'payout_account.open': { as: 'publisher', others: personRoles },
  'hold.reclaim': anyPerson,
  'dispute.open': { as: 'client', others: ['publisher'] },
  'dispute.rule': operator,
  'settlement_offer.make': { as: 'client', others: ['publisher'] },
  'settlement_offer.accept': owner,
  'credit.withdraw': { as: 'publisher', others: personRoles },
  'goal.claim': { as: 'lead', others: ['planner', 'outsider'] },
  'team.propose': principal,
  'team.accept': { as: 'helper', others: ['worker'] },
  'team.decline': { as: 'helper', others: ['worker'] },
  'team.seal': principal,
  'team.authorize': client,
  'team.veto': client,
  'charter.submit': principal,
  'charter.confirm': client,
  'charter.refuse': client,
  'sub_team.create': { as: 'helper' },
  'task.assign': principal,
  'task.progress': { as: 'helper' },
  'task.complete': { as: 'helper' },
  'task.fail': { as: 'helper' },
  'goal.conclude': principal,
  'task.accept': client,
  'task.return': client,
  'goal.cancel': client,
  'revision.request': client,
  'entry.submit': { as: 'lead', others: ['planner', 'outsider'] },
  'entry.choose': client,
  'deadline.extend': client,
  'goal.pause': client,
  'goal.resume': client,
  'plan.propose': principal,
  'message.post': { as: 'helper', others: ['client', 'lead', 'worker'] },
  'channel.open': { as: 'client', others: [...personRoles, ...agentRoles] },
  'channel.top_up': client,
  'channel.close': client,
  'voucher.claim': owner,
  'call.request': client,
  'call.answer': { as: 'helper' },
  'call.decline': { as: 'helper' },
  'skill.test': owner,
  'feedback.give': { as: 'client', others: ['publisher', 'lead', 'helper', 'worker'] },
  'peer.add': operator,
  'peer.remove': operator,
  'rule.create': operator,
  'rule.revoke': operator,
  'pool.report': claimant,
  'proxy.open': claimant,
  'memory.write': anyAgent,
  'memory.erase': { as: 'helper', others: [...personRoles, ...agentRoles] },
  'demand.post': anyPerson,
  'demand.withdraw': client,
  // The client erases messages of its goal; the role sends the number of a message of its own.
  'message.erase': { as: 'helper', others: ['publisher', 'client'] },
  'artifact.erase': { as: 'client', others: ['helper', 'publisher'] },
  'entry.erase': { as: 'client', others: ['helper', 'publisher'] },
}

/** Procedures by the command that they send; others change what belongs to the caller, or are for operators. */
const byProcedure: { readonly [name: string]: Entitled | string } = {
  'channels.open': 'channel.open',
  'channels.topUp': 'channel.top_up',
  'channels.close': 'channel.close',
  'channels.claim': 'voucher.claim',
  'channels.ask': 'call.request',
  'charters.confirm': 'charter.confirm',
  'charters.authorize': 'team.authorize',
  'charters.veto': 'team.veto',
  'charters.refuse': 'charter.refuse',
  'conversations.post': client,
  'conversations.erase': client,
  'conversations.retry': operator,
  'disputes.open': 'dispute.open',
  'disputes.rule': 'dispute.rule',
  'disputes.makeSettlementOffer': 'settlement_offer.make',
  'disputes.acceptSettlementOffer': 'settlement_offer.accept',
  'federation.addPeer': 'peer.add',
  'federation.removePeer': 'peer.remove',
  'goals.postDemand': 'demand.post',
  'goals.withdrawDemand': 'demand.withdraw',
  'goals.post': 'goal.post',
  'goals.fundByCard': 'hold.checkout',
  'goals.cancel': 'goal.cancel',
  'goals.requestRevision': 'revision.request',
  'contests.choose': 'entry.choose',
  'contests.erase': 'entry.erase',
  'goals.extendDeadline': 'deadline.extend',
  'goals.pause': 'goal.pause',
  'goals.resume': 'goal.resume',
  'identity.signIn': anyone,
  'identity.signOut': anyone,
  // What is no session of the caller is none that it can end: nothing is refused.
  'identity.revokeSession': anyPerson,
  'market.faucet': anyPerson,
  'memory.erase': anyPerson,
  'notifications.setEmail': anyPerson,
  'notifications.confirmEmail': client,
  'notifications.removeEmail': anyPerson,
  'notifications.setWebhook': anyPerson,
  'notifications.replaceSecret': anyPerson,
  'notifications.removeWebhook': anyPerson,
  'notifications.chooseEvents': anyPerson,
  'notifications.sendTest': anyPerson,
  'notifications.sendAgain': client,
  // The token of the mail is the permission.
  'notifications.unsubscribe': anyone,
  'policy.createRule': 'rule.create',
  'policy.revokeRule': 'rule.revoke',
  'registry.publish': 'listing.publish',
  'registry.revise': 'listing.revise',
  'registry.withdraw': 'listing.withdraw',
  'registry.erase': 'listing.erase',
  'registry.changePayout': 'payout.change',
  'registry.cancelPayoutChange': 'payout_change.cancel',
  'registry.rotateKey': 'listing_key.rotate',
  'reputation.give': 'feedback.give',
  'settlement.authorize': 'hold.authorize',
  'settlement.withdrawCredit': 'credit.withdraw',
  'settlement.reclaim': 'hold.reclaim',
  'settlement.openPayoutAccount': 'payout_account.open',
  'settlement.refreshPayoutAccount': anyPerson,
  'settlement.cancelTransaction': operator,
  'settlement.retryDeadLetter': operator,
  'settlement.retry': operator,
  'skillTests.start': 'skill.test',
  'tasks.accept': 'task.accept',
  'tasks.return': 'task.return',
}

/** What only operators read. */
export const operatorReads: readonly string[] = [
  'trpc:conversations.listDeadLetters',
  'trpc:disputes.listOpen',
  'trpc:federation.listPeers',
  'trpc:policy.listRules',
  'trpc:settlement.listDeadLetters',
  'trpc:settlement.reconcile',
  'trpc:settlement.getReconciliation',
  'trpc:settlement.listReconciliations',
  'trpc:telemetry.listLoad',
]

/** That of its variant, or of the table; null where the table does not name the operation. */
export const entitledOf = (operation: Operation): Entitled | null => operation.variant?.entitled ?? entitledFor(operation.name)

function entitledFor(operation: string): Entitled | null {
  const [, kind = '', name = ''] = /^(trpc|command|socket):(.+)$/.exec(operation) ?? []
  if (kind !== 'trpc') return byCommand[name] ?? null
  const found = byProcedure[name]
  return (typeof found === 'string' ? byCommand[found] : found) ?? null
}

/** The command that a mutation of the web sends; null where it sends none. */
export function commandOf(operation: string): string | null {
  const [, kind = '', name = ''] = /^(trpc|command|socket):(.+)$/.exec(plainName({ name: operation })) ?? []
  if (kind !== 'trpc') return kind === '' ? null : name
  if (name === 'conversations.post') return 'message.post'
  if (name === 'conversations.erase') return 'message.erase'
  if (name === 'memory.erase') return name
  const found = byProcedure[name]
  return typeof found === 'string' ? found : null
}
