CREATE TABLE "account_networks" (
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"kyc_status" text DEFAULT 'unverified' NOT NULL,
	"strict" boolean DEFAULT false NOT NULL,
	"secret_version" integer DEFAULT 1 NOT NULL,
	"rebuilt_at" timestamp (3) with time zone,
	"keys_unknown_until" timestamp (3) with time zone,
	"batch_payments" boolean DEFAULT true NOT NULL,
	CONSTRAINT "account_networks_account_id_chain_id_pk" PRIMARY KEY("account_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"handle" text NOT NULL,
	"address" "bytea" NOT NULL,
	"type" text NOT NULL,
	"owner_id" text,
	"chain_id" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "accounts_agent_owner" CHECK (("accounts"."type" = 'agent') = ("accounts"."owner_id" is not null)),
	CONSTRAINT "accounts_agent_network" CHECK (("accounts"."type" = 'agent') = ("accounts"."chain_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"chain_id" integer NOT NULL,
	"address" "bytea" NOT NULL,
	"viewing_key" "bytea" NOT NULL,
	"signer" "bytea" NOT NULL,
	"until" bigint NOT NULL,
	"owner" "bytea",
	"nonce" bigint DEFAULT 0 NOT NULL,
	"policy_version" bigint DEFAULT 0 NOT NULL,
	"guarded" boolean DEFAULT false NOT NULL,
	"limited" boolean DEFAULT false NOT NULL,
	"encrypted_account_key" "bytea",
	"enrolled_block" bigint,
	"relayer" "bytea",
	CONSTRAINT "ledger_accounts_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "account_key_backups" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"kind" text NOT NULL,
	"label" text NOT NULL,
	"address" "bytea",
	"encrypted" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_key_backups_address" CHECK (("account_key_backups"."kind" = 'wallet') = ("account_key_backups"."address" is not null))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"address" "bytea" NOT NULL,
	"chain_id" integer,
	"user_agent" text,
	"client_address" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "shown_funds" (
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"version" integer NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shown_funds_account_id_chain_id_pk" PRIMARY KEY("account_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "siwe_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_key_warnings" (
	"chain_id" integer NOT NULL,
	"address" "bytea" NOT NULL,
	"payment_key_until" bigint NOT NULL,
	"days" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_key_warnings_chain_id_address_payment_key_until_days_pk" PRIMARY KEY("chain_id","address","payment_key_until","days")
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"account_id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"status" text NOT NULL,
	"wallet" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"refunds" text DEFAULT 'available' NOT NULL
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
	"encrypted" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"key_id" text NOT NULL,
	"transfer_id" text,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"reference" text,
	"refund_of" text,
	"payment_request_id" text,
	"seller" "bytea",
	"known_by" "bytea"
);
--> statement-breakpoint
CREATE TABLE "spend_policies" (
	"id" text PRIMARY KEY NOT NULL,
	"holder_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"daily_limit" numeric(20, 0) NOT NULL,
	"per_transaction_limit" numeric(20, 0) NOT NULL,
	"hitl_threshold" numeric(20, 0) NOT NULL,
	"allowed_recipients" jsonb NOT NULL,
	"assets" jsonb NOT NULL,
	"active_hours" text NOT NULL,
	"time_zone" text NOT NULL,
	"limits" jsonb NOT NULL,
	"salt" "bytea" NOT NULL,
	"version" bigint NOT NULL,
	"resolved" jsonb NOT NULL,
	"any_recipient" boolean NOT NULL,
	"set_by" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"monthly_limit" numeric(20, 0),
	"payments_per_hour" integer,
	"payments_per_day" integer,
	"recipient_limits" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"public_payments" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_anchor_leaves" (
	"chain_id" integer NOT NULL,
	"root_id" text NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"day" integer NOT NULL,
	CONSTRAINT "audit_anchor_leaves_chain_id_root_id_position_pk" PRIMARY KEY("chain_id","root_id","position")
);
--> statement-breakpoint
CREATE TABLE "audit_anchors" (
	"chain_id" integer NOT NULL,
	"day" integer NOT NULL,
	"nonce" integer NOT NULL,
	"seed" "bytea" NOT NULL,
	"root" "bytea" NOT NULL,
	"tx_hash" "bytea" NOT NULL,
	"raw" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_anchors_chain_id_day_pk" PRIMARY KEY("chain_id","day")
);
--> statement-breakpoint
CREATE TABLE "audit_anchors_final" (
	"chain_id" integer NOT NULL,
	"day" integer NOT NULL,
	CONSTRAINT "audit_anchors_final_chain_id_day_pk" PRIMARY KEY("chain_id","day")
);
--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"left_behind" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "audit_checkpoints_root_id_chain_id_pk" PRIMARY KEY("root_id","chain_id")
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
) PARTITION BY RANGE ("id");
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
	"policy_version" bigint,
	"relayer" "bytea" NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"resend_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"reopened_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"reconciled_at" timestamp (3) with time zone,
	"mismatch" text
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
	"gas" bigint NOT NULL,
	CONSTRAINT "relay_usage_chain_id_account_day_pk" PRIMARY KEY("chain_id","account","day")
);
--> statement-breakpoint
CREATE TABLE "relayers" (
	"chain_id" integer NOT NULL,
	"address" "bytea" NOT NULL,
	"position" integer NOT NULL,
	"next_nonce" integer NOT NULL,
	"has_gas" boolean DEFAULT true NOT NULL,
	CONSTRAINT "relayers_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"key_id" text NOT NULL,
	"application" text NOT NULL,
	"client_hash" "bytea" NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"code_challenge" text NOT NULL,
	"code_expires_at" timestamp (3) with time zone NOT NULL,
	"code_used_at" timestamp (3) with time zone,
	"encrypted_token" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "open_offers" (
	"agent_id" text NOT NULL,
	"name" "bytea" NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "open_offers_agent_id_name_pk" PRIMARY KEY("agent_id","name")
);
--> statement-breakpoint
CREATE TABLE "token_requests" (
	"agent_id" text NOT NULL,
	"key" text NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "token_requests_agent_id_key_pk" PRIMARY KEY("agent_id","key")
);
--> statement-breakpoint
CREATE TABLE "shared_views" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"label" text NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "event_sources" (
	"source" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"type" text NOT NULL,
	"payload" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"source" text
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "worker_heartbeats" (
	"worker_id" text PRIMARY KEY NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exact_payments" (
	"transfer_id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"seller" "bytea" NOT NULL,
	"return_to" "bytea" NOT NULL,
	"valid_before" timestamp (3) with time zone NOT NULL,
	"signature" "bytea" NOT NULL,
	"return_signature" "bytea" NOT NULL,
	"status" text NOT NULL,
	"return_operation_id" text
);
--> statement-breakpoint
CREATE TABLE "identity_checks" (
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_checks_provider_reference_pk" PRIMARY KEY("provider","reference")
);
--> statement-breakpoint
CREATE TABLE "screened_addresses" (
	"address" "bytea" PRIMARY KEY NOT NULL,
	"is_listed" boolean NOT NULL,
	"screened_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"name" text NOT NULL,
	"key" text NOT NULL,
	"input" json NOT NULL,
	"next_run" timestamp (3) with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"lease" text,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "jobs_name_key_pk" PRIMARY KEY("name","key")
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
	"scopes" text[],
	"allowed_ips" text[],
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"schedule_id" text,
	"audience" text,
	"request_key" "bytea",
	"access_wrap" "bytea",
	"home_wrap" "bytea",
	"exposed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"key_id" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"attempt" text NOT NULL,
	"process" integer,
	"started_at" timestamp (3) with time zone NOT NULL,
	"answer" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_key_id_key_pk" PRIMARY KEY("key_id","key")
);
--> statement-breakpoint
CREATE TABLE "available_states" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"old_commitment" "bytea" NOT NULL,
	"commitment" "bytea" NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"flag" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"status" text NOT NULL,
	"operation_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "available_commitments" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"commitment" "bytea" NOT NULL,
	CONSTRAINT "available_commitments_chain_id_account_asset_pk" PRIMARY KEY("chain_id","account","asset")
);
--> statement-breakpoint
CREATE TABLE "available_balances" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"lock_token" text,
	"lock_until" timestamp (3) with time zone,
	CONSTRAINT "available_balances_chain_id_account_asset_pk" PRIMARY KEY("chain_id","account","asset")
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"chain_id" integer PRIMARY KEY NOT NULL,
	"ledger" "bytea" NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" "bytea" NOT NULL,
	"block_time" timestamp (3) with time zone NOT NULL,
	"halted" boolean DEFAULT false NOT NULL,
	"whole" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deposited_balances" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"units" numeric(20, 0) NOT NULL,
	CONSTRAINT "deposited_balances_chain_id_account_asset_pk" PRIMARY KEY("chain_id","account","asset")
);
--> statement-breakpoint
CREATE TABLE "ledger_domains" (
	"chain_id" integer NOT NULL,
	"ledger" "bytea" NOT NULL,
	"salt" "bytea" NOT NULL,
	CONSTRAINT "ledger_domains_chain_id_ledger_pk" PRIMARY KEY("chain_id","ledger")
);
--> statement-breakpoint
CREATE TABLE "ledger_payments" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"kind" text NOT NULL,
	"payer" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"recipient" "bytea" NOT NULL,
	"known_by" "bytea" NOT NULL,
	"new_commitment" "bytea" NOT NULL,
	"tx_hash" "bytea" NOT NULL,
	CONSTRAINT "ledger_payments_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
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
	"new_available" "bytea",
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
	"deposited" numeric(20, 0) NOT NULL,
	"notes" jsonb NOT NULL
);
--> statement-breakpoint
-- Unlogged, with room on every page: a bucket is updated many times a second and worth nothing after a crash.
CREATE UNLOGGED TABLE "rate_limits" (
	"bucket" text PRIMARY KEY NOT NULL,
	"full_at" timestamp with time zone NOT NULL,
	"granted" integer NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE TABLE "local_mail" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "local_mail_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"message_id" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"plain" text NOT NULL,
	"html" text NOT NULL,
	"headers" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "noticed_things" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"noticed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "noticed_things_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "notification_emails" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"confirm_hash" "bytea",
	"confirm_until" timestamp (3) with time zone,
	"unsubscribe_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_sends" (
	"target" text NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_sends_target_kind_cause_pk" PRIMARY KEY("target","kind","cause")
);
--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"email_kinds" text[] NOT NULL,
	"push_kinds" text[] NOT NULL,
	CONSTRAINT "notification_settings_root_id_chain_id_pk" PRIMARY KEY("root_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "push_devices" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"endpoint_hash" "bytea" NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"service" text NOT NULL,
	"user_agent" text,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"payee" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"reference" text,
	"status" text NOT NULL,
	"envelope" "bytea" NOT NULL,
	"link_key" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"paid_by" text,
	"key_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "request_payments" (
	"transfer_id" text PRIMARY KEY NOT NULL,
	"request_id" text NOT NULL,
	"state" text NOT NULL,
	"finding" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"announced_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "payout_rows" (
	"payout_id" text NOT NULL,
	"row" integer NOT NULL,
	"batch" integer NOT NULL,
	"place" integer NOT NULL,
	"note" "bytea" NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"status" text NOT NULL,
	"alone" boolean NOT NULL,
	"error" text,
	"transfer_id" text,
	"to" text DEFAULT '' NOT NULL,
	"reference" text,
	CONSTRAINT "payout_rows_payout_id_row_pk" PRIMARY KEY("payout_id","row")
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"pause_reason" text,
	"rows" integer NOT NULL,
	"asked_by" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"encrypted_key" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"working_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "schedule_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"schedule_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"date" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"failure" text,
	"paid_at" timestamp (3) with time zone,
	"missed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"version" integer NOT NULL,
	"encrypted" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"window_seconds" integer NOT NULL,
	"last_date" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rebuilt_payments" (
	"transfer_id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"root_id" text NOT NULL,
	"block" bigint NOT NULL,
	"paid_at" timestamp (3) with time zone NOT NULL,
	"tag" "bytea",
	"voucher" "bytea"
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
	"old_commitment" "bytea" NOT NULL,
	"new_commitment" "bytea" NOT NULL,
	"note" "bytea",
	"payment_id" "bytea",
	"mode" integer,
	"batch_index" integer,
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
	"client_signed" boolean NOT NULL,
	"reference" text,
	"refund_of" text,
	"refund_checked" boolean,
	"payment_request_id" text,
	"payout_id" text,
	"schedule_run_id" text
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"event" text NOT NULL,
	"url" text NOT NULL,
	"trigger" text NOT NULL,
	"status" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"response_code" integer,
	"response_body" text,
	"error" text,
	"duration_ms" integer,
	"attempted_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"exhausted_at" timestamp (3) with time zone,
	"payload" json,
	"created_at" timestamp (3) with time zone NOT NULL,
	"earlier_attempts" jsonb
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "webhook_queue" (
	"delivery_id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"trigger" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea",
	"previous_secret" "bytea",
	"previous_until" timestamp (3) with time zone,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"gone_since" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"worker" text,
	"worker_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"store_responses" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_networks" ADD CONSTRAINT "account_networks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_key_backups" ADD CONSTRAINT "account_key_backups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shown_funds" ADD CONSTRAINT "shown_funds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_payments" ADD CONSTRAINT "held_payments_agent_id_accounts_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spend_policies" ADD CONSTRAINT "spend_policies_holder_id_accounts_id_fk" FOREIGN KEY ("holder_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD CONSTRAINT "outgoing_transactions_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_offers" ADD CONSTRAINT "open_offers_agent_id_accounts_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_requests" ADD CONSTRAINT "token_requests_agent_id_accounts_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_views" ADD CONSTRAINT "shared_views_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exact_payments" ADD CONSTRAINT "exact_payments_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_checks" ADD CONSTRAINT "identity_checks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_agent_id_accounts_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_emails" ADD CONSTRAINT "notification_emails_root_id_accounts_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_root_id_accounts_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_root_id_accounts_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_requests" ADD CONSTRAINT "payment_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_payments" ADD CONSTRAINT "request_payments_request_id_payment_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."payment_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_rows" ADD CONSTRAINT "payout_rows_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rebuilt_payments" ADD CONSTRAINT "rebuilt_payments_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_payer_id_accounts_id_fk" FOREIGN KEY ("payer_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_handle" ON "accounts" USING btree ("handle") WHERE "accounts"."chain_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_agent_handle" ON "accounts" USING btree ("handle","chain_id") WHERE "accounts"."chain_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_address" ON "accounts" USING btree ("address");--> statement-breakpoint
CREATE INDEX "accounts_look_alike" ON "accounts" USING btree (translate("handle", '1i0-_', 'llo')) WHERE "accounts"."type" <> 'agent';--> statement-breakpoint
CREATE INDEX "accounts_owner" ON "accounts" USING btree ("owner_id") WHERE "accounts"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_accounts_owner" ON "ledger_accounts" USING btree ("chain_id","owner") WHERE "ledger_accounts"."owner" is not null;--> statement-breakpoint
CREATE INDEX "ledger_accounts_until" ON "ledger_accounts" USING btree ("until") WHERE "ledger_accounts"."owner" is null;--> statement-breakpoint
CREATE INDEX "account_key_backups_account" ON "account_key_backups" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE INDEX "sessions_address" ON "sessions" USING btree ("address");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "siwe_nonces_expires" ON "siwe_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "held_payments_root" ON "held_payments" USING btree ("root_id","chain_id","requested_at","id") WHERE "held_payments"."status" = 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_agent" ON "held_payments" USING btree ("agent_id","requested_at","id") WHERE "held_payments"."status" = 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_decided" ON "held_payments" USING btree ("root_id","chain_id","id") WHERE "held_payments"."status" <> 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_decided_status" ON "held_payments" USING btree ("root_id","chain_id","status","id") WHERE "held_payments"."status" <> 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_decided_agent" ON "held_payments" USING btree ("agent_id","id") WHERE "held_payments"."status" <> 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_reference" ON "held_payments" USING btree ("root_id","chain_id","reference") WHERE "held_payments"."status" = 'pending_approval' and "held_payments"."reference" is not null;--> statement-breakpoint
CREATE INDEX "held_payments_expiry" ON "held_payments" USING btree ("expires_at") WHERE "held_payments"."status" = 'pending_approval';--> statement-breakpoint
CREATE UNIQUE INDEX "spend_policies_holder" ON "spend_policies" USING btree ("holder_id","chain_id");--> statement-breakpoint
CREATE INDEX "audit_anchor_leaves_day" ON "audit_anchor_leaves" USING btree ("chain_id","day");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("root_id","chain_id","target","position");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("root_id","chain_id","action","position");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("root_id","chain_id","actor_type","position");--> statement-breakpoint
CREATE INDEX "audit_log_time" ON "audit_log" USING btree ("root_id","chain_id","created_at","position");--> statement-breakpoint
CREATE INDEX "operations_unreconciled" ON "operations" USING btree ("chain_id","checked_at") WHERE "operations"."reconciled_at" is null and "operations"."kind" in ('transfer', 'release', 'fund', 'spend', 'spend_public', 'transfer_many');--> statement-breakpoint
CREATE INDEX "operations_mismatch" ON "operations" USING btree ("chain_id") WHERE "operations"."mismatch" is not null;--> statement-breakpoint
CREATE INDEX "operations_pending" ON "operations" USING btree ("chain_id","created_at") WHERE "operations"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "operations_pending_account" ON "operations" USING btree ("chain_id","account") WHERE "operations"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "outgoing_transactions_hash" ON "outgoing_transactions" USING btree ("chain_id","hash");--> statement-breakpoint
CREATE INDEX "outgoing_transactions_operation" ON "outgoing_transactions" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "outgoing_transactions_nonce" ON "outgoing_transactions" USING btree ("chain_id","relayer","nonce");--> statement-breakpoint
CREATE INDEX "outgoing_transactions_open" ON "outgoing_transactions" USING btree ("chain_id","relayer","nonce") WHERE "outgoing_transactions"."status" in ('signed', 'sent');--> statement-breakpoint
CREATE INDEX "relay_usage_day" ON "relay_usage" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_code" ON "connections" USING btree ("code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_key" ON "connections" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "connections_account" ON "connections" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE INDEX "connections_created" ON "connections" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "connections_encrypted" ON "connections" USING btree ("code_expires_at") WHERE "connections"."encrypted_token" is not null;--> statement-breakpoint
CREATE INDEX "open_offers_created" ON "open_offers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "token_requests_created" ON "token_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "shared_views_account" ON "shared_views" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE INDEX "shared_views_expires" ON "shared_views" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "events_root" ON "events" USING btree ("root_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_root_type" ON "events" USING btree ("root_id","chain_id","type","created_at","id");--> statement-breakpoint
CREATE INDEX "exact_payments_open" ON "exact_payments" USING btree ("valid_before") WHERE "exact_payments"."status" = 'open';--> statement-breakpoint
CREATE INDEX "identity_checks_account" ON "identity_checks" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_checks_open" ON "identity_checks" USING btree ("account_id","chain_id") WHERE "identity_checks"."state" in ('needs_input', 'processing');--> statement-breakpoint
CREATE INDEX "identity_checks_to_read" ON "identity_checks" USING btree ("read_at") WHERE "identity_checks"."state" in ('needs_input', 'processing');--> statement-breakpoint
CREATE INDEX "screened_addresses_age" ON "screened_addresses" USING btree ("screened_at");--> statement-breakpoint
CREATE INDEX "jobs_next_run" ON "jobs" USING btree ("next_run");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE INDEX "api_keys_listed" ON "api_keys" USING btree ("account_id","chain_id","created_at") WHERE "api_keys"."audience" is null;--> statement-breakpoint
CREATE INDEX "api_keys_agent" ON "api_keys" USING btree ("agent_id","created_at") WHERE "api_keys"."agent_id" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_live" ON "api_keys" USING btree ("account_id","chain_id","expires_at") WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "api_keys_wrapping" ON "api_keys" USING btree ("expires_at") WHERE "api_keys"."wrap" is not null or "api_keys"."flag_wrap" is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "available_states_newest" ON "available_states" USING btree ("chain_id","account","asset","id");--> statement-breakpoint
CREATE UNIQUE INDEX "available_states_commitment" ON "available_states" USING btree ("chain_id","account","asset","commitment") WHERE "available_states"."status" in ('pending', 'final');--> statement-breakpoint
CREATE INDEX "available_states_operation" ON "available_states" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "ledger_payments_known" ON "ledger_payments" USING btree ("chain_id","payer","known_by");--> statement-breakpoint
CREATE INDEX "notes_open_asset" ON "notes" USING btree ("chain_id","account","asset","block_number","log_index") WHERE not "notes"."spent";--> statement-breakpoint
CREATE INDEX "notes_note" ON "notes" USING btree ("note");--> statement-breakpoint
CREATE INDEX "reservations_account" ON "reservations" USING btree ("chain_id","account","asset");--> statement-breakpoint
CREATE UNIQUE INDEX "local_mail_message" ON "local_mail" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "local_mail_root" ON "local_mail" USING btree ("root_id","chain_id","id");--> statement-breakpoint
CREATE INDEX "local_mail_age" ON "local_mail" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "noticed_things_age" ON "noticed_things" USING btree ("noticed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_emails_root" ON "notification_emails" USING btree ("root_id","chain_id");--> statement-breakpoint
CREATE INDEX "notification_sends_newest" ON "notification_sends" USING btree ("target","kind","sent_at");--> statement-breakpoint
CREATE INDEX "notification_sends_age" ON "notification_sends" USING btree ("sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "push_devices_endpoint" ON "push_devices" USING btree ("root_id","chain_id","endpoint_hash");--> statement-breakpoint
CREATE INDEX "payment_requests_account" ON "payment_requests" USING btree ("account_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_requests_status" ON "payment_requests" USING btree ("account_id","chain_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_requests_reference" ON "payment_requests" USING btree ("account_id","chain_id","reference","created_at","id") WHERE "payment_requests"."reference" is not null;--> statement-breakpoint
CREATE INDEX "payment_requests_due" ON "payment_requests" USING btree ("expires_at") WHERE "payment_requests"."status" = 'open';--> statement-breakpoint
CREATE INDEX "request_payments_request" ON "request_payments" USING btree ("request_id","created_at");--> statement-breakpoint
CREATE INDEX "payout_rows_note" ON "payout_rows" USING btree ("note");--> statement-breakpoint
CREATE INDEX "payout_rows_status" ON "payout_rows" USING btree ("payout_id","status","row");--> statement-breakpoint
CREATE INDEX "payout_rows_batch" ON "payout_rows" USING btree ("payout_id","batch","place");--> statement-breakpoint
CREATE INDEX "payout_rows_next" ON "payout_rows" USING btree ("payout_id","batch") WHERE "payout_rows"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_request" ON "payouts" USING btree ("account_id","chain_id","asked_by","idempotency_key");--> statement-breakpoint
CREATE INDEX "payouts_account" ON "payouts" USING btree ("account_id","chain_id","id") WHERE "payouts"."status" <> 'draft';--> statement-breakpoint
CREATE INDEX "payouts_account_status" ON "payouts" USING btree ("account_id","chain_id","status","id");--> statement-breakpoint
CREATE INDEX "payouts_stale" ON "payouts" USING btree ("account_id","chain_id","secret_version","id");--> statement-breakpoint
CREATE INDEX "payouts_drafts" ON "payouts" USING btree ("created_at") WHERE "payouts"."status" = 'draft';--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_runs_date" ON "schedule_runs" USING btree ("schedule_id","date");--> statement-breakpoint
CREATE INDEX "schedule_runs_listed" ON "schedule_runs" USING btree ("schedule_id","due_at","id");--> statement-breakpoint
CREATE INDEX "schedule_runs_status" ON "schedule_runs" USING btree ("account_id","chain_id","status","due_at","id");--> statement-breakpoint
CREATE INDEX "schedule_runs_open" ON "schedule_runs" USING btree ("schedule_id","status") WHERE "schedule_runs"."status" in ('planned', 'due', 'paying');--> statement-breakpoint
CREATE INDEX "schedules_account" ON "schedules" USING btree ("account_id","chain_id","id");--> statement-breakpoint
CREATE INDEX "schedules_status" ON "schedules" USING btree ("account_id","chain_id","status","id");--> statement-breakpoint
CREATE INDEX "schedules_live" ON "schedules" USING btree ("account_id","chain_id","id") WHERE "schedules"."status" <> 'ended';--> statement-breakpoint
CREATE INDEX "schedules_finished" ON "schedules" USING btree ("id") WHERE "schedules"."status" = 'finished' and "schedules"."encrypted" <> '';--> statement-breakpoint
CREATE INDEX "rebuilt_payments_root" ON "rebuilt_payments" USING btree ("root_id","chain_id","paid_at");--> statement-breakpoint
CREATE INDEX "rebuilt_payments_paid" ON "rebuilt_payments" USING btree ("paid_at");--> statement-breakpoint
CREATE INDEX "transfers_payer" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_payer_status" ON "transfers" USING btree ("payer_root_id","chain_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient_status" ON "transfers" USING btree ("recipient_root_id","chain_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_payer_account" ON "transfers" USING btree ("payer_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient_account" ON "transfers" USING btree ("recipient_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_payer_other" ON "transfers" USING btree ("payer_root_id","chain_id","recipient_address","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient_other" ON "transfers" USING btree ("recipient_root_id","chain_id","payer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_payer_asset" ON "transfers" USING btree ("payer_root_id","chain_id","asset","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient_asset" ON "transfers" USING btree ("recipient_root_id","chain_id","asset","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_payer_reference" ON "transfers" USING btree ("payer_root_id","chain_id","reference","created_at","id") WHERE "transfers"."reference" is not null;--> statement-breakpoint
CREATE INDEX "transfers_recipient_reference" ON "transfers" USING btree ("recipient_root_id","chain_id","reference","created_at","id") WHERE "transfers"."reference" is not null;--> statement-breakpoint
CREATE INDEX "transfers_payer_release" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."kind" = 'release';--> statement-breakpoint
CREATE INDEX "transfers_payer_fund" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."kind" = 'fund';--> statement-breakpoint
CREATE INDEX "transfers_payer_refund" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."refund_of" is not null;--> statement-breakpoint
CREATE INDEX "transfers_payer_request" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."payment_request_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_recipient_release" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id") WHERE "transfers"."kind" = 'release';--> statement-breakpoint
CREATE INDEX "transfers_recipient_fund" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id") WHERE "transfers"."kind" = 'fund';--> statement-breakpoint
CREATE INDEX "transfers_recipient_refund" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id") WHERE "transfers"."refund_of" is not null;--> statement-breakpoint
CREATE INDEX "transfers_recipient_request" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id") WHERE "transfers"."payment_request_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_payer_payout" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."payout_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_payer_schedule" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."schedule_run_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_refund_of" ON "transfers" USING btree ("refund_of","created_at","id") WHERE "transfers"."refund_of" is not null;--> statement-breakpoint
CREATE INDEX "transfers_key" ON "transfers" USING btree ("key_id","created_at","id") WHERE "transfers"."key_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_schedule_run" ON "transfers" USING btree ("schedule_run_id") WHERE "transfers"."schedule_run_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_operation" ON "transfers" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "transfers_note" ON "transfers" USING btree ("note");--> statement-breakpoint
CREATE INDEX "transfers_payment_id" ON "transfers" USING btree ("payment_id") WHERE "transfers"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_exhausted" ON "webhook_deliveries" USING btree ("webhook_id","id") WHERE "webhook_deliveries"."exhausted_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_type" ON "webhook_deliveries" USING btree ("webhook_id","event","id") WHERE "webhook_deliveries"."event" not in ('transfer.initiated', 'transfer.confirmed');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_queue_due" ON "webhook_queue" USING btree ("webhook_id","due_at");--> statement-breakpoint
CREATE INDEX "webhooks_root" ON "webhooks" USING btree ("root_id","chain_id","created_at") WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhooks_failing" ON "webhooks" USING btree ("failing_since") WHERE "webhooks"."failing_since" is not null and "webhooks"."enabled" and "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhooks_deleted" ON "webhooks" USING btree ("deleted_at") WHERE "webhooks"."deleted_at" is not null;--> statement-breakpoint
CREATE TABLE "api_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"key_id" text NOT NULL,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"duration_ms" integer NOT NULL
);--> statement-breakpoint
CREATE INDEX "api_requests_root" ON "api_requests" USING btree ("root_id","chain_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_request_key" ON "api_keys" USING btree ("request_key") WHERE "api_keys"."request_key" is not null;--> statement-breakpoint
CREATE INDEX "api_requests_unsuccessful" ON "api_requests" USING btree ("root_id","chain_id","id") WHERE "api_requests"."status" >= 400;--> statement-breakpoint
CREATE INDEX "api_requests_writes" ON "api_requests" USING btree ("root_id","chain_id","id") WHERE "api_requests"."method" <> 'GET';--> statement-breakpoint
CREATE INDEX "api_requests_key" ON "api_requests" USING btree ("key_id","id");--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_purpose" CHECK (num_nonnulls("transfers"."refund_of", "transfers"."payment_request_id", "transfers"."payout_id", "transfers"."schedule_run_id") <= 1);--> statement-breakpoint
-- The audit log is written once, in whichever partition: not even the service's own mistakes change or shorten it.
CREATE FUNCTION "audit_log_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'audit_log is append-only';
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "audit_log_append_only"();--> statement-breakpoint
CREATE TRIGGER "audit_log_not_truncated" BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_append_only"();--> statement-breakpoint
-- Three tables that grow for ever are partitioned by month (docs/design/database.md): what comes until
-- the end of this month, and from then on. `npm run maintain` makes further ones like the last.
DO $$
DECLARE
	name text;
	prefix text;
	part text;
	ends timestamptz := (date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
	ms bigint := extract(epoch FROM ends)::bigint * 1000;
	bound text := '';
BEGIN
	-- The first of a month, as the first ten characters of a ULID.
	FOR i IN 1..10 LOOP
		bound := substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (ms % 32)::int + 1, 1) || bound;
		ms := ms / 32;
	END LOOP;
	FOR name, prefix IN VALUES ('events', 'evt_'), ('webhook_deliveries', 'dlv_'), ('audit_log', 'aud_') LOOP
		part := name || to_char(ends AT TIME ZONE 'UTC', '_YYYY_MM');
		EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (MINVALUE) TO (%L)',
			name || '_start', name, prefix || bound);
		EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (MAXVALUE)', part, name, prefix || bound);
		FOREACH part IN ARRAY ARRAY[name || '_start', part] LOOP
			IF name = 'webhook_deliveries' THEN
				-- Room for the update that an attempt makes, in the row's own page.
				EXECUTE format('ALTER TABLE %I SET (fillfactor = 50)', part);
			ELSIF name = 'audit_log' THEN
				-- An index over all partitions could be unique only together with the id.
				EXECUTE format('CREATE UNIQUE INDEX ON %I ("root_id", "chain_id", "position")', part);
				-- PostgreSQL gives a partition its table's triggers for each row, and no others.
				EXECUTE format('CREATE TRIGGER "audit_log_not_truncated" BEFORE TRUNCATE ON %I
					FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_append_only"()', part);
			END IF;
		END LOOP;
	END LOOP;
END $$;--> statement-breakpoint
-- What an event announces once is unique over all partitions.
CREATE FUNCTION "events_source_once"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "event_sources" ("source") VALUES (NEW."source");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "events_source_once" AFTER INSERT ON "events" FOR EACH ROW WHEN (NEW."source" IS NOT NULL) EXECUTE FUNCTION "events_source_once"();
