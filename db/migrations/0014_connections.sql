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
	"sealed_token" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "open_offers" (
	"agent_id" text NOT NULL,
	"name" "bytea" NOT NULL,
	"sealed" "bytea" NOT NULL,
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
ALTER TABLE "api_keys" ADD COLUMN "audience" text;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_offers" ADD CONSTRAINT "open_offers_agent_id_accounts_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_requests" ADD CONSTRAINT "token_requests_agent_id_accounts_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_code" ON "connections" USING btree ("code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_key" ON "connections" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "connections_account" ON "connections" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE INDEX "connections_created" ON "connections" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "connections_sealed" ON "connections" USING btree ("code_expires_at") WHERE "connections"."sealed_token" is not null;--> statement-breakpoint
CREATE INDEX "open_offers_created" ON "open_offers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "token_requests_created" ON "token_requests" USING btree ("created_at");