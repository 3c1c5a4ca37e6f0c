-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "ConversationState" AS ENUM ('discussion', 'task_assignment', 'execution', 'conclusion');

-- CreateEnum
CREATE TYPE "MemberRole" AS ENUM ('client', 'principal', 'member');

-- CreateEnum
CREATE TYPE "GroupKind" AS ENUM ('room', 'inbox');

-- CreateEnum
CREATE TYPE "GoalState" AS ENUM ('funding', 'open', 'underway', 'review', 'settling', 'paid', 'refunded', 'canceled');

-- CreateEnum
CREATE TYPE "Visibility" AS ENUM ('public', 'private');

-- CreateEnum
CREATE TYPE "Planner" AS ENUM ('deterministic', 'model');

-- CreateEnum
CREATE TYPE "StepOutcomeKind" AS ENUM ('paid', 'refunded', 'failed', 'expired');

-- CreateEnum
CREATE TYPE "HoldState" AS ENUM ('authorizing', 'authorized', 'capturing', 'captured', 'voiding', 'voided', 'reclaimed', 'refunding', 'refunded', 'failed');

-- CreateEnum
CREATE TYPE "Rail" AS ENUM ('escrow', 'stripe');

-- CreateEnum
CREATE TYPE "PayoutState" AS ENUM ('sealed', 'paying', 'paid', 'credited', 'refunded', 'replaced');

-- CreateEnum
CREATE TYPE "TransferState" AS ENUM ('prepared', 'submitted', 'seen', 'final', 'reverted');

-- CreateEnum
CREATE TYPE "TaskState" AS ENUM ('submitted', 'working', 'input_required', 'auth_required', 'completed', 'failed', 'canceled', 'rejected');

-- CreateEnum
CREATE TYPE "Acceptance" AS ENUM ('pending', 'accepted', 'returned');

-- CreateEnum
CREATE TYPE "TeamState" AS ENUM ('forming', 'sealed', 'disbanded');

-- CreateEnum
CREATE TYPE "MemberAnswer" AS ENUM ('invited', 'accepted', 'declined');

-- CreateEnum
CREATE TYPE "StepState" AS ENUM ('planned', 'offered', 'done', 'paid', 'refunded');

-- CreateEnum
CREATE TYPE "TaskMode" AS ENUM ('sync', 'async');

-- CreateTable
CREATE TABLE "audit_row" (
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

    CONSTRAINT "audit_row_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversation" (
    "groupId" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "state" "ConversationState" NOT NULL DEFAULT 'discussion',
    "nextSpeakers" TEXT[],
    "triggers" TEXT[],
    "openQuestionId" UUID,
    "isPublic" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "conversation_pkey" PRIMARY KEY ("groupId")
);

-- CreateTable
CREATE TABLE "membership" (
    "groupId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "agentId" TEXT,
    "ownerId" TEXT,
    "role" "MemberRole" NOT NULL,
    "joinedAt" TIMESTAMPTZ(3) NOT NULL,
    "leftAt" TIMESTAMPTZ(3),

    CONSTRAINT "membership_pkey" PRIMARY KEY ("groupId","memberId")
);

-- CreateTable
CREATE TABLE "group" (
    "id" TEXT NOT NULL,
    "kind" "GroupKind" NOT NULL,
    "head" INTEGER NOT NULL DEFAULT 0,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message" (
    "groupId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "senderId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "taskId" TEXT,
    "body" TEXT NOT NULL,
    "bodyHash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_pkey" PRIMARY KEY ("groupId","seq")
);

-- CreateTable
CREATE TABLE "cursor" (
    "groupId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "acked" INTEGER NOT NULL DEFAULT 0,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cursor_pkey" PRIMARY KEY ("groupId","memberId")
);

-- CreateTable
CREATE TABLE "outbox_event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "handledAt" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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
    "groupId" TEXT NOT NULL,
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
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "goal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "person" (
    "id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "chainId" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_nonce" (
    "nonce" TEXT NOT NULL,
    "issuedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "login_nonce_pkey" PRIMARY KEY ("nonce")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_token" (
    "tokenHash" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "agent_token_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "agent_key" (
    "did" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "boundAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "agent_key_pkey" PRIMARY KEY ("did")
);

-- CreateTable
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
    "version" INTEGER NOT NULL DEFAULT 1,
    "publishedAt" TIMESTAMPTZ(3) NOT NULL,
    "revisedAt" TIMESTAMPTZ(3) NOT NULL,
    "withdrawnAt" TIMESTAMPTZ(3),

    CONSTRAINT "listing_pkey" PRIMARY KEY ("agentId")
);

-- CreateTable
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

    CONSTRAINT "listing_skill_pkey" PRIMARY KEY ("agentId","skillId")
);

