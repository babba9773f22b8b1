CREATE INDEX "transfers_payer_release" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."kind" = 'release';--> statement-breakpoint
CREATE INDEX "transfers_payer_fund" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."kind" = 'fund';--> statement-breakpoint
CREATE INDEX "transfers_payer_refund" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."refund_of" is not null;--> statement-breakpoint
CREATE INDEX "transfers_payer_request" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."payment_request_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_recipient_release" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id") WHERE "transfers"."kind" = 'release';--> statement-breakpoint
CREATE INDEX "transfers_recipient_fund" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id") WHERE "transfers"."kind" = 'fund';--> statement-breakpoint
CREATE INDEX "transfers_recipient_refund" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id") WHERE "transfers"."refund_of" is not null;--> statement-breakpoint
CREATE INDEX "transfers_recipient_request" ON "transfers" USING btree ("recipient_root_id","chain_id","created_at","id") WHERE "transfers"."payment_request_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_payer_payout" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."payout_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_payer_schedule" ON "transfers" USING btree ("payer_root_id","chain_id","created_at","id") WHERE "transfers"."schedule_run_id" is not null;