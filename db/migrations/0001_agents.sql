CREATE TABLE "agents" (
	"account_id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"status" text NOT NULL,
	"wallet" "bytea" NOT NULL,
	"secret_version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "held_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"agent_id" text NOT NULL,
	"root_id" text NOT NULL,
	"status" text NOT NULL,
	"to_given" text NOT NULL,
	"recipient_address" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"kind" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"key_id" text NOT NULL,
	"transfer_id" text,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "spend_policies" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"daily_limit" numeric(20, 0) NOT NULL,
	"per_transaction_limit" numeric(20, 0) NOT NULL,
	"hitl_threshold" numeric(20, 0) NOT NULL,
	"allowed_recipients" jsonb NOT NULL,
	"assets" jsonb NOT NULL,
	"active_hours" text NOT NULL,
	"time_zone" text NOT NULL,
	"limits" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_heads_root_id_chain_id_pk" PRIMARY KEY("root_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"position" bigint NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text,
	"client_address" text,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL
);
--> statement-breakpoint
DROP INDEX "accounts_handle";--> statement-breakpoint
DROP INDEX "budget_states_word";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "chain_id" integer;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_payments" ADD CONSTRAINT "held_payments_agent_id_agents_account_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spend_policies" ADD CONSTRAINT "spend_policies_agent_id_agents_account_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_payments_root" ON "held_payments" USING btree ("root_id","chain_id","requested_at","id") WHERE "held_payments"."status" = 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_agent" ON "held_payments" USING btree ("agent_id","requested_at","id") WHERE "held_payments"."status" = 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_expiry" ON "held_payments" USING btree ("expires_at") WHERE "held_payments"."status" = 'pending_approval';--> statement-breakpoint
CREATE UNIQUE INDEX "spend_policies_agent" ON "spend_policies" USING btree ("agent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_root" ON "audit_log" USING btree ("root_id","chain_id","position");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("root_id","chain_id","target","position");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("root_id","chain_id","action","position");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_agent_handle" ON "accounts" USING btree ("handle","chain_id") WHERE "accounts"."chain_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_handle" ON "accounts" USING btree ("handle") WHERE "accounts"."chain_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "budget_states_word" ON "budget_states" USING btree ("chain_id","account","asset","word") WHERE "budget_states"."status" in ('pending', 'final');--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_agent_network" CHECK (("accounts"."type" = 'agent') = ("accounts"."chain_id" is not null));