-- CreateTable
CREATE TABLE "listing_revision" (
    "agentId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "listing_revision_pkey" PRIMARY KEY ("agentId","version")
);

-- CreateTable
CREATE TABLE "presence" (
    "agentId" TEXT NOT NULL,
    "connection" TEXT NOT NULL,
    "connectedAt" TIMESTAMPTZ(3) NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,
    "leftAt" TIMESTAMPTZ(3),

    CONSTRAINT "presence_pkey" PRIMARY KEY ("agentId")
);

-- CreateTable
CREATE TABLE "step_outcome" (
    "taskId" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "payerId" TEXT NOT NULL,
    "outcome" "StepOutcomeKind" NOT NULL,
    "amount" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "step_outcome_pkey" PRIMARY KEY ("taskId")
);

-- CreateTable
CREATE TABLE "feedback_invite" (
    "taskId" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "invitedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feedback_invite_pkey" PRIMARY KEY ("taskId","by")
);

-- CreateTable
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

-- CreateTable
CREATE TABLE "hold" (
    "goalId" TEXT NOT NULL,
    "rail" "Rail" NOT NULL,
    "state" "HoldState" NOT NULL,
    "asset" TEXT NOT NULL,
    "planId" TEXT NOT NULL,
    "chainId" INTEGER NOT NULL,
    "escrow" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "total" BIGINT NOT NULL,
    "feeBps" INTEGER NOT NULL,
    "feeTo" TEXT NOT NULL,
    "evaluator" TEXT NOT NULL,
    "workBy" INTEGER NOT NULL,
    "expiry" INTEGER NOT NULL,
    "briefHash" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "authorization" JSONB,
    "charterVersion" INTEGER NOT NULL DEFAULT 0,
    "charterHash" TEXT,
    "conclusionHash" TEXT,
    "captureBits" BIGINT,
    "failure" TEXT,
    "fundedTx" TEXT,
    "settledTx" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hold_pkey" PRIMARY KEY ("goalId")
);

-- CreateTable
CREATE TABLE "hold_charter" (
    "goalId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "charterHash" TEXT NOT NULL,
    "steps" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hold_charter_pkey" PRIMARY KEY ("goalId","version")
);

-- CreateTable
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
    "tx" TEXT,
    "paidAt" TIMESTAMPTZ(3),

    CONSTRAINT "payout_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "chain_transaction" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "goalId" TEXT,
    "chainId" INTEGER NOT NULL,
    "sender" TEXT NOT NULL,
    "nonce" INTEGER NOT NULL,
    "raw" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "state" "TransferState" NOT NULL,
    "block" INTEGER,
    "blockHash" TEXT,
    "failure" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "submittedAt" TIMESTAMPTZ(3),
    "finalAt" TIMESTAMPTZ(3),

    CONSTRAINT "chain_transaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "chain_nonce" (
    "chainId" INTEGER NOT NULL,
    "sender" TEXT NOT NULL,
    "next" INTEGER NOT NULL,

    CONSTRAINT "chain_nonce_pkey" PRIMARY KEY ("chainId","sender")
);

-- CreateTable
CREATE TABLE "chain_cursor" (
    "chainId" INTEGER NOT NULL,
    "genesis" TEXT NOT NULL,
    "escrow" TEXT NOT NULL,
    "block" INTEGER NOT NULL,
    "blockHash" TEXT NOT NULL,

    CONSTRAINT "chain_cursor_pkey" PRIMARY KEY ("chainId")
);

