/** The commands of an agent, with their inputs and results. A method is named as its command with the verb first: `task.complete` is `completeTask`. */
import type {
  AcceptTeam,
  AnswerCall,
  ArtifactRef,
  AssignTask,
  ChannelConfig,
  ClaimGoal,
  CloseChannel,
  CommandType,
  CompleteTask,
  ConcludeGoal,
  CreateSubTeam,
  DeclineCall,
  DeclineTeam,
  DiscoverListings,
  EnvelopeDraft,
  EraseArtifact,
  EraseEntry,
  EraseMemory,
  EraseMessage,
  ErasureRequester,
  FailTask,
  GetArtifact,
  GetCall,
  GiveFeedback,
  GoalOffer,
  Listing,
  ListingRank,
  MemoryNote,
  OpenChannel,
  OpenProxy,
  PostMessage,
  ProgressTask,
  ProposePlan,
  ProposeTeam,
  QuoteChannel,
  ReadMemory,
  ReportPool,
  RequestCall,
  Rule,
  SealTeam,
  SubmitCharter,
  SubmitEntry,
  WriteMemory,
} from '@parley/protocol'
import type { z } from 'zod'

/** Fields that a caller may set on the message of a command, for example `next_speakers`, `to` or `triggers`. */
export type MessageOptions = Partial<EnvelopeDraft>

/** The named fields of a wire type, without those that the library sets. */
type Fields<T> = { [K in keyof T as string extends K ? never : K extends 'type' | 'envelope' ? never : K]: T[K] }

/** EIP-712 data for `eth_signTypedData_v4`. Numbers are decimal strings. */
export type TypedData = {
  readonly domain: object
  readonly types: object
  readonly primaryType: string
  readonly message: { readonly [field: string]: unknown }
}

/** By command: its fields, without those that the library sets. */
export type CommandInputs = {
  'listing.discover': Fields<z.input<typeof DiscoverListings>>
  'goal.claim': Fields<z.input<typeof ClaimGoal>>
  'goal.conclude': Fields<z.input<typeof ConcludeGoal>>
  'entry.submit': Fields<z.input<typeof SubmitEntry>>
  'team.propose': Fields<z.input<typeof ProposeTeam>>
  'charter.submit': Fields<z.input<typeof SubmitCharter>>
  'plan.propose': Fields<z.input<typeof ProposePlan>>
  'team.accept': Fields<z.input<typeof AcceptTeam>>
  'team.decline': Fields<z.input<typeof DeclineTeam>>
  'team.seal': Fields<z.input<typeof SealTeam>>
  'sub_team.create': Fields<z.input<typeof CreateSubTeam>>
  'task.assign': Fields<z.input<typeof AssignTask>>
  'task.progress': Fields<z.input<typeof ProgressTask>>
  'task.complete': Fields<z.input<typeof CompleteTask>>
  'task.fail': Fields<z.input<typeof FailTask>>
  'message.post': Fields<z.input<typeof PostMessage>>
  'artifact.get': Fields<z.input<typeof GetArtifact>>
  'feedback.give': Fields<z.input<typeof GiveFeedback>>
  'pool.report': Fields<z.input<typeof ReportPool>>
  'proxy.open': Fields<z.input<typeof OpenProxy>>
  'memory.write': Fields<z.input<typeof WriteMemory>>
  'memory.read': Fields<z.input<typeof ReadMemory>>
  'memory.erase': Fields<z.input<typeof EraseMemory>>
  'message.erase': Fields<z.input<typeof EraseMessage>>
  'artifact.erase': Fields<z.input<typeof EraseArtifact>>
  'entry.erase': Fields<z.input<typeof EraseEntry>>
  'channel.quote': Fields<z.input<typeof QuoteChannel>>
  'channel.open': Fields<z.input<typeof OpenChannel>>
  'channel.close': Fields<z.input<typeof CloseChannel>>
  'call.request': Fields<z.input<typeof RequestCall>>
  'call.answer': Fields<z.input<typeof AnswerCall>>
  'call.decline': Fields<z.input<typeof DeclineCall>>
  'call.get': Fields<z.input<typeof GetCall>>
}
/** The name of a command that an agent may send. */
export type AgentCommandType = keyof CommandInputs & CommandType
/** The fields of the command with this name. */
export type CommandInput<T extends AgentCommandType> = CommandInputs[T]
/** Any command that an agent may send, with its name and fields. */
export type AgentCommand = { [T in AgentCommandType]: { type: T } & CommandInputs[T] }[AgentCommandType]

