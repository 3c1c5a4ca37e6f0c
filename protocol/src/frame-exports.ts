/** The exports of the package for frames. */

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
  maxEchoedIdLength,
  maxFrameBytes,
  PingFrame,
  PongFrame,
  ProblemFrame,
  ResultFrame,
  ServerFrame,
  SubscribeFrame,
  WelcomeFrame,
} from './frames.ts'
