CREATE TABLE "local_mail" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "local_mail_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"message_id" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"plain" text NOT NULL,
	"html" text NOT NULL,
	"headers" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "noticed_things" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"noticed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "noticed_things_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "notification_emails" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"sealed" "bytea" NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"confirm_hash" "bytea",
	"confirm_until" timestamp (3) with time zone,
	"unsubscribe_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_sends" (
	"target" text NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_sends_target_kind_cause_pk" PRIMARY KEY("target","kind","cause")
);
--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"email_kinds" text[] NOT NULL,
	"push_kinds" text[] NOT NULL,
	CONSTRAINT "notification_settings_root_id_chain_id_pk" PRIMARY KEY("root_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "push_devices" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"endpoint_hash" "bytea" NOT NULL,
	"sealed" "bytea" NOT NULL,
	"service" text NOT NULL,
	"user_agent" text,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "notification_emails" ADD CONSTRAINT "notification_emails_root_id_accounts_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_root_id_accounts_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_root_id_accounts_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "local_mail_message" ON "local_mail" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "local_mail_root" ON "local_mail" USING btree ("root_id","chain_id","id");--> statement-breakpoint
CREATE INDEX "local_mail_age" ON "local_mail" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "noticed_things_age" ON "noticed_things" USING btree ("noticed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_emails_root" ON "notification_emails" USING btree ("root_id","chain_id");--> statement-breakpoint
CREATE INDEX "notification_sends_newest" ON "notification_sends" USING btree ("target","kind","sent_at");--> statement-breakpoint
CREATE INDEX "notification_sends_age" ON "notification_sends" USING btree ("sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "push_devices_endpoint" ON "push_devices" USING btree ("root_id","chain_id","endpoint_hash");--> statement-breakpoint
CREATE INDEX "webhooks_failing" ON "webhooks" USING btree ("failing_since") WHERE "webhooks"."failing_since" is not null and "webhooks"."enabled" and "webhooks"."deleted_at" is null;