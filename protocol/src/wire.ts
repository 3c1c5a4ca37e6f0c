/** What goes over a socket: the part of the public list that frames and their packing are. */

export {
  AckFrame,
  AgentFrame,
  ChallengeFrame,
  CommandFrame,
  DeliverFrame,
  FencedFrame,
  HelloFrame,
  heartbeatMs,
  JoinedFrame,
  maxFrameBytes,
  PingFrame,
  PongFrame,
  ProblemFrame,
  ResultFrame,
  SaidFrame,
  ServerFrame,
  SubscribeFrame,
  WelcomeFrame,
  WordsFrame,
} from './frames.ts'
export { pack, type RoomWords } from './pack.ts'
export { maxRoomWord, maxRoomWords, packing } from './packed-tags.ts'
export { packedWords } from './packed-words.ts'
export { unpack } from './unpack.ts'
