SET LOCAL lock_timeout = '4s';--> statement-breakpoint
CREATE INDEX "outgoing_transactions_nonce" ON "outgoing_transactions" USING btree ("chain_id","relayer","nonce");