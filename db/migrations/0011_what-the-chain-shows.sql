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
	"new_word" "bytea" NOT NULL,
	"tx_hash" "bytea" NOT NULL,
	CONSTRAINT "ledger_payments_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
ALTER TABLE "account_networks" ADD COLUMN "rebuilt_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "account_networks" ADD COLUMN "keys_unknown_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "reopened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "reconciled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "mismatch" text;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "whole" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "ledger_payments_word" ON "ledger_payments" USING btree ("chain_id","payer","asset","new_word");--> statement-breakpoint
CREATE INDEX "operations_unreconciled" ON "operations" USING btree ("chain_id","checked_at") WHERE "operations"."reconciled_at" is null and "operations"."kind" in ('transfer', 'release', 'fund');--> statement-breakpoint
CREATE INDEX "operations_mismatch" ON "operations" USING btree ("chain_id") WHERE "operations"."mismatch" is not null;