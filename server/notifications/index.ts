/**
 * Owns the inbox of a client, and the notifications about it by e-mail and webhook.
 * Never changes a goal, and never sends the text of a private goal.
 * Reads goals, teams, settlement, conversations, identity, policy, audit.
 */
export { type InboxItem, type InboxKind, readInbox } from './inbox/read-inbox.ts'
