/**
 * Owns the one way in for commands: parse, bound the rate, hide private goals, keep the operators' rules, hand to the verb.
 * Never decides whether an actor may do it (the verb does), and never changes state itself.
 * Reads policy, telemetry; registry, settlement and teams for whom a command gives work to, and for who may know of a goal.
 */
export { admit, admitTalk, type Entrance } from './admit.ts'
export { requestMalformed, requestTooLarge } from './errors.ts'
export { keepRules } from './keep-rules.ts'
export { readCommand, readJson, readTalk } from './read-command.ts'
export { findUnknown, requireKnown } from './require-known.ts'
