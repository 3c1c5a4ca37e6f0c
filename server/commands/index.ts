/**
 * Owns the one way in for commands: parse, bound the rate, hide private goals, keep the operators' rules, hand to the verb.
 * Never decides whether an actor may do it (the verb does), and never changes state itself.
 * Reads policy, telemetry; registry, settlement and teams for whom a command gives work to, and for who may know of a goal.
 */
export { admit, admitTalk, type Entrance } from './dispatch-command.ts'
export { keepRules } from './enforce-policy.ts'
export { requestMalformed, requestTooLarge } from './errors.ts'
export { readCommand, readJson, readTalk } from './parse-command.ts'
export { findUnknown, requireKnown } from './require-visible.ts'
