/**
 * Owns the audit log: the append-only, hash-chained record of every command.
 * Never decides anything, and never updates or deletes a row.
 * Reads nothing.
 */
export { type AuditEntry, appendAudit } from './append-audit.ts'
export { listAudit } from './list-audit.ts'
