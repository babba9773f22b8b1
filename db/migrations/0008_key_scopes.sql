ALTER TABLE "api_keys" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_ips" text[];--> statement-breakpoint
CREATE INDEX "accounts_look_alike" ON "accounts" USING btree (translate("handle", '1i0-_', 'llo')) WHERE "accounts"."type" <> 'agent';