-- CreateTable
CREATE TABLE "chain_log" (
    "chainId" INTEGER NOT NULL,
    "txHash" TEXT NOT NULL,
    "logIndex" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "blockHash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "name" TEXT NOT NULL,
    "planId" TEXT,
    "args" JSONB NOT NULL,

    CONSTRAINT "chain_log_pkey" PRIMARY KEY ("chainId","txHash","logIndex")
);

-- CreateTable
CREATE TABLE "ledger_transfer" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "goalId" TEXT,
    "memo" TEXT NOT NULL,
    "tx" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_transfer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "transferId" TEXT NOT NULL,
    "line" INTEGER NOT NULL,
    "account" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "debit" BIGINT NOT NULL,
    "credit" BIGINT NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("transferId","line")
);

-- CreateTable
CREATE TABLE "task" (
    "id" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "groupId" TEXT NOT NULL,
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

-- CreateTable
CREATE TABLE "artifact_blob" (
    "sha256" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "artifact_blob_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
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

    CONSTRAINT "artifact_pkey" PRIMARY KEY ("goalId","sha256","name")
);

-- CreateTable
CREATE TABLE "team" (
    "goalId" TEXT NOT NULL,
    "groupId" TEXT NOT NULL,
    "state" "TeamState" NOT NULL,
    "version" INTEGER NOT NULL,
    "charter" JSONB NOT NULL,
    "charterHash" TEXT NOT NULL,
    "principalId" TEXT NOT NULL,
    "proposedAt" TIMESTAMPTZ(3) NOT NULL,
    "sealedAt" TIMESTAMPTZ(3),
    "recordedAt" TIMESTAMPTZ(3),
    "rowVersion" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "team_pkey" PRIMARY KEY ("goalId")
);

-- CreateTable
CREATE TABLE "team_member" (
    "goalId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "agentId" TEXT NOT NULL,
    "did" TEXT NOT NULL,
    "answer" "MemberAnswer" NOT NULL,
    "reason" TEXT,
    "envelopeId" UUID,
    "answeredAt" TIMESTAMPTZ(3),

    CONSTRAINT "team_member_pkey" PRIMARY KEY ("goalId","version","agentId")
);

-- CreateTable
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
    "state" "StepState" NOT NULL,
    "taskId" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "step_pkey" PRIMARY KEY ("goalId","step")
);

