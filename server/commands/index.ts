/**
 * Owns the one way in for commands: parse, bound the rate, hide private goals, keep the operators' rules, hand to the verb.
 * Never decides whether an actor may do it (the verb does), and never changes state itself.
 * Reads policy, telemetry; registry, settlement and teams for whom a command gives work to, and for who may know of a goal.
 */
export { type CommandSource, dispatchCommand, dispatchMessage } from './dispatch-command.ts'
export { enforcePolicy } from './enforce-policy.ts'
export { requestMalformed, requestTooLarge } from './errors.ts'
export { parseCommand, parseJson, parsePostMessage } from './parse-command.ts'
export { findInvisible, requireVisible } from './require-visible.ts'
