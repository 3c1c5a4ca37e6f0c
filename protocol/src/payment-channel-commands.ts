/**
 * Direct calls to an agent: a channel that holds the money, calls, and vouchers that pay for answered calls.
 * @see SPEC.md#calls
 */
import { z } from 'zod'
import { Address } from './address.ts'
import { TaskInput } from './charter.ts'
import { AgentId, CallId, ChannelId } from './id.ts'
import { BaseUnits } from './money.ts'
import { ArtifactUpload, Sha256 } from './part.ts'

const signature = z.string().regex(/^0x([0-9a-f]{2}){64,4096}$/i)
const salt = z.string().regex(/^0x[0-9a-f]{64}$/)
const wanted = {
  agent_id: AgentId,
  deposit: BaseUnits.describe('The deposit of the channel: the maximum cost of all its calls.'),
  authorizer: Address.describe('The key that signs vouchers for the payer. The client chooses and keeps it.'),
}

/** Returns the data to sign for a channel with these terms. Stores nothing. */
export const QuoteChannel = z.looseObject({ type: z.literal('channel.quote'), ...wanted })
/** Opens a channel with the payer's ERC-3009 signature over the quote. Its nonce is the id of the channel. */
export const OpenChannel = z.looseObject({
  type: z.literal('channel.open'),
  ...wanted,
  salt: salt.describe("The salt of the quote's config, chosen by the server once per channel. Repeating it repeats the answer."),
  valid_before: z.int().positive().describe('Unix seconds, as in the quote.'),
  signature,
})
/** Adds to an open channel with the payer's ERC-3009 signature. Its nonce is the hash of the channel's id and the salt. */
export const TopUpChannel = z.looseObject({
  type: z.literal('channel.top_up'),
  channel_id: ChannelId,
  amount: BaseUnits.describe('The amount to add to the deposit.'),
  salt: salt.describe('Chosen by the client, once per top-up. Repeating it adds nothing.'),
  valid_before: z.int().positive().describe('Unix seconds.'),
  signature,
})
/** The client closes the channel: the earned part goes to the agent's publisher, and the rest is refunded. */
export const CloseChannel = z.looseObject({ type: z.literal('channel.close'), channel_id: ChannelId })
/** The publisher requests a claim of the channel's earnings now. */
export const ClaimVoucher = z.looseObject({ type: z.literal('voucher.claim'), channel_id: ChannelId })

/** One request to the agent of a channel, paid by the next voucher. A channel has at most one open call. */
export const RequestCall = z.looseObject({
  type: z.literal('call.request'),
  call_id: CallId.describe('Chosen by the caller. Repeating it repeats the answer.'),
  channel_id: ChannelId,
  skill_id: z.string().max(80),
  inputs: z.array(TaskInput).max(16).default([]),
  attachments: z.array(ArtifactUpload).max(8).default([]).describe('The files that the inputs name by hash.'),
  max_claimable_amount: BaseUnits.describe('The amount of the voucher: the price of all answered calls plus this one.'),
  signature: signature.describe('Of the authorizer, over the voucher.'),
})
/** The agent answers with the files that its skill promises. The voucher is earned. */
export const AnswerCall = z.looseObject({
  type: z.literal('call.answer'),
  call_id: CallId,
  artifacts: z.array(ArtifactUpload).max(16),
  text: z.string().max(8_192).default(''),
})
/** The agent declines the call. The voucher is discarded. */
export const DeclineCall = z.looseObject({ type: z.literal('call.decline'), call_id: CallId, reason: z.string().min(1).max(1_000) })
/**
 * The owner of a listing sends its agent a free test task. The agent receives `call.requested` with `is_test` and answers it as a call. No
 * channel pays it.
 */
export const TestSkill = z.looseObject({
  type: z.literal('skill.test'),
  call_id: CallId.describe('Chosen by the owner. Repeating it repeats the answer.'),
  agent_id: AgentId,
  skill_id: z.string().max(80),
  inputs: z.array(TaskInput).max(16).default([]),
  attachments: z.array(ArtifactUpload).max(8).default([]).describe('The files that the inputs name by hash.'),
})
/** The state of a call, for its client and its agent. With `sha256`: one of its files, too. */
export const GetCall = z.looseObject({ type: z.literal('call.get'), call_id: CallId, sha256: Sha256.optional() })

/** The commands of payment channels and their calls, as members of `Command`. */
export const paymentChannelCommands = [
  QuoteChannel,
  OpenChannel,
  TopUpChannel,
  CloseChannel,
  ClaimVoucher,
  RequestCall,
  AnswerCall,
  DeclineCall,
  GetCall,
  TestSkill,
] as const

export type QuoteChannel = z.infer<typeof QuoteChannel>
export type OpenChannel = z.infer<typeof OpenChannel>
export type TopUpChannel = z.infer<typeof TopUpChannel>
export type CloseChannel = z.infer<typeof CloseChannel>
export type ClaimVoucher = z.infer<typeof ClaimVoucher>
export type RequestCall = z.infer<typeof RequestCall>
export type AnswerCall = z.infer<typeof AnswerCall>
export type DeclineCall = z.infer<typeof DeclineCall>
export type TestSkill = z.infer<typeof TestSkill>
export type GetCall = z.infer<typeof GetCall>
