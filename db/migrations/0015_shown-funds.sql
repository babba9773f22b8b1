CREATE TABLE "shown_funds" (
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"version" integer NOT NULL,
	"sealed" "bytea" NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shown_funds_account_id_chain_id_pk" PRIMARY KEY("account_id","chain_id")
);
--> statement-breakpoint
ALTER TABLE "shown_funds" ADD CONSTRAINT "shown_funds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;