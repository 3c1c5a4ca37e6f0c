-- The whole schema of the database. Later migrations build on it.
-- Prisma's models state tables, columns and plain indexes. This file also has what a model cannot state: check constraints, partial
-- indexes, functions, triggers and the partitions of the message log.

-- Extensions ----------------------------------------------------------------------------------------------------------

CREATE SCHEMA IF NOT EXISTS "public";
-- Trigram indexes for the search of listings.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Enum types ----------------------------------------------------------------------------------------------------------

-- Card rail.
CREATE TYPE "CardDispute" AS ENUM ('open', 'won', 'lost');
CREATE TYPE "CardPaymentKind" AS ENUM ('checkout', 'transfer', 'refund', 'reversal');
CREATE TYPE "CardPaymentState" AS ENUM ('intent', 'prepared', 'submitted', 'seen', 'final', 'posted', 'failed_retryable', 'failed_final');
CREATE TYPE "PayoutAccountState" AS ENUM ('opening', 'incomplete', 'ready');

-- Payment channels and calls.
CREATE TYPE "ChannelState" AS ENUM ('opening', 'open', 'closing', 'closed', 'failed');
CREATE TYPE "CallState" AS ENUM ('requested', 'answered', 'declined', 'expired');

-- Rooms.
CREATE TYPE "ConversationState" AS ENUM ('discussion', 'task_assignment', 'execution', 'conclusion');
CREATE TYPE "MemberRole" AS ENUM ('client', 'principal', 'member');

-- Message log, cursors, outbox and idempotency keys.
CREATE TYPE "RoomKind" AS ENUM ('room', 'inbox');
CREATE TYPE "PartitionState" AS ENUM ('attached', 'detached', 'archived');

-- Disputes, split offers and credit withdrawals.
CREATE TYPE "DisputeState" AS ENUM ('signed', 'open', 'ruling', 'ruled', 'agreed', 'lapsed', 'refused');
CREATE TYPE "SettlementOfferState" AS ENUM ('made', 'accepting', 'accepted', 'lapsed');
CREATE TYPE "Party" AS ENUM ('client', 'payee');
CREATE TYPE "WithdrawalState" AS ENUM ('signed', 'done', 'refused');

-- Goals.
CREATE TYPE "GoalState" AS ENUM ('funding', 'open', 'underway', 'review', 'settling', 'paid', 'refunded', 'canceled');
CREATE TYPE "Visibility" AS ENUM ('public', 'private');
CREATE TYPE "Planner" AS ENUM ('deterministic', 'model', 'hybrid', 'copilot');

-- Step outcomes and feedback.
CREATE TYPE "StepOutcomeKind" AS ENUM ('paid', 'refunded', 'failed', 'expired');

-- Holds, payouts, chain and ledger.
CREATE TYPE "HoldState" AS ENUM ('authorizing', 'authorized', 'capturing', 'captured', 'voiding', 'voided', 'reclaimed', 'refunding', 'refunded', 'failed');
CREATE TYPE "Rail" AS ENUM ('escrow', 'stripe');
CREATE TYPE "PayoutState" AS ENUM ('sealed', 'paying', 'paid', 'credited', 'refunded', 'replaced', 'disputed', 'split');
CREATE TYPE "TransferState" AS ENUM ('intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged', 'final', 'posted', 'replaced', 'failed_retryable', 'failed_final');
CREATE TYPE "DeadLetterState" AS ENUM ('open', 'booked', 'removed');

-- Tasks and artifacts.
CREATE TYPE "TaskState" AS ENUM ('submitted', 'working', 'input_required', 'auth_required', 'completed', 'failed', 'canceled', 'rejected');
CREATE TYPE "Acceptance" AS ENUM ('pending', 'accepted', 'returned');

-- Teams, charters and steps.
CREATE TYPE "TeamState" AS ENUM ('forming', 'sealed', 'disbanded');
CREATE TYPE "MemberAnswer" AS ENUM ('invited', 'accepted', 'declined');
CREATE TYPE "CharterDraftState" AS ENUM ('submitted', 'confirmed', 'refused');
CREATE TYPE "StepState" AS ENUM ('planned', 'assigned', 'done', 'paid', 'refunded');
CREATE TYPE "TaskMode" AS ENUM ('sync', 'async');

-- Sequences -----------------------------------------------------------------------------------------------------------

-- The revision of a local listing. Peers read the changes after a revision.
CREATE SEQUENCE "registry_revision";

-- Tables --------------------------------------------------------------------------------------------------------------
-- The columns have the order of the models in prisma/models.

