ALTER TABLE "agents" ADD COLUMN "refunds" text DEFAULT 'available' NOT NULL;--> statement-breakpoint
ALTER TABLE "held_payments" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "held_payments" ADD COLUMN "refund_of" text;--> statement-breakpoint
ALTER TABLE "held_payments" ADD COLUMN "payment_request_id" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "refund_of" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "refund_checked" boolean;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "payment_request_id" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "payout_id" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "schedule_run_id" text;--> statement-breakpoint
CREATE INDEX "held_payments_reference" ON "held_payments" USING btree ("root_id","chain_id","reference") WHERE "held_payments"."status" = 'pending_approval' and "held_payments"."reference" is not null;--> statement-breakpoint
CREATE INDEX "transfers_payer_reference" ON "transfers" USING btree ("payer_root_id","chain_id","reference","created_at","id") WHERE "transfers"."reference" is not null;--> statement-breakpoint
CREATE INDEX "transfers_recipient_reference" ON "transfers" USING btree ("recipient_root_id","chain_id","reference","created_at","id") WHERE "transfers"."reference" is not null;--> statement-breakpoint
CREATE INDEX "transfers_refund_of" ON "transfers" USING btree ("refund_of","created_at","id") WHERE "transfers"."refund_of" is not null;