/** By command: the server's result. Amounts are decimal strings in base units. */
export type CommandResults = {
  'listing.discover': { listings: Listing[]; next: string | null; ranks?: ListingRank[] }
  'goal.claim': { offer: GoalOffer }
  'goal.conclude': Record<string, unknown>
  'entry.submit': { goal_id: string; entry_id: string; state: string }
  'team.propose': { version: number; charter_hash: `0x${string}` }
  'charter.submit': { charter_hash: `0x${string}`; number: number }
  'plan.propose': { version: number; seq: number }
  'team.accept': Record<string, unknown>
  'team.decline': Record<string, unknown>
  'team.seal': Record<string, unknown>
  'sub_team.create': { goal_id: string; room_id: string; step: number }
  'task.assign': { task_id: string; epoch: number }
  'task.progress': Record<string, unknown>
  'task.complete': { task_id: string; artifacts: ArtifactRef[] }
  'task.fail': Record<string, unknown>
  'message.post': { room_id: string; seq: number; id: string }
  'artifact.get': { artifact: ArtifactRef; content: string; erased_at?: string }
  'feedback.give': Record<string, unknown>
  'pool.report': { rules: Rule[] }
  'proxy.open': { agent_id: string; handle: string; token: string }
  'memory.write': { key: string; expires_at: string }
  'memory.read': { notes: MemoryNote[] }
  'memory.erase': { erased: number }
  'message.erase': { room_id: string; seq: number; requester: ErasureRequester }
  'artifact.erase': { room_id: string; sha256: string; requester: ErasureRequester }
  'entry.erase': { goal_id: string; entry_id: string; requester: ErasureRequester }
  'channel.quote': {
    channel_id: string
    config: ChannelConfig
    deposit: string
    typed_data: TypedData
    valid_before: number
    balance: string
  }
  'channel.open': { channel_id: string; state: string }
  'channel.close': { channel_id: string; state: string }
  'call.request': { call_id: string; state: string; lease_until: string }
  'call.answer': { call_id: string; state: string }
  'call.decline': { call_id: string; state: string }
  'call.get': {
    call: { call_id: string; state: string; artifacts: ArtifactRef[]; text: string; reason: string | null }
    file?: { artifact: ArtifactRef; content: string }
  }
}

/** `room_id`: the room of the command, if the session cannot derive it. `message`: fields of the message that the command leaves. */
export type SendOptions = { readonly room_id?: string; readonly message?: MessageOptions }

/** Sends any command. @throws {ProblemError} the server's refusal, or a code `session.*` of this library */
export type SendCommand = <T extends AgentCommandType>(
  command: { type: T } & CommandInputs[T],
  options?: SendOptions,
) => Promise<CommandResults[T]>

/** `room_id`: the room, if the session cannot derive it from the goal or the task. */
type InRoom<T extends AgentCommandType> = CommandInputs[T] & { room_id?: string }

/**
 * One method for each common command. Amounts are decimal strings in base units.
 * Each method throws {ProblemError}: the server's refusal, or a code `session.*` of this library.
 */
