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
ALTER TABLE "identity_checks" ADD CONSTRAINT "identity_checks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identity_checks_account" ON "identity_checks" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_checks_open" ON "identity_checks" USING btree ("account_id","chain_id") WHERE "identity_checks"."state" in ('needs_input', 'processing');--> statement-breakpoint
CREATE INDEX "identity_checks_to_read" ON "identity_checks" USING btree ("read_at") WHERE "identity_checks"."state" in ('needs_input', 'processing');--> statement-breakpoint
CREATE INDEX "screened_addresses_age" ON "screened_addresses" USING btree ("screened_at");