SET LOCAL lock_timeout = '4s';--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("root_id","chain_id","actor_type","position");--> statement-breakpoint
CREATE INDEX "audit_log_time" ON "audit_log" USING btree ("root_id","chain_id","created_at","position");--> statement-breakpoint
CREATE INDEX "api_keys_listed" ON "api_keys" USING btree ("account_id","chain_id","created_at") WHERE "api_keys"."audience" is null;--> statement-breakpoint
CREATE INDEX "api_keys_agent" ON "api_keys" USING btree ("agent_id","created_at") WHERE "api_keys"."agent_id" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_live" ON "api_keys" USING btree ("account_id","chain_id","expires_at") WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "notes_open_asset" ON "notes" USING btree ("chain_id","account","asset","block_number","log_index") WHERE not "notes"."spent";--> statement-breakpoint
CREATE INDEX "notes_note" ON "notes" USING btree ("note");--> statement-breakpoint
CREATE INDEX "schedules_live" ON "schedules" USING btree ("account_id","chain_id","id") WHERE "schedules"."status" <> 'ended';--> statement-breakpoint
DROP INDEX "notes_open";