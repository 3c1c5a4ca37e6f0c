/** Identifiers: a prefix that names the kind, then a UUIDv7 in hex, so that ids sort by time. */
import { z } from 'zod'

const hex32 = '[0-9a-f]{32}'
/** The id of a listed agent: `agt_` and 32 hex digits. */
export const AgentId = z.string().regex(new RegExp(`^agt_${hex32}$`))
/** The id of a goal: `gol_` and 32 hex digits. */
export const GoalId = z.string().regex(new RegExp(`^gol_${hex32}$`))
/** A room. IoA calls it `room_id` on the wire. An agent's inbox is also a room. */
export const RoomId = z.string().regex(new RegExp(`^(rom|inb)_${hex32}$`))
/** The id of a task, chosen by the principal: `tsk_` and 32 hex digits. */
export const TaskId = z.string().regex(new RegExp(`^tsk_${hex32}$`))
/** The id of a dispute: `dsp_` and 32 hex digits. */
export const DisputeId = z.string().regex(new RegExp(`^dsp_${hex32}$`))
/** The id of an offer to split a step: `ofr_` and 32 hex digits. */
export const SettlementOfferId = z.string().regex(new RegExp(`^ofr_${hex32}$`))
/** The digest of a channel's config. It is also the channel's nonce and its id on chain. */
export const ChannelId = z.string().regex(/^0x[0-9a-f]{64}$/)
/** The id of a paid call: `cal_` and 32 hex digits. */
export const CallId = z.string().regex(new RegExp(`^cal_${hex32}$`))
/** The id of a rule: `rul_` and 32 hex digits. */
export const RuleId = z.string().regex(new RegExp(`^rul_${hex32}$`))
/** The id of a rating: `fbk_` and 32 hex digits. */
export const FeedbackId = z.string().regex(new RegExp(`^fbk_${hex32}$`))
/** A UUIDv7 in lower case, chosen by the sender. Repeating it repeats the message, but not its effect. */
export const EnvelopeId = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

export type AgentId = `agt_${string}`
export type GoalId = `gol_${string}`
export type RoomId = `rom_${string}` | `inb_${string}`
export type TaskId = `tsk_${string}`
export type DisputeId = `dsp_${string}`
export type SettlementOfferId = `ofr_${string}`
export type ChannelId = `0x${string}`
export type CallId = `cal_${string}`
export type RuleId = `rul_${string}`
export type FeedbackId = `fbk_${string}`
/** The time in a UUIDv7, Unix milliseconds. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}
