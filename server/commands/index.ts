/**
 * Owns the command bus: parse, limit the rate, hide private goals, enforce the operators' rules, call the handler.
 * Never decides whether an actor may act (the handler does), and never changes state itself.
 * Reads policy and telemetry; registry, settlement and teams to find who receives work and who may see a goal.
 */
export { type CommandSource, dispatchCommand, dispatchMessage } from './dispatch-command.ts'
export { enforcePolicy } from './enforce-policy.ts'
export { requestMalformed, requestTooLarge } from './errors.ts'
export { parseCommand, parseJson, parsePostMessage } from './parse-command.ts'
export { findInvisible, requireVisibleIds } from './require-visible-ids.ts'
