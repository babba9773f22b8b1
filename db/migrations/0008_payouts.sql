CREATE TABLE "payout_rows" (
	"payout_id" text NOT NULL,
	"row" integer NOT NULL,
	"batch" integer NOT NULL,
	"place" integer NOT NULL,
	"note" "bytea" NOT NULL,
	"sealed" "bytea" NOT NULL,
	"status" text NOT NULL,
	"alone" boolean NOT NULL,
	"error" text,
	"transfer_id" text,
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
	"sealed_key" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"working_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "payout_rows" ADD CONSTRAINT "payout_rows_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payout_rows_note" ON "payout_rows" USING btree ("note");--> statement-breakpoint
CREATE INDEX "payout_rows_status" ON "payout_rows" USING btree ("payout_id","status","row");--> statement-breakpoint
CREATE INDEX "payout_rows_batch" ON "payout_rows" USING btree ("payout_id","batch","place");--> statement-breakpoint
CREATE INDEX "payout_rows_next" ON "payout_rows" USING btree ("payout_id","batch") WHERE "payout_rows"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_request" ON "payouts" USING btree ("account_id","chain_id","asked_by","idempotency_key");--> statement-breakpoint
CREATE INDEX "payouts_account" ON "payouts" USING btree ("account_id","chain_id","id") WHERE "payouts"."status" <> 'draft';--> statement-breakpoint
CREATE INDEX "payouts_account_status" ON "payouts" USING btree ("account_id","chain_id","status","id");--> statement-breakpoint
CREATE INDEX "payouts_stale" ON "payouts" USING btree ("account_id","chain_id","secret_version","id");