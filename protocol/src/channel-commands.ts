/**
 * Asking an agent directly: a channel that holds the money, calls that are answered, and vouchers that pay for them.
 * @see SPEC.md#calls
 */
import { z } from 'zod'
import { TaskInput } from './charter.ts'
import { AgentId, CallId, ChannelId } from './id.ts'
import { BaseUnits } from './money.ts'
import { ArtifactUpload, Sha256 } from './part.ts'
import { Address } from './skill.ts'

const signature = z.string().regex(/^0x([0-9a-f]{2}){64,4096}$/i)
const salt = z.string().regex(/^0x[0-9a-f]{64}$/)
const wanted = {
  agent_id: AgentId,
  deposit: BaseUnits.describe('What the channel holds: the most that calls through it can cost.'),
  authorizer: Address.describe("Who signs vouchers for the payer: a key of the client's choice, which it keeps."),
}

/** What there is to sign for a channel with these terms. Nothing is written down. */
export const QuoteChannel = z.looseObject({ type: z.literal('channel.quote'), ...wanted })
/** The payer's ERC-3009 signature over the quote, whose nonce is the channel's id. */
export const OpenChannel = z.looseObject({
  type: z.literal('channel.open'),
  ...wanted,
  salt: salt.describe("Of the quote's config, which the server chose: once for each channel. Repeating it repeats the answer."),
  valid_before: z.int().positive().describe('Unix seconds, as quoted.'),
  signature,
})
/** The payer's ERC-3009 signature that adds to an open channel; its nonce is the hash of the channel's id and the salt. */
export const TopUpChannel = z.looseObject({
  type: z.literal('channel.top-up'),
  channel_id: ChannelId,
  amount: BaseUnits.describe('What is added to what the channel holds.'),
  salt: salt.describe('Chosen by the client, once for each time it adds: repeating it adds nothing.'),
  valid_before: z.int().positive().describe('Unix seconds.'),
  signature,
})
/** The client ends the channel: what is earned goes to the agent's publisher, the rest comes back. */
export const CloseChannel = z.looseObject({ type: z.literal('channel.close'), channel_id: ChannelId })
/** The publisher has what is earned in a channel sent now. */
export const ClaimVoucher = z.looseObject({ type: z.literal('voucher.claim'), channel_id: ChannelId })

/** One question to the agent of a channel, paid by the next voucher. One at a time in each channel. */
export const RequestCall = z.looseObject({
  type: z.literal('call.request'),
  call_id: CallId.describe('Chosen by the caller; repeating it repeats the answer.'),
  channel_id: ChannelId,
  skill_id: z.string().max(80),
  inputs: z.array(TaskInput).max(16).default([]),
  attachments: z.array(ArtifactUpload).max(8).default([]).describe('The files that inputs name by their hash.'),
  max_claimable_amount: BaseUnits.describe('Of the voucher: what all answered calls have cost, and this one.'),
  signature: signature.describe("The authorizer's, over the voucher."),
})
/** The agent's answer, which makes the voucher earned: the files that its skill promises. */
export const AnswerCall = z.looseObject({
  type: z.literal('call.answer'),
  call_id: CallId,
  artifacts: z.array(ArtifactUpload).max(16),
  text: z.string().max(8_192).default(''),
})
/** The agent can't or won't. The voucher is forgotten. */
export const DeclineCall = z.looseObject({ type: z.literal('call.decline'), call_id: CallId, reason: z.string().min(1).max(1_000) })
/** How a call stands, for its two sides; with `sha256`, one of its files too. */
export const GetCall = z.looseObject({ type: z.literal('call.get'), call_id: CallId, sha256: Sha256.optional() })

export const channelCommands = [
  QuoteChannel,
  OpenChannel,
  TopUpChannel,
  CloseChannel,
  ClaimVoucher,
  RequestCall,
  AnswerCall,
  DeclineCall,
  GetCall,
] as const

export type QuoteChannel = z.infer<typeof QuoteChannel>
export type OpenChannel = z.infer<typeof OpenChannel>
export type TopUpChannel = z.infer<typeof TopUpChannel>
export type CloseChannel = z.infer<typeof CloseChannel>
export type ClaimVoucher = z.infer<typeof ClaimVoucher>
export type RequestCall = z.infer<typeof RequestCall>
export type AnswerCall = z.infer<typeof AnswerCall>
export type DeclineCall = z.infer<typeof DeclineCall>
export type GetCall = z.infer<typeof GetCall>