-- CreateIndex
CREATE INDEX "audit_row_actor_at_idx" ON "audit_row"("actor", "at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_row_chain_n_key" ON "audit_row"("chain", "n");

-- CreateIndex
CREATE UNIQUE INDEX "conversation_goalId_key" ON "conversation"("goalId");

-- CreateIndex
CREATE INDEX "membership_memberId_idx" ON "membership"("memberId");

-- CreateIndex
CREATE INDEX "membership_ownerId_idx" ON "membership"("ownerId");

-- CreateIndex
CREATE INDEX "message_groupId_senderId_seq_idx" ON "message"("groupId", "senderId", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "message_groupId_id_key" ON "message"("groupId", "id");

-- CreateIndex
CREATE INDEX "outbox_event_handledAt_createdAt_idx" ON "outbox_event"("handledAt", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "goal_groupId_key" ON "goal"("groupId");

-- CreateIndex
CREATE INDEX "goal_state_postedAt_idx" ON "goal"("state", "postedAt");

-- CreateIndex
CREATE INDEX "goal_clientId_idx" ON "goal"("clientId");

-- CreateIndex
CREATE UNIQUE INDEX "goal_clientId_postId_key" ON "goal"("clientId", "postId");

-- CreateIndex
CREATE UNIQUE INDEX "session_tokenHash_key" ON "session"("tokenHash");

-- CreateIndex
CREATE INDEX "session_personId_idx" ON "session"("personId");

-- CreateIndex
CREATE INDEX "agent_token_agentId_idx" ON "agent_token"("agentId");

-- CreateIndex
CREATE INDEX "agent_key_agentId_idx" ON "agent_key"("agentId");

-- CreateIndex
CREATE UNIQUE INDEX "listing_handle_key" ON "listing"("handle");

-- CreateIndex
CREATE UNIQUE INDEX "listing_did_key" ON "listing"("did");

-- CreateIndex
CREATE UNIQUE INDEX "listing_inboxId_key" ON "listing"("inboxId");

-- CreateIndex
CREATE INDEX "listing_ownerId_idx" ON "listing"("ownerId");

-- CreateIndex
CREATE INDEX "listing_skill_outputTypes_idx" ON "listing_skill" USING GIN ("outputTypes");

-- CreateIndex
CREATE INDEX "step_outcome_agentId_at_idx" ON "step_outcome"("agentId", "at");

-- CreateIndex
CREATE INDEX "feedback_agentId_givenAt_idx" ON "feedback"("agentId", "givenAt");

-- CreateIndex
CREATE UNIQUE INDEX "feedback_taskId_by_key" ON "feedback"("taskId", "by");

-- CreateIndex
CREATE UNIQUE INDEX "hold_planId_key" ON "hold"("planId");

-- CreateIndex
CREATE INDEX "hold_state_idx" ON "hold"("state");

-- CreateIndex
CREATE INDEX "payout_payee_idx" ON "payout"("payee");

-- CreateIndex
CREATE INDEX "payout_agentId_idx" ON "payout"("agentId");

-- CreateIndex
CREATE UNIQUE INDEX "payout_goalId_charterVersion_step_key" ON "payout"("goalId", "charterVersion", "step");

-- CreateIndex
CREATE UNIQUE INDEX "chain_transaction_key_key" ON "chain_transaction"("key");

-- CreateIndex
CREATE UNIQUE INDEX "chain_transaction_hash_key" ON "chain_transaction"("hash");

-- CreateIndex
CREATE INDEX "chain_transaction_state_idx" ON "chain_transaction"("state");

-- CreateIndex
CREATE UNIQUE INDEX "chain_transaction_chainId_sender_nonce_key" ON "chain_transaction"("chainId", "sender", "nonce");

-- CreateIndex
CREATE INDEX "chain_log_planId_idx" ON "chain_log"("planId");

-- CreateIndex
CREATE INDEX "chain_log_chainId_block_idx" ON "chain_log"("chainId", "block");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transfer_key_key" ON "ledger_transfer"("key");

-- CreateIndex
CREATE INDEX "ledger_transfer_goalId_idx" ON "ledger_transfer"("goalId");

-- CreateIndex
CREATE INDEX "ledger_entry_account_idx" ON "ledger_entry"("account");

-- CreateIndex
CREATE INDEX "task_state_leaseUntil_idx" ON "task"("state", "leaseUntil");

-- CreateIndex
CREATE INDEX "task_agentId_idx" ON "task"("agentId");

-- CreateIndex
CREATE UNIQUE INDEX "task_goalId_step_epoch_key" ON "task"("goalId", "step", "epoch");

-- CreateIndex
CREATE INDEX "artifact_taskId_idx" ON "artifact"("taskId");

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "group"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_personId_fkey" FOREIGN KEY ("personId") REFERENCES "person"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "listing_skill" ADD CONSTRAINT "listing_skill_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "listing"("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_taskId_by_fkey" FOREIGN KEY ("taskId", "by") REFERENCES "feedback_invite"("taskId", "by") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hold_charter" ADD CONSTRAINT "hold_charter_goalId_fkey" FOREIGN KEY ("goalId") REFERENCES "hold"("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payout" ADD CONSTRAINT "payout_goalId_fkey" FOREIGN KEY ("goalId") REFERENCES "hold"("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_transferId_fkey" FOREIGN KEY ("transferId") REFERENCES "ledger_transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_member" ADD CONSTRAINT "team_member_goalId_fkey" FOREIGN KEY ("goalId") REFERENCES "team"("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;



-- What no code may break ------------------------------------------------------------------------------------------

-- Amounts, and what each state of a row must have.
ALTER TABLE "hold" ADD CONSTRAINT "hold_amounts" CHECK ("total" > 0 AND "feeBps" BETWEEN 0 AND 1000 AND "workBy" <= "expiry");
ALTER TABLE "hold" ADD CONSTRAINT "hold_capture_has_conclusion" CHECK ("state" NOT IN ('capturing', 'captured') OR ("conclusionHash" IS NOT NULL AND "captureBits" IS NOT NULL));
ALTER TABLE "payout" ADD CONSTRAINT "payout_amount" CHECK ("amount" >= 0 AND "step" > 0);
ALTER TABLE "payout" ADD CONSTRAINT "payout_paid_has_proof" CHECK ("state" NOT IN ('paid', 'credited') OR ("tx" IS NOT NULL AND "paidAt" IS NOT NULL));
ALTER TABLE "goal" ADD CONSTRAINT "goal_budget" CHECK ("budget" > 0);
ALTER TABLE "goal" ADD CONSTRAINT "goal_review_has_clock" CHECK ("state" <> 'review' OR "reviewBy" IS NOT NULL);
ALTER TABLE "step" ADD CONSTRAINT "step_amount" CHECK ("amount" >= 0 AND "step" BETWEEN 1 AND 60);
ALTER TABLE "task" ADD CONSTRAINT "task_acceptance_after_completion" CHECK ("acceptance" IS NULL OR "state" = 'completed');
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_value" CHECK ("value" BETWEEN 0 AND 100);
ALTER TABLE "listing_skill" ADD CONSTRAINT "listing_skill_price" CHECK ("price" >= 0);
ALTER TABLE "message" ADD CONSTRAINT "message_seq" CHECK ("seq" > 0);
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_one_side" CHECK ("debit" >= 0 AND "credit" >= 0 AND ("debit" > 0) <> ("credit" > 0));

-- A step has one live payout, whatever the version of its charter.
CREATE UNIQUE INDEX "payout_one_live" ON "payout" ("goalId", "step") WHERE "state" <> 'replaced';
-- A task stands with one agent at a time.
CREATE UNIQUE INDEX "task_one_live" ON "task" ("goalId", "step") WHERE "state" IN ('submitted', 'working', 'input_required', 'auth_required', 'completed') AND ("acceptance" IS NULL OR "acceptance" <> 'returned');
-- An agent speaks with one key at a time.
CREATE UNIQUE INDEX "agent_key_one_live" ON "agent_key" ("agentId") WHERE "revokedAt" IS NULL;

-- The rail of a payout is chosen once, and so is what it pays.
CREATE FUNCTION "refuse_payout_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."rail" <> OLD."rail" OR NEW."amount" <> OLD."amount" OR NEW."payee" <> OLD."payee" OR NEW."step" <> OLD."step" OR NEW."goalId" <> OLD."goalId" THEN
    RAISE EXCEPTION 'a payout keeps its rail, payee, step and amount';
  END IF;
  IF OLD."state" IN ('paid', 'credited', 'refunded') AND NEW."state" <> OLD."state" THEN
    RAISE EXCEPTION 'a settled payout stays settled';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "payout_keeps_terms" BEFORE UPDATE ON "payout" FOR EACH ROW EXECUTE FUNCTION "refuse_payout_change"();

-- Append-only tables.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "audit_row_append_only" BEFORE UPDATE OR DELETE ON "audit_row" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "message_append_only" BEFORE UPDATE OR DELETE ON "message" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_transfer_append_only" BEFORE UPDATE OR DELETE ON "ledger_transfer" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE ON "ledger_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "feedback_append_only" BEFORE UPDATE OR DELETE ON "feedback" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "chain_log_append_only" BEFORE UPDATE ON "chain_log" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Every transfer balances, per asset, when its transaction commits.
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
CREATE CONSTRAINT TRIGGER "ledger_entry_balances" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_transfer_balance"();

-- Search: words with prefixes, and forgiveness for typing errors.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX "listing_trigram" ON "listing" USING gin ((lower("handle" || ' ' || "name" || ' ' || "summary")) gin_trgm_ops);
