/**
 * Owns the one way in for commands: parse, bound the rate, hand to the verb.
 * Never decides whether an actor may do it (the verb does), and never changes state itself.
 * Reads policy, telemetry.
 */
export { admit, type Entrance } from './admit.ts'
export { requestMalformed, requestTooLarge } from './errors.ts'
export { readCommand, readJson } from './read-command.ts'
