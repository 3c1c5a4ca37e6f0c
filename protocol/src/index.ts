/** Parley's protocol: the public exports, by name. */

export { Address, WireAddress } from './address.ts'
export {
  CancelPayoutChange,
  ChangePayout,
  keyChangeTypedData,
  OpenPayoutAccount,
  ownerDomain,
  payoutAccountDomain,
  payoutAccountTypedData,
  payoutChangeTypedData,
  payoutDelayHours,
  RotateListingKey,
} from './agent-owner-commands.ts'
export { ApiScope, apiScopePrefix, apiScopes, apiTokenSeconds, IssuedApiToken, RequestApiToken } from './api-token.ts'
export { applyMessageToRoom, setMembers } from './apply-message-to-room.ts'
export { CanonicalError, canonicalBytes, canonicalize, isUnescaped, type Json, parseStrict, sha256 } from './canonical.ts'
export {
  Charter,
  CharterAdviser,
  CharterStep,
  charterHash,
  EscrowPlan,
  StepInput,
  StepRoyalty,
  TaskInput,
} from './charter.ts'
export { ConfirmCharter, RefuseCharter, SubmitCharter } from './charter-approval-commands.ts'
export { charterFaults } from './charter-faults.ts'
export {
  type CharterAuthorizationTypedData,
  type CharterTypedData,
  cardPlan,
  charterAuthorizationTypedData,
  charterBinding,
  charterTypedData,
  charterVetoTypedData,
  escrowCharterOf,
  MemberSignature,
  outputsHash,
  payeesOf,
  type StepSubmissionTypedData,
  stepSubmissionTypedData,
  submissionTypedData,
  TaskReceipt,
} from './charter-typed-data.ts'
export {
  AcceptSettlementOffer,
  AcceptTask,
  AcceptTeam,
  AssignTask,
  AuthorizeHold,
  AuthorizeTeam,
  CancelGoal,
  CheckoutHold,
  ClaimGoal,
  Command,
  type CommandOf,
  type CommandType,
  CompleteTask,
  ConcludeGoal,
  CreateSubTeam,
  commandTypes,
  DeclineTeam,
  DiscoverListings,
  FailTask,
  GetArtifact,
  GiveFeedback,
  MakeSettlementOffer,
  OpenDispute,
  PostGoal,
  PostMessage,
  ProgressTask,
  ProposeTeam,
  PublishListing,
  ReclaimHold,
  RequestRevision,
  ReturnTask,
  ReviseListing,
  RuleDispute,
  SealTeam,
  VetoTeam,
  WithdrawCredit,
  WithdrawListing,
} from './commands.ts'
export {
  ChooseEntry,
  Contest,
  EntryCheck,
  EntryId,
  type EntryState,
  entryStates,
  maxEntriesPerAgent,
  SubmitEntry,
} from './contest.ts'
export { deadLetteredKind, isDeadLetterPlaceholder } from './dead-letter-placeholder.ts'
export {
  AgentDid,
  addressOf,
  Did,
  hasOwnKey,
  isDid,
  KeyDid,
  PersonDid,
  personDid,
  WebDid,
} from './did.ts'
export {
  chainHash,
  type DeliveredEnvelope,
  Envelope,
  type EnvelopeDraft,
  type EnvelopeFault,
  knownExtensions,
  readEnvelope,
  serverFields,
  signEnvelope,
  transcriptStart,
  unknownBytes,
  verifyEnvelope,
  vouchEnvelope,
} from './envelope.ts'
export { escrowPlanId } from './escrow-plan-id.ts'
export {
  attestationTypes,
  batchTypes,
  charterAuthorizationTypes,
  charterTypes,
  charterVetoTypes,
  closeRequestTypes,
  creditWithdrawalTypes,
  disputeTypes,
  type EscrowAttestation,
  type EscrowCharter,
  type EscrowRoyalty,
  type EscrowStep,
  type EscrowTerms,
  escrowDomain,
  halfAttestationTypes,
  offerTypes,
  permit2Address,
  permit2Domain,
  permit2Types,
  receiveWithAuthorizationTypes,
  releaseTypes,
  rulingTypes,
  setSignerTypes,
  stepSubmissionTypes,
  submissionTypes,
  termsTypes,
} from './escrow-types.ts'
export { Event, type EventOf, type EventType, eventTypes } from './events.ts'
export { type Evidence, evidenceHash, type Ruling, rulingHash } from './evidence-and-ruling-hashes.ts'
export { AddPeer, RemovePeer } from './federation-peer-commands.ts'
export { type CardFee, feeOn, formatAmount, parseAmount, payableOf, processingFeeOn } from './fee-and-amount.ts'
export { Feedback, type Judgement, scoreOf } from './feedback.ts'
export { fileNameFault } from './file-name-faults.ts'
export { findFundingMismatch, type PreparedFunding } from './find-funding-mismatch.ts'
export { formatQuoteLines } from './format-quote-lines.ts'
export * from './frame-exports.ts'
export { ExtendDeadline, PauseGoal, ResumeGoal } from './funded-goal-commands.ts'
export * from './gateway-exports.ts'
export {
  Criterion,
  defaultRevisionRounds,
  FollowedGoal,
  GivenValue,
  GivenValues,
  GoalBrief,
  GoalOffer,
  longestGoalDays,
  MessageLimits,
  PlannerMode,
  plannerModes,
  reviewTimeoutOf,
  SilenceOutcome,
  silenceOutcomes,
} from './goal.ts'
export { Handle, Origin, ShownHandle } from './handle-and-origin.ts'
export { helloBytes } from './hello-bytes.ts'
export {
  AgentId,
  CallId,
  ChannelId,
  DisputeId,
  EnvelopeId,
  FeedbackId,
  GoalId,
  RoomId,
  RuleId,
  SettlementOfferId,
  TaskId,
  uuidTime,
} from './id.ts'
export { isReservedKey, type JsonBounds, jsonFault, requestBounds, textFault } from './json-bounds.ts'
export { keyDid, publicKeyOf } from './key-did.ts'
export { limits } from './limits.ts'
export { DiscoverQuery, Listing, ListingDraft, ListingHome, ListingRank, maxRoyaltyBps, Royalty, Score } from './listing.ts'
export { maxGoalText, minGoalText } from './max-goal-text.ts'
export * from './memory-and-erasure-exports.ts'
export { Asset, BaseUnits, type Money, WireMoney } from './money.ts'
export { ArtifactRef, ArtifactUpload, Part, Sha256 } from './part.ts'
export {
  AnswerCall,
  ClaimVoucher,
  CloseChannel,
  DeclineCall,
  GetCall,
  OpenChannel,
  QuoteChannel,
  RequestCall,
  TestSkill,
  TopUpChannel,
} from './payment-channel-commands.ts'
export { type IdPrefix, prefixedId } from './prefixed-id.ts'
export { Problem, ProblemCode, problems } from './problem.ts'
export { findQuoteFault, type QuoteDraft, quoteLifetimeMs, quoteRequestHash, RequestQuote, SignedQuote, signQuote } from './quote.ts'
export {
  maxStatementBytes,
  maxStatementLifeMs,
  type ReadStatement,
  RegistryEntry,
  RegistryPage,
  RegistryStatement,
  readStatement,
  type StatementDraft,
  type StatementFault,
  signStatement,
  statementBytes,
} from './registry-statement.ts'
export {
  advanceRoom,
  awaitedTaskIds,
  type HeldTurn,
  type Room,
  type RoomMove,
  type RoomRefusal,
  type RoomStep,
  type RoomTask,
  roomAt,
  speakerAt,
  startRoom,
  transitionsOfMove,
  turnLeaseMs,
  turnUntil,
} from './room.ts'
export {
  limitReached,
  type MessageCost,
  noRoomLimits,
  nothingSpent,
  type RoomLimits,
  type SpentBudget,
  simhash,
  spendMessage,
} from './room-limits.ts'
export { type RoomMoveType, type RoomState, roomMoveTypes, roomStateLabels, roomStates, roomTable } from './room-moves.ts'
export { maxPlanText, ProposePlan } from './room-plan-commands.ts'
export {
  advanceTree,
  maxRoomDepth,
  type RoomNode,
  type RoomTree,
  roomsAbove,
  type TreeMove,
  type TreeRefusal,
  type TreeStep,
} from './room-tree.ts'
export * from './rule-exports.ts'
export { scalarText } from './scalar-text.ts'
export {
  coversMessage,
  type DelegationParties,
  type DelegationTerms,
  delegationBytes,
  isPlainText,
  maxDelegationSeconds,
  signDelegation,
  verifyDelegation,
} from './sign-and-verify-delegation.ts'
export {
  Base64Url,
  base64urlDecode,
  base64urlEncode,
  Delegation,
  randomSeed,
  Signature,
  type Signer,
  signerFromSeed,
  verifyBytes,
} from './signature.ts'
export { signedBytes } from './signed-bytes.ts'
export { ArtifactType, Skill, SkillPort } from './skill.ts'
export { readSpeechAct, recordingActs, type SpeechAct, speechActs } from './speech-act.ts'
export {
  type Acceptance,
  acceptances,
  type CallState,
  type ChannelState,
  type CharterDraftState,
  type ConversationState,
  callStates,
  callTransitions,
  canFollow,
  channelStates,
  channelTransitions,
  charterDraftStates,
  charterDraftTransitions,
  conversationStates,
  conversationTransitions,
  type DisputeState,
  disputeStates,
  disputeTransitions,
  type GoalState,
  goalStates,
  goalTransitions,
  type HoldState,
  holdStates,
  holdTransitions,
  readConversationState,
  type SettlementOfferState,
  type StepState,
  settlementOfferStates,
  settlementOfferTransitions,
  stepStates,
  stepTransitions,
  type TaskState,
  type TeamState,
  type TransferState,
  taskStates,
  taskTransitions,
  teamStates,
  teamTransitions,
  transferStates,
  transferTransitions,
} from './states-and-transitions.ts'
export { leadOfRoom, roomOfStep, stepsAbove, stepsOfRoom } from './step-rooms.ts'
export { cancelSteps, circleFault, type HiredStep, hireInto, hiringFaults, keepsOwnSteps } from './sub-team.ts'
export { TeamPreferences, teamPreferenceFaults } from './team-preferences.ts'
export {
  DemandId,
  type DemandState,
  demandDays,
  demandStates,
  maxOpenDemands,
  PostDemand,
  WithdrawDemand,
} from './unmet-demand-commands.ts'
export { fileContentFault, uploadBytes, uploadTypes } from './upload-faults.ts'
export { utf8Bytes, utf8Text } from './utf8-bytes.ts'
export { uuidv7 } from './uuidv7.ts'
export { merkleNodeBytes, merkleRootBytes } from './verify-merkle-signature.ts'
export { type BrokenMessage, type Verification, verifyTranscript } from './verify-transcript.ts'
export { removeInvisible, shownName } from './visible-text.ts'
export { type Ballot, Proposal, type Tally, tally, Vote } from './vote.ts'
export {
  type ChannelConfig,
  channelConfigTypes,
  claimBatchTypes,
  closeTypes,
  voucherDomain,
  voucherTypedData,
  voucherTypes,
} from './voucher-typed-data.ts'
export { decodeWireValue, encodeWireValue, type WireValue } from './wire-value.ts'
