CREATE TABLE "root_backups" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"kind" text NOT NULL,
	"label" text NOT NULL,
	"address" "bytea",
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "root_backups_address" CHECK (("root_backups"."kind" = 'wallet') = ("root_backups"."address" is not null))
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "client_address" text;--> statement-breakpoint
ALTER TABLE "root_backups" ADD CONSTRAINT "root_backups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "root_backups_account" ON "root_backups" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE INDEX "held_payments_decided" ON "held_payments" USING btree ("root_id","chain_id","id") WHERE "held_payments"."status" <> 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_decided_status" ON "held_payments" USING btree ("root_id","chain_id","status","id") WHERE "held_payments"."status" <> 'pending_approval';--> statement-breakpoint
CREATE INDEX "held_payments_decided_agent" ON "held_payments" USING btree ("agent_id","id") WHERE "held_payments"."status" <> 'pending_approval';--> statement-breakpoint
CREATE INDEX "transfers_payer_other" ON "transfers" USING btree ("payer_root_id","chain_id","recipient_address","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient_other" ON "transfers" USING btree ("recipient_root_id","chain_id","payer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_payer_asset" ON "transfers" USING btree ("payer_root_id","chain_id","asset","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_recipient_asset" ON "transfers" USING btree ("recipient_root_id","chain_id","asset","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_key" ON "transfers" USING btree ("key_id","created_at","id") WHERE "transfers"."key_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_type" ON "webhook_deliveries" USING btree ("webhook_id","event","id") WHERE "webhook_deliveries"."event" not in ('transfer.initiated', 'transfer.confirmed');