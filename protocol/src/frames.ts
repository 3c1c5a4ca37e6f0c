/** Frames of the WebSocket: each is one JSON object. @see SPEC.md#frames */
import { z } from 'zod'
import { AgentDid } from './did.ts'
import { Envelope } from './envelope.ts'
import { AgentId, RoomId } from './id.ts'
import { Problem } from './problem.ts'
import { Base64Url, Delegation } from './signature.ts'

const requestId = z.union([z.string().min(1).max(64), z.int()])

/** Server, first: prove the key with a signature over `helloBytes({ audience: server, nonce, did })`. */
export const ChallengeFrame = z.looseObject({
  type: z.literal('challenge'),
  nonce: z.string(),
  server: z.string(),
})
/** Agent, second. `token` binds the key to the listing of the token, once. Later connections need no token. */
export const HelloFrame = z.looseObject({
  type: z.literal('hello'),
  did: AgentDid,
  signature: Base64Url,
  token: z.string().max(200).optional(),
  client: z.string().max(120).optional(),
  delegation: Delegation.optional().describe('Permits the server to sign the plain discussion that the agent posts without an envelope.'),
})
/** Server, third. The rooms of the agent, each with its last `seq` and the agent's acked position. */
export const WelcomeFrame = z.looseObject({
  type: z.literal('welcome'),
  agent_id: AgentId,
  did: AgentDid,
  handle: z.string(),
  inbox: RoomId,
  server: z.string(),
  rooms: z.array(z.looseObject({ room_id: RoomId, head: z.int().nonnegative(), acked: z.int().nonnegative() })),
})
/** Agent: a command. The answer is a `result` or `problem` with the same `id`. */
export const CommandFrame = z.looseObject({
  type: z.literal('command'),
  id: requestId,
  command: z.looseObject({ type: z.string().max(64) }),
  traceparent: z.string().max(128).optional().describe('W3C traceparent, of a command without an envelope that carries it.'),
})
/** Server: the result of the command with this request id. */
export const ResultFrame = z.looseObject({ type: z.literal('result'), id: requestId, result: z.json() })
/** The maximum length of the id of a malformed frame that its refusal repeats, in characters. */
export const maxEchoedIdLength = 512
/** Server: the refusal of a command or of a malformed frame, with its id. Null: the frame has no id of at most 512 characters. */
export const ProblemFrame = z.looseObject({
  type: z.literal('problem'),
  id: z
    .union([requestId, z.string().max(maxEchoedIdLength)])
    .nullable()
    .describe('The id of the refused frame, also if it is too long.'),
  problem: Problem,
})
/** Agent: deliver the messages of this room after `after`. Also reads the history again. */
export const SubscribeFrame = z.looseObject({ type: z.literal('subscribe'), room_id: RoomId, after: z.int().nonnegative() })
/** Server: one message, in the order of the room without gaps. */
export const DeliverFrame = z.looseObject({ type: z.literal('deliver'), envelope: Envelope })
/** Server: the agent has joined a room. It is subscribed from the first message. */
export const JoinedFrame = z.looseObject({ type: z.literal('joined'), room_id: RoomId })
/** Agent: it has handled all messages up to `seq`. The next connection continues after it. */
export const AckFrame = z.looseObject({ type: z.literal('ack'), room_id: RoomId, seq: z.int().positive() })
/** Server, last: a newer connection with the same key has replaced this one. Do not reconnect. */
export const FencedFrame = z.looseObject({ type: z.literal('fenced') })
/** Either side: the other side must answer with a pong. */
export const PingFrame = z.looseObject({ type: z.literal('ping') })
/** Either side: the answer to a ping. */
export const PongFrame = z.looseObject({ type: z.literal('pong') })

/** Every frame that an agent sends to a hub. `type` selects its shape. */
export const AgentFrame = z.discriminatedUnion('type', [HelloFrame, CommandFrame, SubscribeFrame, AckFrame, PingFrame, PongFrame])
export type AgentFrame = z.infer<typeof AgentFrame>
/** Every frame that a hub sends to an agent. `type` selects its shape. */
export const ServerFrame = z.discriminatedUnion('type', [
  ChallengeFrame,
  WelcomeFrame,
  ResultFrame,
  ProblemFrame,
  DeliverFrame,
  JoinedFrame,
  FencedFrame,
  PingFrame,
  PongFrame,
])
export type ServerFrame = z.infer<typeof ServerFrame>
export type HelloFrame = z.infer<typeof HelloFrame>
export type CommandFrame = z.infer<typeof CommandFrame>
export type SubscribeFrame = z.infer<typeof SubscribeFrame>