export type CommandMethods = {
  /** Searches listings. `next` is the cursor of the next page, null on the last one. */
  discover(query: CommandInputs['listing.discover']['query']): Promise<CommandResults['listing.discover']>
  /** Takes an announced goal as its planner. Repeating it returns the same result. */
  claimGoal(goal_id: string): Promise<CommandResults['goal.claim']>
  /** Proposes a charter to its members. */
  proposeTeam(input: CommandInputs['team.propose'], message?: MessageOptions): Promise<CommandResults['team.propose']>
  /** Submits a charter to the client for approval. */
  submitCharter(input: CommandInputs['charter.submit']): Promise<CommandResults['charter.submit']>
  /** Writes the room's text plan, or replaces version `based_on` of it. @throws {ProblemError} `plan.outdated` if a newer version exists */
  proposePlan(input: CommandInputs['plan.propose'], message?: MessageOptions): Promise<CommandResults['plan.propose']>
  acceptTeam(input: InRoom<'team.accept'>, message?: MessageOptions): Promise<CommandResults['team.accept']>
  declineTeam(input: InRoom<'team.decline'>, message?: MessageOptions): Promise<CommandResults['team.decline']>
  /** Seals the accepted charter on the rail. */
  sealTeam(input: InRoom<'team.seal'>, message?: MessageOptions): Promise<CommandResults['team.seal']>
  assignTask(input: InRoom<'task.assign'>, message?: MessageOptions): Promise<CommandResults['task.assign']>
  /** Reports progress, which renews the task's lease. `done`: percent. */
  progressTask(input: InRoom<'task.progress'>, message?: MessageOptions): Promise<CommandResults['task.progress']>
  completeTask(input: InRoom<'task.complete'>, message?: MessageOptions): Promise<CommandResults['task.complete']>
  failTask(input: InRoom<'task.fail'>, message?: MessageOptions): Promise<CommandResults['task.fail']>
  concludeGoal(input: InRoom<'goal.conclude'>, message?: MessageOptions): Promise<CommandResults['goal.conclude']>
  postMessage(input: CommandInputs['message.post'], message?: MessageOptions): Promise<CommandResults['message.post']>
  /** Rates a settled, paid step. `value`: 0 to 100. */
  giveFeedback(input: CommandInputs['feedback.give']): Promise<CommandResults['feedback.give']>
}

/** The methods of a session: one for each command, all over `send`. */
export function createCommandMethods(send: SendCommand): CommandMethods {
  function sendInRoom<T extends AgentCommandType>(type: T, { room_id, ...input }: InRoom<T>, message?: MessageOptions) {
    // The compiler cannot see that `input` is CommandInputs[T] again after the rest pattern.
    const command = { type, ...input } as unknown as { type: T } & CommandInputs[T]
    return send(command, { ...(room_id && { room_id }), ...(message && { message }) })
  }
  return {
    discover: (query) => send({ type: 'listing.discover', query }),
    claimGoal: (goal_id) => send({ type: 'goal.claim', goal_id }),
    // The lead of a sub-team names its room, because the charter names the goal's room.
    proposeTeam: (input, message) => sendInRoom('team.propose', { ...input, room_id: input.room_id ?? input.charter.room_id }, message),
    submitCharter: (input) => send({ type: 'charter.submit', ...input }),
    proposePlan: (input, message) => send({ type: 'plan.propose', ...input }, { room_id: input.room_id, ...(message && { message }) }),
    acceptTeam: (input, message) => sendInRoom('team.accept', input, message),
    declineTeam: (input, message) => sendInRoom('team.decline', input, message),
    sealTeam: (input, message) => sendInRoom('team.seal', input, message),
    assignTask: (input, message) => sendInRoom('task.assign', input, message),
    progressTask: (input, message) => sendInRoom('task.progress', input, message),
    completeTask: (input, message) => sendInRoom('task.complete', input, message),
    failTask: (input, message) => sendInRoom('task.fail', input, message),
    concludeGoal: (input, message) => sendInRoom('goal.conclude', input, message),
    postMessage: (input, message) => send({ type: 'message.post', ...input }, { room_id: input.room_id, ...(message && { message }) }),
    giveFeedback: (input) => send({ type: 'feedback.give', ...input }),
  }
}
