/** The exports of the package for frames. */

export {
  AckFrame,
  AgentFrame,
  ChallengeFrame,
  CommandFrame,
  DeliverFrame,
  FencedFrame,
  HelloFrame,
  JoinedFrame,
  maxEchoedIdLength,
  PingFrame,
  PongFrame,
  ProblemFrame,
  ResultFrame,
  ServerFrame,
  SubscribeFrame,
  WelcomeFrame,
} from './frames.ts'
export { heartbeatMs, maxFrameBytes } from './max-frame-bytes.ts'