-- Audit log.
CREATE TABLE "audit_entry" (
  "id" TEXT NOT NULL,
  "chain" TEXT NOT NULL,
  "n" INTEGER NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "actor" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "before" JSONB,
  "after" JSONB,
  "previous" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- Card rail.
CREATE TABLE "card_hold" (
  "goalId" TEXT NOT NULL,
  "rail" "Rail" NOT NULL DEFAULT 'stripe',
  "paymentIntent" TEXT,
  "charge" TEXT,
  "disputeId" TEXT,
  "dispute" "CardDispute",
  "disputedAt" TIMESTAMPTZ(3),
  "processingFeeCents" BIGINT NOT NULL DEFAULT 0,
  "evidenceDueBy" TIMESTAMPTZ(3),
  "evidenceSubmittedAt" TIMESTAMPTZ(3),
  CONSTRAINT "card_hold_pkey" PRIMARY KEY ("goalId")
);

CREATE TABLE "card_payment" (
  "id" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "kind" "CardPaymentKind" NOT NULL,
  "goalId" TEXT NOT NULL,
  "cents" BIGINT NOT NULL,
  "ownerId" TEXT,
  "subject" TEXT,
  "state" "CardPaymentState" NOT NULL,
  "attempt" INTEGER NOT NULL DEFAULT 0,
  "idempotencyKey" TEXT,
  "call" JSONB,
  "preparedAt" TIMESTAMPTZ(3),
  "retryAt" TIMESTAMPTZ(3),
  "objectId" TEXT,
  "url" TEXT,
  "failure" TEXT,
  "paidIntent" TEXT,
  "paidCharge" TEXT,
  "paidFeeCents" BIGINT,
  "claimBy" TIMESTAMPTZ(3),
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "updatedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "card_payment_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "payout_account" (
  "ownerId" TEXT NOT NULL,
  "state" "PayoutAccountState" NOT NULL,
  "accountId" TEXT,
  "idempotencyKey" TEXT NOT NULL,
  "openedAt" TIMESTAMPTZ(3) NOT NULL,
  "signedUntil" TIMESTAMPTZ(3),
  "requirements" TEXT[],
  "updatedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "payout_account_pkey" PRIMARY KEY ("ownerId")
);

CREATE TABLE "stripe_event" (
  "id" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "account" TEXT NOT NULL DEFAULT '',
  "objectId" TEXT NOT NULL DEFAULT '',
  "body" JSONB NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "receivedAt" TIMESTAMPTZ(3) NOT NULL,
  "handledAt" TIMESTAMPTZ(3),
  CONSTRAINT "stripe_event_pkey" PRIMARY KEY ("id")
);

-- Payment channels and calls.
CREATE TABLE "channel" (
  "id" TEXT NOT NULL,
  "state" "ChannelState" NOT NULL,
  "asset" TEXT NOT NULL,
  "chainId" INTEGER NOT NULL,
  "contract" TEXT NOT NULL,
  "clientId" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "openerId" TEXT,
  "payer" TEXT NOT NULL,
  "authorizer" TEXT NOT NULL,
  "receiver" TEXT NOT NULL,
  "settler" TEXT NOT NULL,
  "token" TEXT NOT NULL,
  "withdrawDelay" INTEGER NOT NULL,
  "salt" TEXT NOT NULL,
  "deposit" BIGINT NOT NULL,
  "authorization" JSONB,
  "topUp" JSONB,
  "earned" BIGINT NOT NULL DEFAULT 0,
  "voucher" TEXT,
  "pendingAmount" BIGINT,
  "pendingVoucher" TEXT,
  "claimed" BIGINT NOT NULL DEFAULT 0,
  "claimRequested" BIGINT NOT NULL DEFAULT 0,
  "withdrawableAt" INTEGER,
  "refunded" BIGINT,
  "failure" TEXT,
  "attempts" INTEGER NOT NULL DEFAULT 60,
  "openedTx" TEXT,
  "closedTx" TEXT,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "updatedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "channel_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "call" (
  "id" TEXT NOT NULL,
  "channelId" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "clientId" TEXT NOT NULL,
  "callerId" TEXT,
  "state" "CallState" NOT NULL,
  "skillId" TEXT NOT NULL,
  "price" BIGINT NOT NULL,
  "digest" TEXT NOT NULL,
  "inputs" JSONB NOT NULL,
  "attachments" JSONB NOT NULL,
  "artifacts" JSONB NOT NULL DEFAULT '[]',
  "text" TEXT NOT NULL DEFAULT '',
  "failure" TEXT,
  "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
  "requestedAt" TIMESTAMPTZ(3) NOT NULL,
  "endedAt" TIMESTAMPTZ(3),
  CONSTRAINT "call_pkey" PRIMARY KEY ("id")
);

-- Rooms.
CREATE TABLE "conversation" (
  "roomId" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "state" "ConversationState" NOT NULL DEFAULT 'discussion',
  "nextSpeakers" TEXT[],
  "triggers" TEXT[],
  "openQuestionId" UUID,
  "isPublic" BOOLEAN NOT NULL DEFAULT false,
  "requiresConfirmation" BOOLEAN NOT NULL DEFAULT false,
  "version" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "conversation_pkey" PRIMARY KEY ("roomId")
);

CREATE TABLE "membership" (
  "roomId" TEXT NOT NULL,
  "memberId" TEXT NOT NULL,
  "agentId" TEXT,
  "ownerId" TEXT,
  "role" "MemberRole" NOT NULL,
  "joinedAt" TIMESTAMPTZ(3) NOT NULL,
  "leftAt" TIMESTAMPTZ(3),
  CONSTRAINT "membership_pkey" PRIMARY KEY ("roomId", "memberId")
);

CREATE TABLE "plan_version" (
  "roomId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "authorId" TEXT NOT NULL,
  "seq" INTEGER NOT NULL,
  "text" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "plan_version_pkey" PRIMARY KEY ("roomId", "version")
);

CREATE TABLE "message_budget" (
  "roomId" TEXT NOT NULL,
  "limits" JSONB NOT NULL,
  "spent" JSONB NOT NULL,
  "turn" JSONB,
  "haltReason" TEXT,
  CONSTRAINT "message_budget_pkey" PRIMARY KEY ("roomId")
);

-- Message log, cursors, outbox and idempotency keys.
CREATE TABLE "room" (
  "id" TEXT NOT NULL,
  "kind" "RoomKind" NOT NULL,
  "head" INTEGER NOT NULL DEFAULT 0,
  "hash" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "room_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "message" (
  "roomId" TEXT NOT NULL,
  "seq" INTEGER NOT NULL,
  "id" UUID NOT NULL,
  "senderId" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "taskId" TEXT,
  "body" TEXT NOT NULL,
  "bodyHash" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "receivedAt" TIMESTAMPTZ(3) NOT NULL
) PARTITION BY RANGE ("id");

CREATE TABLE "message_partition" (
  "name" TEXT NOT NULL,
  "from" UUID NOT NULL,
  "upTo" UUID NOT NULL,
  "state" "PartitionState" NOT NULL DEFAULT 'attached',
  "messages" INTEGER,
  "bytes" BIGINT,
  "sha256" TEXT,
  "archivedAt" TIMESTAMPTZ(3),
  CONSTRAINT "message_partition_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "archived_range" (
  "roomId" TEXT NOT NULL,
  "partition" TEXT NOT NULL,
  "first" INTEGER NOT NULL,
  "last" INTEGER NOT NULL,
  "messages" INTEGER NOT NULL,
  CONSTRAINT "archived_range_pkey" PRIMARY KEY ("roomId", "partition")
);

CREATE TABLE "message_dead_letter" (
  "roomId" TEXT NOT NULL,
  "seq" INTEGER NOT NULL,
  "reason" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "placeholder" TEXT NOT NULL,
  "releasedAt" TIMESTAMPTZ(3),
  CONSTRAINT "message_dead_letter_pkey" PRIMARY KEY ("roomId", "seq")
);

CREATE TABLE "erased_message" (
  "roomId" TEXT NOT NULL,
  "seq" INTEGER NOT NULL,
  "id" UUID NOT NULL,
  "placeholder" TEXT NOT NULL,
  "bodyHash" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "isArchiveRedacted" BOOLEAN NOT NULL,
  CONSTRAINT "erased_message_pkey" PRIMARY KEY ("roomId", "seq")
);

CREATE TABLE "cursor" (
  "roomId" TEXT NOT NULL,
  "memberId" TEXT NOT NULL,
  "acked" INTEGER NOT NULL DEFAULT 0,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "cursor_pkey" PRIMARY KEY ("roomId", "memberId")
);

CREATE TABLE "outbox_event" (
  "id" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "body" JSONB NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "handledAt" TIMESTAMPTZ(3),
  CONSTRAINT "outbox_event_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idempotency_key" (
  "actor" TEXT NOT NULL,
  "command" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("actor", "command", "key")
);

-- Disputes, split offers and credit withdrawals.
CREATE TABLE "dispute" (
  "id" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "step" INTEGER NOT NULL,
  "charterVersion" INTEGER NOT NULL,
  "by" TEXT NOT NULL,
  "evidence" TEXT NOT NULL,
  "artifacts" TEXT[],
  "evidenceHash" TEXT NOT NULL,
  "signature" TEXT,
  "state" "DisputeState" NOT NULL,
  "failure" TEXT,
  "notifiedState" "DisputeState",
  "openedTx" TEXT,
  "openedAt" TIMESTAMPTZ(3),
  "payeeBps" INTEGER,
  "reason" TEXT,
  "rulingHash" TEXT,
  "ruledBy" TEXT,
  "closedTx" TEXT,
  "closedAt" TIMESTAMPTZ(3),
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "dispute_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "settlement_offer" (
  "id" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "step" INTEGER NOT NULL,
  "charterVersion" INTEGER NOT NULL,
  "payeeBps" INTEGER NOT NULL,
  "deadline" INTEGER NOT NULL,
  "party" "Party" NOT NULL,
  "signature" TEXT NOT NULL,
  "counterSignature" TEXT,
  "counterSignedAt" TIMESTAMPTZ(3),
  "state" "SettlementOfferState" NOT NULL,
  "failure" TEXT,
  "tx" TEXT,
  "isNotified" BOOLEAN NOT NULL DEFAULT false,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "settlement_offer_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "credit_withdrawal" (
  "id" TEXT NOT NULL,
  "account" TEXT NOT NULL,
  "to" TEXT NOT NULL,
  "deadline" INTEGER NOT NULL,
  "nonce" INTEGER NOT NULL,
  "signature" TEXT NOT NULL,
  "state" "WithdrawalState" NOT NULL,
  "amount" BIGINT,
  "tx" TEXT,
  "failure" TEXT,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "credit_withdrawal_pkey" PRIMARY KEY ("id")
);

-- Peers.
CREATE TABLE "peer" (
  "origin" TEXT NOT NULL,
  "serverDid" TEXT NOT NULL,
  "hubUrl" TEXT NOT NULL,
  "addedBy" TEXT NOT NULL,
  "addedAt" TIMESTAMPTZ(3) NOT NULL,
  "removedAt" TIMESTAMPTZ(3),
  "cursor" BIGINT NOT NULL DEFAULT 0,
  "etag" TEXT,
  "fullSyncAt" TIMESTAMPTZ(3),
  "nextSyncAt" TIMESTAMPTZ(3) NOT NULL,
  "readAt" TIMESTAMPTZ(3),
  "failures" INTEGER NOT NULL DEFAULT 0,
  "problem" TEXT,
  "refused" INTEGER NOT NULL DEFAULT 0,
  "refusal" TEXT,
  CONSTRAINT "peer_pkey" PRIMARY KEY ("origin")
);

CREATE TABLE "foreign_listing" (
  "agentId" TEXT NOT NULL,
  "origin" TEXT NOT NULL,
  "homeAgentId" TEXT NOT NULL,
  "homeHandle" TEXT NOT NULL,
  "serverDid" TEXT NOT NULL,
  "revision" BIGINT NOT NULL,
  "issuedAt" TIMESTAMPTZ(3) NOT NULL,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL,
  "score" JSONB NOT NULL,
  "statement" JSONB NOT NULL,
  CONSTRAINT "foreign_listing_pkey" PRIMARY KEY ("agentId")
);

-- Goals.
CREATE TABLE "goal" (
  "id" TEXT NOT NULL,
  "postId" UUID NOT NULL,
  "state" "GoalState" NOT NULL,
  "clientId" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "criteria" JSONB NOT NULL,
  "budget" BIGINT NOT NULL,
  "asset" TEXT NOT NULL,
  "deadline" TIMESTAMPTZ(3) NOT NULL,
  "reviewHours" INTEGER NOT NULL,
  "visibility" "Visibility" NOT NULL,
  "planner" "Planner" NOT NULL,
  "planners" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "roomId" TEXT NOT NULL,
  "principalId" TEXT,
  "principalAgentId" TEXT,
  "outcome" TEXT,
  "answer" JSONB,
  "conclusionSeq" INTEGER,
  "reviewBy" TIMESTAMPTZ(3),
  "postedAt" TIMESTAMPTZ(3) NOT NULL,
  "openedAt" TIMESTAMPTZ(3),
  "claimedAt" TIMESTAMPTZ(3),
  "concludedAt" TIMESTAMPTZ(3),
  "settledAt" TIMESTAMPTZ(3),
  "followsId" TEXT,
  "version" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "goal_pkey" PRIMARY KEY ("id")
);

-- People, sessions and agent keys.
CREATE TABLE "person" (
  "id" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "chainId" INTEGER NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "login_nonce" (
  "nonce" TEXT NOT NULL,
  "issuedAt" TIMESTAMPTZ(3) NOT NULL,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL,
  "usedAt" TIMESTAMPTZ(3),
  CONSTRAINT "login_nonce_pkey" PRIMARY KEY ("nonce")
);

CREATE TABLE "session" (
  "id" TEXT NOT NULL,
  "tokenHash" TEXT NOT NULL,
  "personId" TEXT NOT NULL,
  "userAgent" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "seenAt" TIMESTAMPTZ(3) NOT NULL,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL,
  "revokedAt" TIMESTAMPTZ(3),
  CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "agent_token" (
  "tokenHash" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "usedAt" TIMESTAMPTZ(3),
  "revokedAt" TIMESTAMPTZ(3),
  CONSTRAINT "agent_token_pkey" PRIMARY KEY ("tokenHash")
);

CREATE TABLE "agent_key" (
  "did" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "boundAt" TIMESTAMPTZ(3) NOT NULL,
  "revokedAt" TIMESTAMPTZ(3),
  "proofNonce" TEXT,
  "proofSignature" TEXT,
  CONSTRAINT "agent_key_pkey" PRIMARY KEY ("did")
);

-- Notes of agents.
CREATE TABLE "memory_note" (
  "agentId" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "about" TEXT,
  "note" JSONB NOT NULL,
  "salt" BYTEA NOT NULL DEFAULT '\x',
  "writtenAt" TIMESTAMPTZ(3) NOT NULL,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "memory_note_pkey" PRIMARY KEY ("agentId", "key")
);

-- Rules of operators.
CREATE TABLE "rule" (
  "id" TEXT NOT NULL,
  "body" JSONB NOT NULL,
  "expiresAt" TIMESTAMPTZ(3),
  "createdBy" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "revokedAt" TIMESTAMPTZ(3),
  CONSTRAINT "rule_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "rule_denial" (
  "ruleId" TEXT NOT NULL,
  "point" TEXT NOT NULL,
  "actor" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "count" INTEGER NOT NULL,
  "firstAt" TIMESTAMPTZ(3) NOT NULL,
  "lastAt" TIMESTAMPTZ(3) NOT NULL,
  "auditedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "rule_denial_pkey" PRIMARY KEY ("ruleId", "point", "actor", "subject")
);

-- Pools of gateway agents.
CREATE TABLE "pool_entry" (
  "agentId" TEXT NOT NULL,
  "resource" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "pool" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "body" JSONB NOT NULL,
  "changedAt" TIMESTAMPTZ(3) NOT NULL,
  "reportedAt" TIMESTAMPTZ(3) NOT NULL,
  "proxyId" TEXT,
  CONSTRAINT "pool_entry_pkey" PRIMARY KEY ("agentId", "resource")
);

-- Listings.
CREATE TABLE "listing" (
  "agentId" TEXT NOT NULL,
  "handle" TEXT NOT NULL,
  "did" TEXT NOT NULL,
  "ownerId" TEXT NOT NULL,
  "inboxId" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "summary" TEXT NOT NULL,
  "readme" TEXT NOT NULL,
  "payout" TEXT NOT NULL,
  "policy" JSONB NOT NULL,
  "searchText" TEXT NOT NULL DEFAULT '',
  "nameSkeleton" TEXT NOT NULL DEFAULT '',
  "version" INTEGER NOT NULL DEFAULT 1,
  "publishedAt" TIMESTAMPTZ(3) NOT NULL,
  "revisedAt" TIMESTAMPTZ(3) NOT NULL,
  "withdrawnAt" TIMESTAMPTZ(3),
  "origin" TEXT,
  "expiresAt" TIMESTAMPTZ(3),
  "revision" BIGINT NOT NULL DEFAULT 0,
  "ownerNonce" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "listing_pkey" PRIMARY KEY ("agentId")
);

CREATE TABLE "listing_skill" (
  "agentId" TEXT NOT NULL,
  "skillId" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "price" BIGINT NOT NULL,
  "inputs" JSONB NOT NULL,
  "outputs" JSONB NOT NULL,
  "inputTypes" TEXT[],
  "outputTypes" TEXT[],
  "tags" TEXT[],
  "samples" JSONB NOT NULL,
  CONSTRAINT "listing_skill_pkey" PRIMARY KEY ("agentId", "skillId")
);

CREATE TABLE "listing_royalty" (
  "agentId" TEXT NOT NULL,
  "upstreamId" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "bps" INTEGER NOT NULL,
  CONSTRAINT "listing_royalty_pkey" PRIMARY KEY ("agentId", "upstreamId")
);

CREATE TABLE "payout_change" (
  "agentId" TEXT NOT NULL,
  "payout" TEXT NOT NULL,
  "royalties" JSONB NOT NULL,
  "signature" TEXT NOT NULL,
  "signedAt" TIMESTAMPTZ(3) NOT NULL,
  "effectiveAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "payout_change_pkey" PRIMARY KEY ("agentId")
);

CREATE TABLE "listing_revision" (
  "agentId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "body" JSONB NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "listing_revision_pkey" PRIMARY KEY ("agentId", "version")
);

CREATE TABLE "presence" (
  "agentId" TEXT NOT NULL,
  "connection" TEXT NOT NULL,
  "connectedAt" TIMESTAMPTZ(3) NOT NULL,
  "seenAt" TIMESTAMPTZ(3) NOT NULL,
  "leftAt" TIMESTAMPTZ(3),
  CONSTRAINT "presence_pkey" PRIMARY KEY ("agentId")
);

-- Step outcomes and feedback.
CREATE TABLE "step_outcome" (
  "taskId" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "payerId" TEXT NOT NULL,
  "outcome" "StepOutcomeKind" NOT NULL,
  "amount" BIGINT NOT NULL,
  "asset" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "step_outcome_pkey" PRIMARY KEY ("taskId")
);

CREATE TABLE "feedback_invite" (
  "taskId" TEXT NOT NULL,
  "by" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "amount" BIGINT NOT NULL,
  "invitedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "feedback_invite_pkey" PRIMARY KEY ("taskId", "by")
);

CREATE TABLE "feedback" (
  "id" TEXT NOT NULL,
  "taskId" TEXT NOT NULL,
  "by" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "value" INTEGER NOT NULL,
  "text" TEXT NOT NULL,
  "amount" BIGINT NOT NULL,
  "givenAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "feedback_pkey" PRIMARY KEY ("id")
);

-- Holds, payouts, chain and ledger.
CREATE TABLE "hold" (
  "goalId" TEXT NOT NULL,
  "rail" "Rail" NOT NULL,
  "state" "HoldState" NOT NULL,
  "asset" TEXT NOT NULL,
  "planId" TEXT,
  "chainId" INTEGER,
  "escrow" TEXT,
  "token" TEXT,
  "client" TEXT NOT NULL,
  "total" BIGINT NOT NULL,
  "feeBps" INTEGER NOT NULL,
  "feeTo" TEXT NOT NULL,
  "evaluator" TEXT NOT NULL,
  "workBy" INTEGER NOT NULL,
  "reviewBy" INTEGER NOT NULL,
  "expiry" INTEGER NOT NULL,
  "briefHash" TEXT NOT NULL,
  "salt" TEXT,
  "arbitrator" TEXT,
  "authorizer" TEXT,
  "vetoSeconds" INTEGER,
  "onSilence" INTEGER,
  "authorization" JSONB,
  "charterVersion" INTEGER NOT NULL DEFAULT 0,
  "charterHash" TEXT,
  "conclusionHash" TEXT,
  "captureBits" BIGINT,
  "disputeBy" INTEGER,
  "failure" TEXT,
  "fundedTx" TEXT,
  "settledTx" TEXT,
  "traceparent" TEXT,
  "version" INTEGER NOT NULL DEFAULT 1,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "updatedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "hold_pkey" PRIMARY KEY ("goalId")
);

CREATE TABLE "hold_charter" (
  "goalId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "charterHash" TEXT NOT NULL,
  "steps" JSONB NOT NULL,
  "memberSignatures" JSONB NOT NULL DEFAULT '[]',
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "hold_charter_pkey" PRIMARY KEY ("goalId", "version")
);

CREATE TABLE "charter_authorization" (
  "goalId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "signer" TEXT NOT NULL,
  "signature" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "charter_authorization_pkey" PRIMARY KEY ("goalId", "version")
);

CREATE TABLE "charter_veto" (
  "goalId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "signer" TEXT NOT NULL,
  "signature" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "charter_veto_pkey" PRIMARY KEY ("goalId", "version")
);

CREATE TABLE "charter_sealing" (
  "goalId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "dueAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "charter_sealing_pkey" PRIMARY KEY ("goalId", "version")
);

CREATE TABLE "batched_settlement" (
  "transactionId" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  CONSTRAINT "batched_settlement_pkey" PRIMARY KEY ("transactionId", "goalId")
);

CREATE TABLE "step_submission" (
  "goalId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "step" INTEGER NOT NULL,
  "outputsHash" TEXT NOT NULL,
  "signer" TEXT NOT NULL,
  "signature" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "step_submission_pkey" PRIMARY KEY ("goalId", "version", "step")
);

CREATE TABLE "payout" (
  "id" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "charterVersion" INTEGER NOT NULL,
  "step" INTEGER NOT NULL,
  "payee" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "taskId" TEXT,
  "amount" BIGINT NOT NULL,
  "rail" "Rail" NOT NULL,
  "state" "PayoutState" NOT NULL,
  "paidAmount" BIGINT,
  "tx" TEXT,
  "paidAt" TIMESTAMPTZ(3),
  CONSTRAINT "payout_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "chain_transaction" (
  "id" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "purpose" TEXT NOT NULL,
  "goalId" TEXT,
  "channelId" TEXT,
  "chainId" INTEGER NOT NULL,
  "sender" TEXT NOT NULL,
  "value" BIGINT NOT NULL DEFAULT 0,
  "intent" JSONB,
  "callTo" TEXT,
  "callData" TEXT,
  "callWei" BIGINT NOT NULL DEFAULT 0,
  "callGas" BIGINT NOT NULL DEFAULT 0,
  "attempt" INTEGER NOT NULL DEFAULT 1,
  "attempts" INTEGER NOT NULL DEFAULT 1,
  "nonce" INTEGER,
  "hash" TEXT,
  "state" "TransferState" NOT NULL,
  "block" INTEGER,
  "blockHash" TEXT,
  "failure" TEXT,
  "traceparent" TEXT,
  "retryAt" TIMESTAMPTZ(3),
  "reopenedAt" TIMESTAMPTZ(3),
  "cancelRequestedAt" TIMESTAMPTZ(3),
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "submittedAt" TIMESTAMPTZ(3),
  "finalAt" TIMESTAMPTZ(3),
  "postedAt" TIMESTAMPTZ(3),
  CONSTRAINT "chain_transaction_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "signed_transaction" (
  "hash" TEXT NOT NULL,
  "transactionId" TEXT NOT NULL,
  "nonce" INTEGER NOT NULL,
  "n" INTEGER NOT NULL,
  "isCancel" BOOLEAN NOT NULL DEFAULT false,
  "raw" TEXT NOT NULL,
  "maxFeePerGas" BIGINT NOT NULL,
  "maxPriorityFeePerGas" BIGINT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "signed_transaction_pkey" PRIMARY KEY ("hash")
);

CREATE TABLE "chain_nonce" (
  "chainId" INTEGER NOT NULL,
  "sender" TEXT NOT NULL,
  "next" INTEGER NOT NULL,
  "balance" TEXT,
  "lowBalanceThreshold" TEXT,
  "balanceAt" TIMESTAMPTZ(3),
  CONSTRAINT "chain_nonce_pkey" PRIMARY KEY ("chainId", "sender")
);

CREATE TABLE "chain_alarm" (
  "chainId" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "facts" JSONB NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "lastAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "chain_alarm_pkey" PRIMARY KEY ("chainId", "kind", "subject")
);

CREATE TABLE "chain_token" (
  "chainId" INTEGER NOT NULL,
  "address" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "version" TEXT,
  "decimals" INTEGER NOT NULL,
  "symbol" TEXT NOT NULL,
  "readAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "chain_token_pkey" PRIMARY KEY ("chainId", "address")
);

CREATE TABLE "chain_cursor" (
  "chainId" INTEGER NOT NULL,
  "genesis" TEXT NOT NULL,
  "escrow" TEXT NOT NULL,
  "block" INTEGER NOT NULL,
  "blockHash" TEXT NOT NULL,
  CONSTRAINT "chain_cursor_pkey" PRIMARY KEY ("chainId")
);

CREATE TABLE "chain_log" (
  "chainId" INTEGER NOT NULL,
  "txHash" TEXT NOT NULL,
  "logIndex" INTEGER NOT NULL,
  "block" INTEGER NOT NULL,
  "blockHash" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "contract" TEXT NOT NULL DEFAULT 'escrow',
  "name" TEXT NOT NULL,
  "planId" TEXT,
  "channelId" TEXT,
  "args" JSONB NOT NULL,
  CONSTRAINT "chain_log_pkey" PRIMARY KEY ("chainId", "txHash", "logIndex")
);

CREATE TABLE "ledger_transfer" (
  "id" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "goalId" TEXT,
  "memo" TEXT NOT NULL,
  "tx" TEXT,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "lines" INTEGER NOT NULL,
  "seq" BIGSERIAL NOT NULL,
  "reversesId" TEXT,
  CONSTRAINT "ledger_transfer_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ledger_entry" (
  "transferId" TEXT NOT NULL,
  "line" INTEGER NOT NULL,
  "account" TEXT NOT NULL,
  "asset" TEXT NOT NULL,
  "debit" BIGINT NOT NULL,
  "credit" BIGINT NOT NULL,
  CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("transferId", "line")
);

CREATE TABLE "reconciliation" (
  "id" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "mode" TEXT NOT NULL,
  "chainId" INTEGER NOT NULL,
  "durationMs" INTEGER NOT NULL,
  "fromBlock" INTEGER NOT NULL,
  "toBlock" INTEGER NOT NULL,
  "balancedBlock" INTEGER NOT NULL,
  "balancedBlockHash" TEXT NOT NULL,
  "matched" INTEGER NOT NULL,
  "isBalanced" BOOLEAN NOT NULL,
  "report" JSONB NOT NULL,
  CONSTRAINT "reconciliation_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "reconciled_transfer" (
  "transferId" TEXT NOT NULL,
  "reconciliationId" TEXT NOT NULL,
  CONSTRAINT "reconciled_transfer_pkey" PRIMARY KEY ("transferId")
);

CREATE TABLE "chain_dead_letter" (
  "id" TEXT NOT NULL,
  "chainId" INTEGER NOT NULL,
  "state" "DeadLetterState" NOT NULL,
  "contract" TEXT NOT NULL,
  "goalId" TEXT,
  "channelId" TEXT,
  "account" TEXT,
  "block" INTEGER NOT NULL,
  "blockHash" TEXT NOT NULL,
  "logIndex" INTEGER NOT NULL,
  "txHash" TEXT NOT NULL,
  "events" JSONB NOT NULL,
  "error" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL DEFAULT 1,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "triedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "chain_dead_letter_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "chain_undo" (
  "id" BIGSERIAL NOT NULL,
  "chainId" INTEGER NOT NULL,
  "block" INTEGER NOT NULL,
  "subject" TEXT NOT NULL,
  "relation" TEXT NOT NULL,
  "keyColumn" TEXT NOT NULL,
  "rowKey" TEXT NOT NULL,
  "before" JSONB,
  CONSTRAINT "chain_undo_pkey" PRIMARY KEY ("id")
);

-- Tasks and artifacts.
CREATE TABLE "task" (
  "id" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "roomId" TEXT NOT NULL,
  "step" INTEGER NOT NULL,
  "epoch" INTEGER NOT NULL,
  "agentId" TEXT NOT NULL,
  "senderId" TEXT NOT NULL,
  "state" "TaskState" NOT NULL,
  "acceptance" "Acceptance",
  "mode" "TaskMode" NOT NULL,
  "description" TEXT NOT NULL,
  "inputs" JSONB NOT NULL,
  "reworks" TEXT,
  "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
  "done" INTEGER,
  "resultText" TEXT,
  "failure" TEXT,
  "assignedAt" TIMESTAMPTZ(3) NOT NULL,
  "endedAt" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "task_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "task_receipt" (
  "taskId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "goalId" TEXT NOT NULL,
  "step" INTEGER NOT NULL,
  "outputsHash" TEXT NOT NULL,
  "receivedAt" INTEGER NOT NULL,
  "signature" TEXT NOT NULL,
  CONSTRAINT "task_receipt_pkey" PRIMARY KEY ("taskId", "version")
);

CREATE TABLE "artifact_blob" (
  "sha256" TEXT NOT NULL,
  "size" INTEGER NOT NULL,
  "bytes" BYTEA NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "artifact_blob_pkey" PRIMARY KEY ("sha256")
);

CREATE TABLE "artifact" (
  "goalId" TEXT NOT NULL,
  "sha256" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "mediaType" TEXT NOT NULL,
  "artifactType" TEXT NOT NULL,
  "size" INTEGER NOT NULL,
  "taskId" TEXT,
  "by" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "isTeamOnly" BOOLEAN NOT NULL DEFAULT true,
  "erasedAt" TIMESTAMPTZ(3),
  CONSTRAINT "artifact_pkey" PRIMARY KEY ("goalId", "sha256", "name")
);

-- Teams, charters and steps.
CREATE TABLE "team" (
  "goalId" TEXT NOT NULL,
  "roomId" TEXT NOT NULL,
  "state" "TeamState" NOT NULL,
  "version" INTEGER NOT NULL,
  "charter" JSONB NOT NULL,
  "charterHash" TEXT NOT NULL,
  "principalId" TEXT NOT NULL,
  "proposedAt" TIMESTAMPTZ(3) NOT NULL,
  "sealedAt" TIMESTAMPTZ(3),
  "recordedAt" TIMESTAMPTZ(3),
  "agreed" BOOLEAN NOT NULL DEFAULT false,
  "inForce" JSONB,
  "rowVersion" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "team_pkey" PRIMARY KEY ("goalId")
);

CREATE TABLE "team_member" (
  "goalId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "agentId" TEXT NOT NULL,
  "did" TEXT NOT NULL,
  "answer" "MemberAnswer" NOT NULL,
  "reason" TEXT,
  "envelopeId" UUID,
  "answeredAt" TIMESTAMPTZ(3),
  CONSTRAINT "team_member_pkey" PRIMARY KEY ("goalId", "version", "agentId")
);

CREATE TABLE "member_signature" (
  "goalId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "payee" TEXT NOT NULL,
  "signer" TEXT NOT NULL,
  "signature" TEXT NOT NULL,
  CONSTRAINT "member_signature_pkey" PRIMARY KEY ("goalId", "version", "payee")
);

CREATE TABLE "charter_draft" (
  "goalId" TEXT NOT NULL,
  "charterHash" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "charter" JSONB NOT NULL,
  "rationale" TEXT NOT NULL,
  "state" "CharterDraftState" NOT NULL,
  "steps" INTEGER[] NOT NULL,
  "refusedStep" INTEGER,
  "reason" TEXT,
  "submittedAt" TIMESTAMPTZ(3) NOT NULL,
  "decidedAt" TIMESTAMPTZ(3),
  "rowVersion" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "charter_draft_pkey" PRIMARY KEY ("goalId", "charterHash")
);

CREATE TABLE "step" (
  "goalId" TEXT NOT NULL,
  "step" INTEGER NOT NULL,
  "title" TEXT NOT NULL,
  "skillId" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "senderId" TEXT NOT NULL,
  "payee" TEXT NOT NULL,
  "amount" BIGINT NOT NULL,
  "mode" "TaskMode" NOT NULL,
  "dependsOn" INTEGER[],
  "inputs" JSONB NOT NULL,
  "outputs" TEXT[],
  "royalties" JSONB NOT NULL DEFAULT '[]',
  "state" "StepState" NOT NULL,
  "taskId" TEXT,
  "parent" INTEGER,
  "roomId" TEXT,
  "recorded" BOOLEAN NOT NULL DEFAULT true,
  "canceled" BOOLEAN NOT NULL DEFAULT false,
  "version" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "step_pkey" PRIMARY KEY ("goalId", "step")
);

CREATE TABLE "sub_team" (
  "roomId" TEXT NOT NULL,
  "goalId" TEXT NOT NULL,
  "parentRoomId" TEXT NOT NULL,
  "taskId" TEXT NOT NULL,
  "step" INTEGER NOT NULL,
  "agentId" TEXT NOT NULL,
  "leadId" TEXT NOT NULL,
  "state" "TeamState" NOT NULL DEFAULT 'forming',
  "version" INTEGER,
  "charter" JSONB,
  "charterHash" TEXT,
  "openedAt" TIMESTAMPTZ(3) NOT NULL,
  "sealedAt" TIMESTAMPTZ(3),
  "recordedAt" TIMESTAMPTZ(3),
  "endedAt" TIMESTAMPTZ(3),
  "outcome" TEXT,
  "rowVersion" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "sub_team_pkey" PRIMARY KEY ("roomId")
);

CREATE TABLE "sub_team_member" (
  "roomId" TEXT NOT NULL,
  "agentId" TEXT NOT NULL,
  "did" TEXT NOT NULL,
  "answer" "MemberAnswer" NOT NULL,
  "reason" TEXT,
  "envelopeId" UUID,
  "signer" TEXT,
  "signature" TEXT,
  CONSTRAINT "sub_team_member_pkey" PRIMARY KEY ("roomId", "agentId")
);

-- Load of hubs.
CREATE TABLE "hub_load" (
  "hub" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "name" TEXT NOT NULL,
  "peerUrl" TEXT,
  "figures" JSONB NOT NULL,
  CONSTRAINT "hub_load_pkey" PRIMARY KEY ("hub", "at")
);

-- Check constraints ---------------------------------------------------------------------------------------------------

-- Goals, tasks and steps.
ALTER TABLE "goal" ADD CONSTRAINT "goal_budget" CHECK ("budget" > 0);
ALTER TABLE "goal" ADD CONSTRAINT "goal_review_has_deadline" CHECK ("state" <> 'review' OR "reviewBy" IS NOT NULL);
ALTER TABLE "task" ADD CONSTRAINT "task_acceptance_after_completion" CHECK ("acceptance" IS NULL OR "state" = 'completed');
ALTER TABLE "step" ADD CONSTRAINT "step_amount" CHECK ("amount" >= 0 AND "step" BETWEEN 1 AND 60);
-- A step of a sub-team names its parent step and its room.
ALTER TABLE "step" ADD CONSTRAINT "step_parent"
  CHECK (("parent" IS NULL) = ("roomId" IS NULL) AND ("parent" IS NULL OR "parent" < "step"));

-- Teams.
ALTER TABLE "team" ADD CONSTRAINT "team_agreed_is_recorded" CHECK (NOT "agreed" OR "recordedAt" IS NOT NULL);
ALTER TABLE "sub_team" ADD CONSTRAINT "sub_team_proposal_complete"
  CHECK (("version" IS NULL) = ("charter" IS NULL) AND ("version" IS NULL) = ("charterHash" IS NULL));
ALTER TABLE "sub_team" ADD CONSTRAINT "sub_team_ended_has_outcome" CHECK (("endedAt" IS NULL) = ("outcome" IS NULL));
ALTER TABLE "charter_draft" ADD CONSTRAINT "charter_draft_refused_has_reason" CHECK (("state" = 'refused') = ("reason" IS NOT NULL));
ALTER TABLE "charter_draft" ADD CONSTRAINT "charter_draft_answered_has_time" CHECK (("state" = 'submitted') = ("decidedAt" IS NULL));

-- Listings and feedback.
ALTER TABLE "listing" ADD CONSTRAINT "listing_foreign_expires" CHECK (("origin" IS NULL) = ("expiresAt" IS NULL));
ALTER TABLE "listing_skill" ADD CONSTRAINT "listing_skill_price" CHECK ("price" >= 0);
ALTER TABLE "listing_royalty" ADD CONSTRAINT "listing_royalty_share" CHECK ("bps" BETWEEN 1 AND 5000);
ALTER TABLE "listing_royalty" ADD CONSTRAINT "listing_royalty_not_self" CHECK ("agentId" <> "upstreamId");
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_value" CHECK ("value" BETWEEN 0 AND 100);

-- The message log.
ALTER TABLE "message" ADD CONSTRAINT "message_seq" CHECK ("seq" > 0);
ALTER TABLE "message_partition" ADD CONSTRAINT "message_partition_range" CHECK ("from" < "upTo");
ALTER TABLE "message_partition" ADD CONSTRAINT "message_partition_archived_has_file" CHECK (
  ("state" = 'archived') = ("messages" IS NOT NULL AND "bytes" IS NOT NULL AND "sha256" IS NOT NULL AND "archivedAt" IS NOT NULL));

-- Holds and payouts.
ALTER TABLE "hold" ADD CONSTRAINT "hold_amounts" CHECK ("total" > 0 AND "feeBps" BETWEEN 0 AND 1000 AND "workBy" <= "expiry");
ALTER TABLE "hold" ADD CONSTRAINT "hold_times_in_order" CHECK ("workBy" <= "reviewBy" AND "reviewBy" <= "expiry");
ALTER TABLE "hold" ADD CONSTRAINT "hold_capture_has_conclusion"
  CHECK ("state" NOT IN ('capturing', 'captured') OR ("conclusionHash" IS NOT NULL AND "captureBits" IS NOT NULL));
-- A hold has the columns of the escrow if and only if the escrow is its rail.
ALTER TABLE "hold" ADD CONSTRAINT "hold_chain_iff_escrow" CHECK (
  num_nonnulls("planId", "chainId", "escrow", "token", "salt", "arbitrator", "onSilence") = CASE "rail" WHEN 'escrow' THEN 7 ELSE 0 END
  AND ("rail" = 'escrow' OR "authorization" IS NULL)
);
ALTER TABLE "hold" ADD CONSTRAINT "hold_dispute_needs_escrow" CHECK ("disputeBy" IS NULL OR "rail" = 'escrow');
ALTER TABLE "hold_charter" ADD CONSTRAINT "hold_charter_version" CHECK ("version" BETWEEN 1 AND 65535);
ALTER TABLE "payout" ADD CONSTRAINT "payout_amount" CHECK ("amount" >= 0 AND "step" > 0);
ALTER TABLE "payout" ADD CONSTRAINT "payout_paid_has_tx"
  CHECK ("state" NOT IN ('paid', 'credited', 'split') OR ("tx" IS NOT NULL AND "paidAt" IS NOT NULL));
-- A split pays a part of the agreed amount.
ALTER TABLE "payout" ADD CONSTRAINT "payout_paid_amount"
  CHECK ("paidAmount" IS NULL OR ("paidAmount" BETWEEN 0 AND "amount" AND "state" IN ('paid', 'credited', 'split', 'refunded')));

-- The card rail. A payment has its idempotency key and its request before the first call to Stripe.
ALTER TABLE "card_hold" ADD CONSTRAINT "card_hold_rail" CHECK ("rail" = 'stripe');
ALTER TABLE "card_hold" ADD CONSTRAINT "card_hold_dispute_complete" CHECK (num_nonnulls("disputeId", "dispute", "disputedAt") IN (0, 3));
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_amount" CHECK ("cents" > 0);
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_sent_has_key" CHECK (
  "state" = 'intent' OR "state" = 'failed_final' OR ("idempotencyKey" IS NOT NULL AND "call" IS NOT NULL AND "preparedAt" IS NOT NULL)
);
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_seen_has_object" CHECK ("state" NOT IN ('seen', 'final', 'posted') OR "objectId" IS NOT NULL);
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_paid_checkout_has_charge" CHECK (
  "kind" <> 'checkout' OR "state" NOT IN ('final', 'posted') OR ("paidIntent" IS NOT NULL AND "paidCharge" IS NOT NULL)
);
ALTER TABLE "payout_account" ADD CONSTRAINT "payout_account_ready_has_id" CHECK ("state" = 'opening' OR "accountId" IS NOT NULL);

-- Disputes, split offers and withdrawals.
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_open_has_tx"
  CHECK ("state" IN ('signed', 'refused') OR ("openedTx" IS NOT NULL AND "openedAt" IS NOT NULL));
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_closed_has_tx" CHECK (
  "state" NOT IN ('ruled', 'agreed', 'lapsed') OR ("closedTx" IS NOT NULL AND "closedAt" IS NOT NULL AND "payeeBps" BETWEEN 0 AND 10000));
ALTER TABLE "settlement_offer" ADD CONSTRAINT "settlement_offer_share" CHECK ("payeeBps" BETWEEN 0 AND 10000);
ALTER TABLE "credit_withdrawal" ADD CONSTRAINT "credit_withdrawal_done_has_tx"
  CHECK ("state" <> 'done' OR ("tx" IS NOT NULL AND "amount" IS NOT NULL));

-- Payment channels. After a reorganization, `earned` can exceed `deposit` until the chain includes the top-up again.
ALTER TABLE "channel" ADD CONSTRAINT "channel_open_has_tx" CHECK ("state" IN ('opening', 'failed') OR "openedTx" IS NOT NULL);
ALTER TABLE "channel" ADD CONSTRAINT "channel_closed_has_tx"
  CHECK ("state" <> 'closed' OR ("closedTx" IS NOT NULL AND "refunded" IS NOT NULL));
ALTER TABLE "channel" ADD CONSTRAINT "channel_amounts"
  CHECK ("earned" >= 0 AND "claimed" >= 0 AND "deposit" >= 0 AND "pendingAmount" >= "earned");
ALTER TABLE "channel" ADD CONSTRAINT "channel_earned_has_voucher" CHECK ("earned" = 0 OR "voucher" IS NOT NULL);
ALTER TABLE "channel" ADD CONSTRAINT "channel_pending_has_voucher" CHECK (("pendingAmount" IS NULL) = ("pendingVoucher" IS NULL));
ALTER TABLE "channel" ADD CONSTRAINT "channel_top_up_needs_open" CHECK ("topUp" IS NULL OR "state" IN ('opening', 'open'));

-- Transactions. A transaction that may have been broadcast has its nonce and its hash.
ALTER TABLE "chain_transaction" ADD CONSTRAINT "chain_transaction_sent_has_nonce" CHECK (
  "state" NOT IN ('prepared', 'submitted', 'seen', 'reorged', 'final', 'posted', 'replaced') OR ("nonce" IS NOT NULL AND "hash" IS NOT NULL));
ALTER TABLE "chain_transaction" ADD CONSTRAINT "chain_transaction_seen_has_block"
  CHECK ("state" NOT IN ('seen', 'final', 'posted') OR ("block" IS NOT NULL AND "blockHash" IS NOT NULL));
ALTER TABLE "chain_transaction" ADD CONSTRAINT "chain_transaction_attempts" CHECK ("attempt" BETWEEN 1 AND "attempts" AND "value" >= 0);

-- The ledger and its reconciliation.
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_one_side" CHECK ("debit" >= 0 AND "credit" >= 0 AND ("debit" > 0) <> ("credit" > 0));
ALTER TABLE "reconciliation" ADD CONSTRAINT "reconciliation_mode" CHECK ("mode" IN ('full', 'incremental'));

-- Indexes -------------------------------------------------------------------------------------------------------------

-- Audit log.
CREATE INDEX "audit_entry_actor_at_idx" ON "audit_entry" ("actor", "at");
CREATE UNIQUE INDEX "audit_entry_chain_n_key" ON "audit_entry" ("chain", "n");

-- Card rail.
CREATE UNIQUE INDEX "card_hold_paymentIntent_key" ON "card_hold" ("paymentIntent");
CREATE UNIQUE INDEX "card_hold_charge_key" ON "card_hold" ("charge");
CREATE UNIQUE INDEX "card_payment_key_key" ON "card_payment" ("key");
CREATE UNIQUE INDEX "card_payment_idempotencyKey_key" ON "card_payment" ("idempotencyKey");
CREATE INDEX "card_payment_goalId_idx" ON "card_payment" ("goalId");
CREATE INDEX "card_payment_ownerId_idx" ON "card_payment" ("ownerId");
CREATE INDEX "card_payment_state_idx" ON "card_payment" ("state");
CREATE UNIQUE INDEX "card_payment_kind_objectId_key" ON "card_payment" ("kind", "objectId");
CREATE UNIQUE INDEX "payout_account_accountId_key" ON "payout_account" ("accountId");
CREATE UNIQUE INDEX "payout_account_idempotencyKey_key" ON "payout_account" ("idempotencyKey");
CREATE INDEX "stripe_event_handledAt_idx" ON "stripe_event" ("handledAt");

-- Payment channels and calls.
CREATE INDEX "channel_state_idx" ON "channel" ("state");
CREATE INDEX "channel_agentId_idx" ON "channel" ("agentId");
CREATE UNIQUE INDEX "channel_clientId_salt_key" ON "channel" ("clientId", "salt");
CREATE INDEX "call_channelId_requestedAt_idx" ON "call" ("channelId", "requestedAt");
CREATE INDEX "call_agentId_requestedAt_idx" ON "call" ("agentId", "requestedAt");

-- Rooms.
CREATE INDEX "conversation_goalId_idx" ON "conversation" ("goalId");
CREATE INDEX "membership_memberId_idx" ON "membership" ("memberId");
CREATE INDEX "membership_ownerId_idx" ON "membership" ("ownerId");

-- Message log, cursors, outbox and idempotency keys.
CREATE UNIQUE INDEX "message_roomId_id_key" ON "message" ("roomId", "id");
CREATE UNIQUE INDEX "message_partition_from_key" ON "message_partition" ("from");
CREATE UNIQUE INDEX "message_partition_upTo_key" ON "message_partition" ("upTo");
CREATE INDEX "message_dead_letter_releasedAt_at_idx" ON "message_dead_letter" ("releasedAt", "at");
CREATE INDEX "erased_message_isArchiveRedacted_id_idx" ON "erased_message" ("isArchiveRedacted", "id");
CREATE INDEX "outbox_event_handledAt_createdAt_idx" ON "outbox_event" ("handledAt", "createdAt");

-- Disputes, split offers and credit withdrawals.
CREATE INDEX "dispute_state_idx" ON "dispute" ("state");
CREATE UNIQUE INDEX "dispute_goalId_step_key" ON "dispute" ("goalId", "step");
CREATE INDEX "settlement_offer_goalId_step_idx" ON "settlement_offer" ("goalId", "step");
CREATE INDEX "settlement_offer_state_idx" ON "settlement_offer" ("state");
CREATE INDEX "credit_withdrawal_account_idx" ON "credit_withdrawal" ("account");
CREATE INDEX "credit_withdrawal_state_idx" ON "credit_withdrawal" ("state");

-- Peers.
CREATE INDEX "peer_nextSyncAt_idx" ON "peer" ("nextSyncAt");
CREATE UNIQUE INDEX "foreign_listing_origin_homeAgentId_key" ON "foreign_listing" ("origin", "homeAgentId");

-- Goals.
CREATE UNIQUE INDEX "goal_roomId_key" ON "goal" ("roomId");
CREATE INDEX "goal_state_postedAt_idx" ON "goal" ("state", "postedAt");
CREATE INDEX "goal_clientId_idx" ON "goal" ("clientId");
CREATE INDEX "goal_followsId_idx" ON "goal" ("followsId");
CREATE UNIQUE INDEX "goal_clientId_postId_key" ON "goal" ("clientId", "postId");

-- People, sessions and agent keys.
CREATE UNIQUE INDEX "session_tokenHash_key" ON "session" ("tokenHash");
CREATE INDEX "session_personId_idx" ON "session" ("personId");
CREATE INDEX "agent_token_agentId_idx" ON "agent_token" ("agentId");
CREATE INDEX "agent_key_agentId_idx" ON "agent_key" ("agentId");

-- Notes of agents.
CREATE INDEX "memory_note_about_idx" ON "memory_note" ("about");
CREATE INDEX "memory_note_expiresAt_idx" ON "memory_note" ("expiresAt");

-- Rules of operators.
CREATE INDEX "rule_revokedAt_idx" ON "rule" ("revokedAt");
CREATE INDEX "rule_denial_lastAt_idx" ON "rule_denial" ("lastAt");

-- Pools of gateway agents.
CREATE UNIQUE INDEX "pool_entry_proxyId_key" ON "pool_entry" ("proxyId");
CREATE INDEX "pool_entry_agentId_state_changedAt_idx" ON "pool_entry" ("agentId", "state", "changedAt");

-- Listings.
CREATE UNIQUE INDEX "listing_handle_key" ON "listing" ("handle");
CREATE UNIQUE INDEX "listing_did_key" ON "listing" ("did");
CREATE UNIQUE INDEX "listing_inboxId_key" ON "listing" ("inboxId");
CREATE INDEX "listing_ownerId_idx" ON "listing" ("ownerId");
CREATE INDEX "listing_revision_idx" ON "listing" ("revision");
CREATE INDEX "listing_nameSkeleton_idx" ON "listing" ("nameSkeleton");
CREATE INDEX "listing_searchText_idx" ON "listing" USING GIN ("searchText" gin_trgm_ops);
CREATE INDEX "listing_skill_outputTypes_idx" ON "listing_skill" USING GIN ("outputTypes");
CREATE INDEX "listing_royalty_upstreamId_idx" ON "listing_royalty" ("upstreamId");

-- Step outcomes and feedback.
CREATE INDEX "step_outcome_agentId_at_idx" ON "step_outcome" ("agentId", "at");
CREATE INDEX "feedback_agentId_givenAt_idx" ON "feedback" ("agentId", "givenAt");
CREATE UNIQUE INDEX "feedback_taskId_by_key" ON "feedback" ("taskId", "by");

-- Holds, payouts, chain and ledger.
CREATE UNIQUE INDEX "hold_planId_key" ON "hold" ("planId");
CREATE INDEX "hold_state_idx" ON "hold" ("state");
CREATE INDEX "charter_sealing_dueAt_idx" ON "charter_sealing" ("dueAt");
CREATE INDEX "batched_settlement_goalId_idx" ON "batched_settlement" ("goalId");
CREATE INDEX "payout_payee_idx" ON "payout" ("payee");
CREATE INDEX "payout_agentId_idx" ON "payout" ("agentId");
CREATE UNIQUE INDEX "payout_goalId_charterVersion_step_key" ON "payout" ("goalId", "charterVersion", "step");
CREATE UNIQUE INDEX "chain_transaction_key_key" ON "chain_transaction" ("key");
CREATE INDEX "chain_transaction_channelId_idx" ON "chain_transaction" ("channelId");
CREATE INDEX "chain_transaction_state_idx" ON "chain_transaction" ("state");
CREATE INDEX "chain_transaction_hash_idx" ON "chain_transaction" ("hash");
CREATE UNIQUE INDEX "chain_transaction_chainId_sender_nonce_key" ON "chain_transaction" ("chainId", "sender", "nonce");
CREATE UNIQUE INDEX "chain_transaction_id_nonce_key" ON "chain_transaction" ("id", "nonce");
CREATE UNIQUE INDEX "signed_transaction_transactionId_n_key" ON "signed_transaction" ("transactionId", "n");
CREATE INDEX "chain_log_planId_idx" ON "chain_log" ("planId");
CREATE INDEX "chain_log_channelId_idx" ON "chain_log" ("channelId");
CREATE INDEX "chain_log_chainId_block_idx" ON "chain_log" ("chainId", "block");
CREATE UNIQUE INDEX "ledger_transfer_key_key" ON "ledger_transfer" ("key");
CREATE UNIQUE INDEX "ledger_transfer_reversesId_key" ON "ledger_transfer" ("reversesId");
CREATE INDEX "ledger_transfer_goalId_idx" ON "ledger_transfer" ("goalId");
CREATE INDEX "ledger_transfer_tx_idx" ON "ledger_transfer" ("tx");
CREATE INDEX "ledger_entry_account_asset_idx" ON "ledger_entry" ("account", "asset");
CREATE INDEX "reconciliation_at_idx" ON "reconciliation" ("at");
CREATE INDEX "chain_dead_letter_chainId_block_idx" ON "chain_dead_letter" ("chainId", "block");
CREATE INDEX "chain_dead_letter_goalId_idx" ON "chain_dead_letter" ("goalId");
CREATE INDEX "chain_dead_letter_channelId_idx" ON "chain_dead_letter" ("channelId");
CREATE INDEX "chain_dead_letter_account_idx" ON "chain_dead_letter" ("account");
CREATE INDEX "chain_dead_letter_state_idx" ON "chain_dead_letter" ("state");
CREATE INDEX "chain_undo_chainId_block_idx" ON "chain_undo" ("chainId", "block");

-- Tasks and artifacts.
CREATE INDEX "task_state_leaseUntil_idx" ON "task" ("state", "leaseUntil");
CREATE INDEX "task_agentId_idx" ON "task" ("agentId");
CREATE UNIQUE INDEX "task_goalId_step_epoch_key" ON "task" ("goalId", "step", "epoch");
CREATE INDEX "artifact_taskId_idx" ON "artifact" ("taskId");

-- Teams, charters and steps.
CREATE UNIQUE INDEX "charter_draft_goalId_number_key" ON "charter_draft" ("goalId", "number");
CREATE UNIQUE INDEX "sub_team_taskId_key" ON "sub_team" ("taskId");
CREATE INDEX "sub_team_goalId_idx" ON "sub_team" ("goalId");
CREATE INDEX "sub_team_goalId_charterHash_idx" ON "sub_team" ("goalId", "charterHash");

-- Load of hubs.
CREATE INDEX "hub_load_at_idx" ON "hub_load" ("at");

-- Partial unique indexes: at most one such row at a time.
-- One active payout of a step, in any version of the charter.
CREATE UNIQUE INDEX "payout_one_active" ON "payout" ("goalId", "step") WHERE "state" <> 'replaced';
-- One agent that holds a task.
CREATE UNIQUE INDEX "task_one_active" ON "task" ("goalId", "step")
  WHERE "state" IN ('submitted', 'working', 'input_required', 'auth_required', 'completed') AND ("acceptance" IS NULL OR "acceptance" <> 'returned');
-- One valid key of an agent.
CREATE UNIQUE INDEX "agent_key_one_active" ON "agent_key" ("agentId") WHERE "revokedAt" IS NULL;
-- One proposal of each party, and one acceptance that waits for the chain.
CREATE UNIQUE INDEX "settlement_offer_one_made" ON "settlement_offer" ("goalId", "step", "party") WHERE "state" = 'made';
CREATE UNIQUE INDEX "settlement_offer_one_accepting" ON "settlement_offer" ("goalId", "step") WHERE "state" = 'accepting';
-- One withdrawal of an account that waits for the chain.
CREATE UNIQUE INDEX "credit_withdrawal_one_signed" ON "credit_withdrawal" ("account") WHERE "state" = 'signed';
-- One open call in a channel.
CREATE UNIQUE INDEX "call_one_requested" ON "call" ("channelId") WHERE "state" = 'requested';

-- The number of an account's withdrawals is part of the key of the next withdrawal.
CREATE INDEX "chain_log_withdrawals_idx" ON "chain_log" ("chainId", "contract", ("args" ->> 'account')) WHERE "name" = 'CreditWithdrawn';
-- Handles that look alike have the same value. `handleLooks` in server/registry/require-room.ts computes the same expression.
CREATE INDEX "listing_handle_looks_idx" ON "listing" ((replace(translate(replace("handle", '-', ''), 'i01', 'lol'), 'm', 'rn')));

-- Foreign keys --------------------------------------------------------------------------------------------------------
-- They follow the indexes, because some refer to a unique index.

-- Card rail.
ALTER TABLE "card_hold" ADD CONSTRAINT "card_hold_goalId_fkey"
  FOREIGN KEY ("goalId") REFERENCES "hold" ("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_goalId_fkey"
  FOREIGN KEY ("goalId") REFERENCES "card_hold" ("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Payment channels and calls.
ALTER TABLE "call" ADD CONSTRAINT "call_channelId_fkey"
  FOREIGN KEY ("channelId") REFERENCES "channel" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Message log, cursors, outbox and idempotency keys.
ALTER TABLE "archived_range" ADD CONSTRAINT "archived_range_partition_fkey"
  FOREIGN KEY ("partition") REFERENCES "message_partition" ("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Peers.
ALTER TABLE "foreign_listing" ADD CONSTRAINT "foreign_listing_agentId_fkey"
  FOREIGN KEY ("agentId") REFERENCES "listing" ("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "foreign_listing" ADD CONSTRAINT "foreign_listing_origin_fkey"
  FOREIGN KEY ("origin") REFERENCES "peer" ("origin") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Goals.
ALTER TABLE "goal" ADD CONSTRAINT "goal_followsId_fkey"
  FOREIGN KEY ("followsId") REFERENCES "goal" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- People, sessions and agent keys.
ALTER TABLE "session" ADD CONSTRAINT "session_personId_fkey"
  FOREIGN KEY ("personId") REFERENCES "person" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules of operators.
ALTER TABLE "rule_denial" ADD CONSTRAINT "rule_denial_ruleId_fkey"
  FOREIGN KEY ("ruleId") REFERENCES "rule" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Pools of gateway agents.
ALTER TABLE "pool_entry" ADD CONSTRAINT "pool_entry_agentId_fkey"
  FOREIGN KEY ("agentId") REFERENCES "listing" ("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "pool_entry" ADD CONSTRAINT "pool_entry_proxyId_fkey"
  FOREIGN KEY ("proxyId") REFERENCES "listing" ("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Listings.
ALTER TABLE "listing_skill" ADD CONSTRAINT "listing_skill_agentId_fkey"
  FOREIGN KEY ("agentId") REFERENCES "listing" ("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "listing_royalty" ADD CONSTRAINT "listing_royalty_agentId_fkey"
  FOREIGN KEY ("agentId") REFERENCES "listing" ("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "listing_royalty" ADD CONSTRAINT "listing_royalty_upstreamId_fkey"
  FOREIGN KEY ("upstreamId") REFERENCES "listing" ("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout_change" ADD CONSTRAINT "payout_change_agentId_fkey"
  FOREIGN KEY ("agentId") REFERENCES "listing" ("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step outcomes and feedback.
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_taskId_by_fkey"
  FOREIGN KEY ("taskId", "by") REFERENCES "feedback_invite" ("taskId", "by") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Holds, payouts, chain and ledger.
ALTER TABLE "hold_charter" ADD CONSTRAINT "hold_charter_goalId_fkey"
  FOREIGN KEY ("goalId") REFERENCES "hold" ("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payout" ADD CONSTRAINT "payout_goalId_fkey"
  FOREIGN KEY ("goalId") REFERENCES "hold" ("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "signed_transaction" ADD CONSTRAINT "signed_transaction_transactionId_nonce_fkey"
  FOREIGN KEY ("transactionId", "nonce") REFERENCES "chain_transaction" ("id", "nonce") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_reversesId_fkey"
  FOREIGN KEY ("reversesId") REFERENCES "ledger_transfer" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_transferId_fkey"
  FOREIGN KEY ("transferId") REFERENCES "ledger_transfer" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciled_transfer" ADD CONSTRAINT "reconciled_transfer_transferId_fkey"
  FOREIGN KEY ("transferId") REFERENCES "ledger_transfer" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciled_transfer" ADD CONSTRAINT "reconciled_transfer_reconciliationId_fkey"
  FOREIGN KEY ("reconciliationId") REFERENCES "reconciliation" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Teams, charters and steps.
ALTER TABLE "team_member" ADD CONSTRAINT "team_member_goalId_fkey"
  FOREIGN KEY ("goalId") REFERENCES "team" ("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "sub_team_member" ADD CONSTRAINT "sub_team_member_roomId_fkey"
  FOREIGN KEY ("roomId") REFERENCES "sub_team" ("roomId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A payout and a card hold have the rail of their hold. The referenced unique index is not in the models.
CREATE UNIQUE INDEX "hold_goalId_rail_key" ON "hold" ("goalId", "rail");
ALTER TABLE "payout" ADD CONSTRAINT "payout_goalId_rail_fkey" FOREIGN KEY ("goalId", "rail") REFERENCES "hold" ("goalId", "rail");
ALTER TABLE "card_hold" ADD CONSTRAINT "card_hold_goalId_rail_fkey" FOREIGN KEY ("goalId", "rail") REFERENCES "hold" ("goalId", "rail");

-- References without a relation in the models.
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_goalId_fkey" FOREIGN KEY ("goalId") REFERENCES "hold" ("goalId");
ALTER TABLE "settlement_offer" ADD CONSTRAINT "settlement_offer_goalId_fkey" FOREIGN KEY ("goalId") REFERENCES "hold" ("goalId");
ALTER TABLE "charter_authorization" ADD CONSTRAINT "charter_authorization_goalId_version_fkey"
  FOREIGN KEY ("goalId", "version") REFERENCES "hold_charter" ("goalId", "version");
ALTER TABLE "charter_sealing" ADD CONSTRAINT "charter_sealing_goalId_version_fkey"
  FOREIGN KEY ("goalId", "version") REFERENCES "hold_charter" ("goalId", "version");
ALTER TABLE "batched_settlement" ADD CONSTRAINT "batched_settlement_transactionId_fkey"
  FOREIGN KEY ("transactionId") REFERENCES "chain_transaction" ("id");

-- Functions -----------------------------------------------------------------------------------------------------------

-- For append-only tables.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

-- Aborts a transaction whose optimistic condition is false. Messages are written without a query before.
CREATE FUNCTION "expect"("holds" boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF "holds" IS NOT TRUE THEN
    RAISE EXCEPTION 'the condition of the write is false' USING ERRCODE = 'P0412';
  END IF;
END $$;

-- Returns the last audit row of a subject, after concurrent writers of the subject have committed. It is a function because each
-- statement in it has a new snapshot. A single statement would read with the snapshot from before the wait.
CREATE FUNCTION "last_audit_entry"("subject" text) RETURNS TABLE ("n" int, "hash" text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || "subject", 0));
  RETURN QUERY SELECT a."n", a."hash" FROM "audit_entry" a WHERE a."chain" = "subject" ORDER BY a."n" DESC LIMIT 1;
END $$;

-- Each change of a local listing takes the next revision. Under the lock, revisions commit in order, so a reader of the changes after
-- a revision misses none.
CREATE FUNCTION "assign_listing_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."origin" IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('registry', 0));
    NEW."revision" := nextval('registry_revision');
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION "refuse_origin_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."origin" IS DISTINCT FROM OLD."origin" THEN
    RAISE EXCEPTION 'a listing keeps its origin';
  END IF;
  RETURN NEW;
END $$;

-- The only allowed change of a message is its erasure: the recorded placeholder replaces the body.
CREATE FUNCTION "refuse_message_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - '{body,bodyHash}'::text[] = to_jsonb(OLD) - '{body,bodyHash}'::text[] AND EXISTS (
    SELECT 1 FROM "erased_message" e WHERE e."roomId" = OLD."roomId" AND e."seq" = OLD."seq" AND e."id" = OLD."id"
      AND e."placeholder" = NEW."body" AND e."bodyHash" = NEW."bodyHash") THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

-- The lowest message id of a time: ids begin with their time in ms (UUIDv7).
CREATE FUNCTION "first_id_at"("at" timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM "at") * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Creates the partition of the month after the last one, and returns the beginning of the following month. Messages of that month
-- move from the default partition to the new one.
CREATE FUNCTION "create_message_partition"() RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  "low" uuid;
  "begin" timestamptz;
  "end" timestamptz;
  "name" text;
BEGIN
  LOCK TABLE "message_partition" IN SHARE ROW EXCLUSIVE MODE;
  SELECT max("upTo"::text)::uuid INTO "low" FROM "message_partition";
  "begin" := to_timestamp((('x' || left(replace("low"::text, '-', ''), 12))::bit(48)::bigint) / 1000.0);
  "end" := date_trunc('month', "begin", 'UTC') + interval '1 month';
  "name" := 'message_' || to_char("begin" AT TIME ZONE 'UTC', 'YYYY_MM');
  LOCK TABLE "message_rest" IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('CREATE TABLE %I (LIKE "message" INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)', "name");
  EXECUTE format('CREATE UNIQUE INDEX %I ON %I ("roomId", "seq")', "name" || '_seq_key', "name");
  ALTER TABLE "message_rest" DISABLE TRIGGER "message_append_only";
  EXECUTE format('WITH early AS (DELETE FROM "message_rest" WHERE "id" >= %L AND "id" < %L RETURNING *) INSERT INTO %I SELECT * FROM early',
    "low", "first_id_at"("end"), "name");
  ALTER TABLE "message_rest" ENABLE TRIGGER "message_append_only";
  EXECUTE format('ALTER TABLE "message" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "name", "low", "first_id_at"("end"));
  INSERT INTO "message_partition" ("name", "from", "upTo") VALUES ("name", "low", "first_id_at"("end"));
  RETURN "end";
END $$;

-- Detaches the oldest partition. Its rows remain and cannot change, and the default partition refuses its ids.
CREATE FUNCTION "detach_message_partition"("name" text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "high" uuid;
BEGIN
  LOCK TABLE "message_partition" IN SHARE ROW EXCLUSIVE MODE;
  SELECT p."upTo" INTO "high" FROM "message_partition" p WHERE p."name" = "detach_message_partition"."name" AND p."state" = 'attached'
    AND p."from" = (SELECT min(o."from"::text)::uuid FROM "message_partition" o WHERE o."state" = 'attached');
  IF "high" IS NULL THEN
    RAISE EXCEPTION '% is not the oldest attached partition', "name";
  END IF;
  EXECUTE format('ALTER TABLE "message" DETACH PARTITION %I', "name");
  EXECUTE format('CREATE TRIGGER "message_detached" BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION "refuse_message_change"()', "name");
  ALTER TABLE "message_rest" DROP CONSTRAINT IF EXISTS "message_rest_lower_bound";
  EXECUTE format('ALTER TABLE "message_rest" ADD CONSTRAINT "message_rest_lower_bound" CHECK ("id" >= %L)', "high");
  UPDATE "message_partition" p SET "state" = 'detached' WHERE p."name" = "detach_message_partition"."name";
END $$;

-- Drops a detached partition after the same transaction has recorded its file.
CREATE FUNCTION "drop_archived_partition"("name" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM "message_partition" p WHERE p."name" = "drop_archived_partition"."name" AND p."state" = 'archived') THEN
    RAISE EXCEPTION '% is not archived', "name";
  END IF;
  EXECUTE format('DROP TABLE %I', "name");
END $$;

CREATE FUNCTION "refuse_hold_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."rail" <> OLD."rail" OR NEW."total" <> OLD."total" OR NEW."asset" <> OLD."asset" OR NEW."client" <> OLD."client" THEN
    RAISE EXCEPTION 'a hold keeps its rail, client, asset and total';
  END IF;
  RETURN NEW;
END $$;

-- A settled payout is final, with two exceptions: a card share that waits for a payout account is paid or refunded later, and
-- `undo_chain_change` reverts the state that a removed block caused.
CREATE FUNCTION "refuse_payout_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."rail" <> OLD."rail" OR NEW."amount" <> OLD."amount" OR NEW."payee" <> OLD."payee" OR NEW."step" <> OLD."step" OR NEW."goalId" <> OLD."goalId" THEN
    RAISE EXCEPTION 'a payout keeps its rail, payee, step and amount';
  END IF;
  IF OLD."state" IN ('paid', 'credited', 'split', 'refunded') AND NEW."state" <> OLD."state"
    AND NOT (OLD."rail" = 'stripe' AND OLD."state" = 'credited' AND NEW."state" IN ('paid', 'refunded'))
    AND coalesce(current_setting('parley.undoing', true), '') <> 'on' THEN
    RAISE EXCEPTION 'a settled payout stays settled';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION "refuse_channel_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."receiver" <> OLD."receiver" OR NEW."payer" <> OLD."payer" OR NEW."authorizer" <> OLD."authorizer" OR NEW."agentId" <> OLD."agentId" OR NEW."contract" <> OLD."contract" THEN
    RAISE EXCEPTION 'a channel keeps its parties and its contract';
  END IF;
  IF coalesce(current_setting('parley.undoing', true), '') = 'on' THEN RETURN NEW; END IF;
  IF NEW."earned" < OLD."earned" OR NEW."claimed" < OLD."claimed" THEN
    RAISE EXCEPTION 'the earned and claimed amounts of a channel cannot decrease';
  END IF;
  IF OLD."state" = 'closed' AND NEW."state" <> 'closed' THEN
    RAISE EXCEPTION 'a closed channel stays closed';
  END IF;
  RETURN NEW;
END $$;

-- The request of an idempotency key cannot change. A new attempt has a new key.
CREATE FUNCTION "refuse_card_payment_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."key" <> OLD."key" OR NEW."kind" <> OLD."kind" OR NEW."goalId" <> OLD."goalId" OR NEW."cents" <> OLD."cents"
    OR NEW."ownerId" IS DISTINCT FROM OLD."ownerId" OR NEW."subject" IS DISTINCT FROM OLD."subject" THEN
    RAISE EXCEPTION 'a card payment keeps its kind, goal, amount, owner and subject';
  END IF;
  IF OLD."state" = 'posted' AND NEW."state" <> 'posted' THEN
    RAISE EXCEPTION 'a posted card payment stays posted';
  END IF;
  IF NEW."attempt" = OLD."attempt" AND OLD."idempotencyKey" IS NOT NULL
    AND (NEW."idempotencyKey" IS DISTINCT FROM OLD."idempotencyKey" OR NEW."call" IS DISTINCT FROM OLD."call") THEN
    RAISE EXCEPTION 'the request of an idempotency key cannot change';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION "refuse_stripe_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."id" <> OLD."id" OR NEW."type" <> OLD."type" OR NEW."body" <> OLD."body" THEN
    RAISE EXCEPTION 'the content of a Stripe event cannot change';
  END IF;
  RETURN NEW;
END $$;

-- A transfer balances per asset when its transaction commits.
CREATE FUNCTION "check_transfer_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unbalanced text;
BEGIN
  SELECT "asset" INTO unbalanced FROM "ledger_entry" WHERE "transferId" = NEW."transferId" GROUP BY "asset" HAVING sum("debit") <> sum("credit") LIMIT 1;
  IF unbalanced IS NOT NULL THEN
    RAISE EXCEPTION 'ledger transfer % does not balance in %', NEW."transferId", unbalanced;
  END IF;
  RETURN NULL;
END $$;

-- A transfer has as many entries as it declares, so no entry can be added to an existing transfer.
CREATE FUNCTION "check_transfer_lines"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  transfer text := CASE TG_TABLE_NAME WHEN 'ledger_transfer' THEN to_jsonb(NEW)->>'id' ELSE to_jsonb(NEW)->>'transferId' END;
  expected integer;
  actual integer;
BEGIN
  SELECT "lines" INTO expected FROM "ledger_transfer" WHERE "id" = transfer;
  SELECT count(*) INTO actual FROM "ledger_entry" WHERE "transferId" = transfer;
  IF expected IS DISTINCT FROM actual OR actual < 2 THEN
    RAISE EXCEPTION 'ledger transfer % declares % lines and has %', transfer, expected, actual;
  END IF;
  RETURN NULL;
END $$;

-- An account of held money is never negative. The lock serializes concurrent transfers of one account, so that two of them cannot
-- overdraw it together.
CREATE FUNCTION "check_account_not_negative"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  balance numeric;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('ledger:' || NEW."account" || ':' || NEW."asset", 0));
  SELECT sum("debit") - sum("credit") INTO balance FROM "ledger_entry" WHERE "account" = NEW."account" AND "asset" = NEW."asset";
  IF balance < 0 THEN
    RAISE EXCEPTION 'ledger account % would hold % of %', NEW."account", balance, NEW."asset";
  END IF;
  RETURN NULL;
END $$;

-- While the events of a block are booked, records the former values of the rows that they change.
CREATE FUNCTION "record_undo"() RETURNS trigger AS $$
DECLARE
  booking text := current_setting('parley.booking', true);
  at jsonb;
  changed jsonb;
BEGIN
  IF booking IS NULL OR booking = '' THEN RETURN NULL; END IF;
  at := booking::jsonb;
  IF TG_OP = 'UPDATE' THEN
    SELECT jsonb_object_agg(o.key, o.value) INTO changed FROM jsonb_each(to_jsonb(OLD)) o
      WHERE o.value IS DISTINCT FROM to_jsonb(NEW) -> o.key AND o.key NOT IN ('version', 'updatedAt');
    IF changed IS NULL THEN RETURN NULL; END IF;
  END IF;
  INSERT INTO "chain_undo" ("chainId", "block", "subject", "relation", "keyColumn", "rowKey", "before")
    VALUES ((at ->> 'chainId')::int, (at ->> 'block')::int, at ->> 'subject', TG_TABLE_NAME, TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[0], changed);
  RETURN NULL;
END
$$ LANGUAGE plpgsql;

-- Reverts one recorded change of a block that the chain has removed.
CREATE FUNCTION "undo_chain_change"(change bigint) RETURNS void AS $$
DECLARE
  entry "chain_undo";
  columns text;
BEGIN
  SELECT * INTO entry FROM "chain_undo" WHERE "id" = change;
  PERFORM set_config('parley.undoing', 'on', true);
  IF entry."before" IS NULL THEN
    EXECUTE format('DELETE FROM %I WHERE %I = $1', entry."relation", entry."keyColumn") USING entry."rowKey";
  ELSE
    SELECT string_agg(format('%1$I = r.%1$I', name), ', ') INTO columns FROM jsonb_object_keys(entry."before") name;
    EXECUTE format('UPDATE %1$I t SET %2$s FROM jsonb_populate_record(NULL::%1$I, $1) r WHERE t.%3$I = $2', entry."relation", columns, entry."keyColumn")
      USING entry."before", entry."rowKey";
  END IF;
  PERFORM set_config('parley.undoing', '', true);
  DELETE FROM "chain_undo" WHERE "id" = change;
END
$$ LANGUAGE plpgsql;

-- Triggers ------------------------------------------------------------------------------------------------------------

-- Append-only tables. Rows of `chain_log` can be deleted: a reorganization removes them.
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "message_append_only" BEFORE UPDATE OR DELETE ON "message" FOR EACH ROW EXECUTE FUNCTION "refuse_message_change"();
CREATE TRIGGER "archived_range_append_only" BEFORE UPDATE OR DELETE ON "archived_range" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "feedback_append_only" BEFORE UPDATE OR DELETE ON "feedback" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "task_receipt_append_only" BEFORE UPDATE OR DELETE ON "task_receipt" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "member_signature_append_only" BEFORE UPDATE OR DELETE ON "member_signature" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "hold_charter_append_only" BEFORE UPDATE OR DELETE ON "hold_charter" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "charter_authorization_append_only" BEFORE UPDATE OR DELETE ON "charter_authorization" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "charter_veto_append_only" BEFORE UPDATE OR DELETE ON "charter_veto" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "signed_transaction_append_only" BEFORE UPDATE OR DELETE ON "signed_transaction" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "chain_log_append_only" BEFORE UPDATE ON "chain_log" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_transfer_append_only" BEFORE UPDATE OR DELETE ON "ledger_transfer" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE ON "ledger_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "reconciliation_append_only" BEFORE UPDATE OR DELETE ON "reconciliation" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "reconciled_transfer_append_only" BEFORE UPDATE OR DELETE ON "reconciled_transfer" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
-- TRUNCATE fires no row trigger.
CREATE TRIGGER "ledger_transfer_no_truncate" BEFORE TRUNCATE ON "ledger_transfer" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_entry_no_truncate" BEFORE TRUNCATE ON "ledger_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Tables without deletion. Messages have no foreign key to their group: its check for each message doubled the cost of a write.
CREATE TRIGGER "room_no_delete" BEFORE DELETE ON "room" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "room_id_immutable" BEFORE UPDATE OF "id" ON "room" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "message_partition_no_delete" BEFORE DELETE ON "message_partition" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "message_dead_letter_no_delete" BEFORE DELETE ON "message_dead_letter" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "erased_message_no_delete" BEFORE DELETE ON "erased_message" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "stripe_event_no_delete" BEFORE DELETE ON "stripe_event" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Tables with immutable columns.
CREATE TRIGGER "hold_terms_immutable" BEFORE UPDATE ON "hold" FOR EACH ROW EXECUTE FUNCTION "refuse_hold_change"();
CREATE TRIGGER "payout_terms_immutable" BEFORE UPDATE ON "payout" FOR EACH ROW EXECUTE FUNCTION "refuse_payout_change"();
CREATE TRIGGER "channel_terms_immutable" BEFORE UPDATE ON "channel" FOR EACH ROW EXECUTE FUNCTION "refuse_channel_change"();
CREATE TRIGGER "card_payment_terms_immutable" BEFORE UPDATE ON "card_payment" FOR EACH ROW EXECUTE FUNCTION "refuse_card_payment_change"();
CREATE TRIGGER "stripe_event_immutable" BEFORE UPDATE ON "stripe_event" FOR EACH ROW EXECUTE FUNCTION "refuse_stripe_event_change"();
CREATE TRIGGER "listing_origin_immutable" BEFORE UPDATE ON "listing" FOR EACH ROW EXECUTE FUNCTION "refuse_origin_change"();

-- Revisions of listings.
CREATE TRIGGER "listing_assign_revision" BEFORE INSERT OR UPDATE ON "listing" FOR EACH ROW EXECUTE FUNCTION "assign_listing_revision"();

-- The ledger is checked when a transaction commits.
CREATE CONSTRAINT TRIGGER "ledger_transfer_lines" AFTER INSERT ON "ledger_transfer" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "check_transfer_lines"();
CREATE CONSTRAINT TRIGGER "ledger_entry_lines" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "check_transfer_lines"();
CREATE CONSTRAINT TRIGGER "ledger_entry_balances" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "check_transfer_balance"();
CREATE CONSTRAINT TRIGGER "ledger_entry_not_negative" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW."credit" > 0 AND (NEW."account" LIKE 'escrow:%' OR NEW."account" LIKE 'fees:%' OR NEW."account" LIKE 'credit:%' OR NEW."account" LIKE 'channel:%' OR NEW."account" LIKE 'channel-credit:%'))
  EXECUTE FUNCTION "check_account_not_negative"();

-- Rows that follow the chain's log. The argument is the key column.
CREATE TRIGGER "hold_undo" AFTER INSERT OR UPDATE ON "hold" FOR EACH ROW EXECUTE FUNCTION "record_undo"('goalId');
CREATE TRIGGER "payout_undo" AFTER INSERT OR UPDATE ON "payout" FOR EACH ROW EXECUTE FUNCTION "record_undo"('id');
CREATE TRIGGER "dispute_undo" AFTER INSERT OR UPDATE ON "dispute" FOR EACH ROW EXECUTE FUNCTION "record_undo"('id');
CREATE TRIGGER "settlement_offer_undo" AFTER INSERT OR UPDATE ON "settlement_offer" FOR EACH ROW EXECUTE FUNCTION "record_undo"('id');
CREATE TRIGGER "credit_withdrawal_undo" AFTER INSERT OR UPDATE ON "credit_withdrawal" FOR EACH ROW EXECUTE FUNCTION "record_undo"('id');
CREATE TRIGGER "channel_undo" AFTER INSERT OR UPDATE ON "channel" FOR EACH ROW EXECUTE FUNCTION "record_undo"('id');

-- Partitions of the message log ---------------------------------------------------------------------------------------

-- Messages are partitioned by the month of their id, which begins with the sender's time. One id always belongs to one partition, so a
-- unique index per partition is unique in the whole log. The lock on the group's row makes the numbers of a room unique.

-- PostgreSQL's default compression is slow for long texts. LZ4 is not in every build; without it, bodies are not compressed.
DO $$
BEGIN
  EXECUTE 'ALTER TABLE "message" ALTER COLUMN "body" SET COMPRESSION lz4';
EXCEPTION WHEN feature_not_supported THEN
  EXECUTE 'ALTER TABLE "message" ALTER COLUMN "body" SET STORAGE EXTERNAL';
END $$;

-- The default partition: ids of months that have no partition yet.
CREATE TABLE "message_rest" PARTITION OF "message" DEFAULT;
CREATE UNIQUE INDEX "message_rest_seq_key" ON "message_rest" ("roomId", "seq");

-- The first partition: all ids before the next month.
DO $$
DECLARE
  "next" uuid := "first_id_at"(date_trunc('month', now(), 'UTC') + interval '1 month');
BEGIN
  EXECUTE format('CREATE TABLE "message_start" PARTITION OF "message" FOR VALUES FROM (MINVALUE) TO (%L)', "next");
  INSERT INTO "message_partition" ("name", "from", "upTo") VALUES ('message_start', '00000000-0000-0000-0000-000000000000', "next");
END $$;
ALTER TABLE "message_start" ADD CONSTRAINT "message_start_seq_key" PRIMARY KEY ("roomId", "seq");

-- The two months after it.
SELECT "create_message_partition"();
SELECT "create_message_partition"();
