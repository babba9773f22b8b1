CREATE TABLE "account_networks" (
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"kyc_status" text DEFAULT 'unverified' NOT NULL,
	"strict" boolean DEFAULT false NOT NULL,
	"secret_version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "account_networks_account_id_chain_id_pk" PRIMARY KEY("account_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"handle" text NOT NULL,
	"address" "bytea" NOT NULL,
	"type" text NOT NULL,
	"owner_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "accounts_agent_owner" CHECK (("accounts"."type" = 'agent') = ("accounts"."owner_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"chain_id" integer NOT NULL,
	"address" "bytea" NOT NULL,
	"viewing_key" "bytea" NOT NULL,
	"spender" "bytea" NOT NULL,
	"spender_until" bigint NOT NULL,
	"owner" "bytea",
	"nonce" bigint DEFAULT 0 NOT NULL,
	"sealed_root" "bytea",
	"enrolled_block" bigint,
	"relayer" "bytea",
	CONSTRAINT "ledger_accounts_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"address" "bytea" NOT NULL,
	"user_agent" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "siwe_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"account" "bytea" NOT NULL,
	"target" "bytea" NOT NULL,
	"data" "bytea" NOT NULL,
	"value" numeric(78, 0) DEFAULT 0 NOT NULL,
	"gas" bigint NOT NULL,
	"deadline" timestamp (3) with time zone NOT NULL,
	"relayer" "bytea" NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"resend_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "outgoing_transactions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"operation_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"relayer" "bytea" NOT NULL,
	"nonce" integer NOT NULL,
	"hash" "bytea" NOT NULL,
	"raw" "bytea" NOT NULL,
	"status" text NOT NULL,
	"block_number" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "relay_usage" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"day" date NOT NULL,
	"operations" integer NOT NULL,
	CONSTRAINT "relay_usage_chain_id_account_day_pk" PRIMARY KEY("chain_id","account","day")
);
--> statement-breakpoint
CREATE TABLE "relayers" (
	"chain_id" integer NOT NULL,
	"address" "bytea" NOT NULL,
	"position" integer NOT NULL,
	"next_nonce" integer NOT NULL,
	CONSTRAINT "relayers_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker_heartbeats" (
	"worker_id" text PRIMARY KEY NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_key_usage" (
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "api_key_usage_key_id_day_pk" PRIMARY KEY("key_id","day")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"agent_id" text,
	"chain_id" integer NOT NULL,
	"hash" "bytea" NOT NULL,
	"prefix" text NOT NULL,
	"last_four" text NOT NULL,
	"label" text NOT NULL,
	"wrap" "bytea",
	"flag_wrap" "bytea",
	"secret_version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"key_id" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"attempt" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"answer" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_key_id_key_pk" PRIMARY KEY("key_id","key")
);
--> statement-breakpoint
CREATE TABLE "budget_states" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"old_word" "bytea" NOT NULL,
	"word" "bytea" NOT NULL,
	"sealed" "bytea" NOT NULL,
	"flag" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"status" text NOT NULL,
	"operation_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "budget_words" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"word" "bytea" NOT NULL,
	CONSTRAINT "budget_words_chain_id_account_asset_pk" PRIMARY KEY("chain_id","account","asset")
);
--> statement-breakpoint
CREATE TABLE "budgets" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"lease_token" text,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "budgets_chain_id_account_asset_pk" PRIMARY KEY("chain_id","account","asset")
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"chain_id" integer PRIMARY KEY NOT NULL,
	"ledger" "bytea" NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" "bytea" NOT NULL,
	"block_time" timestamp (3) with time zone NOT NULL,
	"halted" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credits" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"units" numeric(20, 0) NOT NULL,
	CONSTRAINT "credits_chain_id_account_asset_pk" PRIMARY KEY("chain_id","account","asset")
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"note" "bytea" NOT NULL,
	"source" text NOT NULL,
	"sender" "bytea" NOT NULL,
	"ciphertext" "bytea" NOT NULL,
	"new_budget" "bytea",
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"tx_hash" "bytea" NOT NULL,
	"spent" boolean DEFAULT false NOT NULL,
	CONSTRAINT "notes_chain_id_account_asset_note_pk" PRIMARY KEY("chain_id","account","asset","note")
);
--> statement-breakpoint
CREATE TABLE "reservations" (
	"operation_id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"credit" numeric(20, 0) NOT NULL,
	"notes" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"payer_id" text NOT NULL,
	"payer_root_id" text NOT NULL,
	"recipient_id" text,
	"recipient_root_id" text,
	"recipient_address" "bytea" NOT NULL,
	"to_given" text NOT NULL,
	"asset" "bytea" NOT NULL,
	"old_word" "bytea" NOT NULL,
	"new_word" "bytea" NOT NULL,
	"note" "bytea",
	"recipient_ciphertext" "bytea",
	"payer_ciphertext" "bytea" NOT NULL,
	"memo" "bytea",
	"recipient_memo" "bytea",
	"key_id" text,
	"operation_id" text NOT NULL,
	"tx_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"prepared" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_networks" ADD CONSTRAINT "account_networks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD CONSTRAINT "outgoing_transactions_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_agent_id_accounts_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_payer_id_accounts_id_fk" FOREIGN KEY ("payer_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_handle" ON "accounts" USING btree ("handle");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_address" ON "accounts" USING btree ("address");--> statement-breakpoint
CREATE INDEX "accounts_owner" ON "accounts" USING btree ("owner_id") WHERE "accounts"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_accounts_owner" ON "ledger_accounts" USING btree ("chain_id","owner") WHERE "ledger_accounts"."owner" is not null;--> statement-breakpoint
CREATE INDEX "sessions_address" ON "sessions" USING btree ("address");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "siwe_nonces_expires" ON "siwe_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "operations_pending" ON "operations" USING btree ("chain_id","created_at") WHERE "operations"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "operations_pending_account" ON "operations" USING btree ("chain_id","account") WHERE "operations"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "outgoing_transactions_hash" ON "outgoing_transactions" USING btree ("chain_id","hash");--> statement-breakpoint
CREATE INDEX "outgoing_transactions_operation" ON "outgoing_transactions" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "outgoing_transactions_open" ON "outgoing_transactions" USING btree ("chain_id","relayer","nonce") WHERE "outgoing_transactions"."status" in ('signed', 'sent');--> statement-breakpoint
CREATE INDEX "relay_usage_day" ON "relay_usage" USING btree ("day");--> statement-breakpoint
CREATE INDEX "events_root" ON "events" USING btree ("root_id","chain_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "budget_states_newest" ON "budget_states" USING btree ("chain_id","account","asset","id");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_states_word" ON "budget_states" USING btree ("chain_id","account","asset","word") WHERE "budget_states"."status" <> 'void';--> statement-breakpoint
CREATE INDEX "budget_states_operation" ON "budget_states" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "notes_open" ON "notes" USING btree ("chain_id","account","block_number","log_index") WHERE not "notes"."spent";--> statement-breakpoint
CREATE INDEX "reservations_account" ON "reservations" USING btree ("chain_id","account","asset");--> statement-breakpoint
CREATE INDEX "transfers_payer" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_payer_status" ON "transfers" USING btree ("payer_root_id","chain_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient_status" ON "transfers" USING btree ("recipient_root_id","chain_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_payer_account" ON "transfers" USING btree ("payer_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient_account" ON "transfers" USING btree ("recipient_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_operation" ON "transfers" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "transfers_note" ON "transfers" USING btree ("note");