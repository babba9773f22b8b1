CREATE TABLE "audit_anchors_final" (
	"chain_id" integer NOT NULL,
	"day" integer NOT NULL,
	CONSTRAINT "audit_anchors_final_chain_id_day_pk" PRIMARY KEY("chain_id","day")
);
--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_checkpoints_root_id_chain_id_pk" PRIMARY KEY("root_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "event_sources" (
	"source" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- Three tables that grow for ever become partitioned by month (docs/decisions/0209-partitions-by-month.md). Each keeps
-- its rows and indexes where they are: it becomes the first partition, up to the end of this month, and is read once
-- while it is locked. Who cannot lock them soon tries again later, so that no payment waits for long.
SET LOCAL lock_timeout = '4s';--> statement-breakpoint
-- Before its sources are copied: what another process announces meanwhile would be in neither the copy nor the trigger.
LOCK TABLE "events" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO "event_sources" SELECT "source" FROM "events" WHERE "source" IS NOT NULL;--> statement-breakpoint
DROP INDEX "events_source";--> statement-breakpoint
DROP TRIGGER "audit_log_append_only" ON "audit_log";--> statement-breakpoint
DO $$
DECLARE
	name text;
	prefix text;
	part text;
	old record;
	ends timestamptz;
	bound text;
	newest text;
	ms bigint;
BEGIN
	FOR name, prefix IN VALUES ('events', 'evt_'), ('webhook_deliveries', 'dlv_'), ('audit_log', 'aud_') LOOP
		EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
		EXECUTE format('SELECT max(id) FROM %I', name) INTO newest;
		ends := date_trunc('month', now(), 'UTC');
		LOOP
			-- The first of a month, as the first ten characters of a ULID.
			ends := (ends AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
			ms := extract(epoch FROM ends)::bigint * 1000;
			bound := '';
			FOR i IN 1..10 LOOP
				bound := substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (ms % 32)::int + 1, 1) || bound;
				ms := ms / 32;
			END LOOP;
			bound := prefix || bound;
			EXIT WHEN newest IS NULL OR newest < bound;
		END LOOP;
		EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_start');
		FOR old IN SELECT indexrelid::regclass::text AS index FROM pg_index
			WHERE indrelid = (name || '_start')::regclass
		LOOP
			EXECUTE format('ALTER INDEX %s RENAME TO %I', old.index, replace(old.index, name, name || '_start'));
		END LOOP;
		EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (id)',
			name, name || '_start');
		EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', name);
		part := name || to_char(ends AT TIME ZONE 'UTC', '_YYYY_MM');
		EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, name || '_start');
		EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, name || '_start', bound);
		EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (MAXVALUE)', name, part, bound);
		IF name = 'webhook_deliveries' THEN
			EXECUTE format('ALTER TABLE %I SET (fillfactor = 50)', part);
		ELSIF name = 'audit_log' THEN
			EXECUTE format('CREATE TRIGGER "audit_log_not_truncated" BEFORE TRUNCATE ON %I
				FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_append_only"()', part);
		END IF;
	END LOOP;
END $$;--> statement-breakpoint
-- Finds and takes over the indexes that each partition has already.
CREATE INDEX "events_root" ON "events" USING btree ("root_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_root_type" ON "events" USING btree ("root_id","chain_id","type","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_exhausted" ON "webhook_deliveries" USING btree ("webhook_id","id") WHERE "webhook_deliveries"."exhausted_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_type" ON "webhook_deliveries" USING btree ("webhook_id","event","id") WHERE "webhook_deliveries"."event" not in ('transfer.initiated', 'transfer.confirmed');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("root_id","chain_id","target","position");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("root_id","chain_id","action","position");--> statement-breakpoint
-- The audit log is written once, in whichever partition.
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "audit_log_append_only"();--> statement-breakpoint
CREATE TRIGGER "audit_log_not_truncated" BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_append_only"();--> statement-breakpoint
-- What an event announces once is unique over all partitions, also for processes of an older version.
CREATE FUNCTION "events_source_once"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "event_sources" ("source") VALUES (NEW."source");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "events_source_once" AFTER INSERT ON "events" FOR EACH ROW WHEN (NEW."source" IS NOT NULL) EXECUTE FUNCTION "events_source_once"();
