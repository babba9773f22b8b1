import { Option } from "commander";
import type { AuditLogInput } from "../account/audit-log";
import type { AuditEntry } from "../api/resources/audit-log";
import { type Listing, listOptions } from "./listing";
import { parseInstant } from "./option-values";
import { time } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

const LISTING: Listing<AuditEntry> = {
  name: "entries",
  headings: ["time", "id", "actor", "action", "target", "from"],
  row: ({ created_at, id, actor, action, target, client_address }) => [
    time(created_at),
    id,
    actor.label ? `${actor.type} ${actor.label}` : actor.type,
    action,
    target,
    client_address,
  ],
  none: "No entries.",
  columns: [
    "id",
    "position",
    "created_at",
    "actor_type",
    "actor_id",
    "actor_label",
    "action",
    "target",
    "before",
    "after",
    "client_address",
    "hash",
    "previous_hash",
  ],
  record: (entry) => [
    entry.id,
    entry.position,
    entry.created_at,
    entry.actor.type,
    entry.actor.id,
    entry.actor.label,
    entry.action,
    entry.target,
    entry.before && JSON.stringify(entry.before),
    entry.after && JSON.stringify(entry.after),
    entry.client_address,
    entry.hash,
    entry.previous_hash,
  ],
};

/** `audit-log`. */
export const auditLogCommands: AddCommand = (program, reports) => {
  const log = withExamples(
    listOptions(
      program
        .command("audit-log")
        .description("list who did what in the account, newest first (needs an API key of the account)"),
    )
      .option("--action <action>", "only this action, such as agent.policy.updated")
      .addOption(
        new Option("--actor <type>", "only what such an actor did").choices(["key", "session", "agent", "system"]),
      )
      .option("--target <id>", "only what was done to this id")
      .option("--from <time>", "only what happened after this time, such as 2026-11-21", parseInstant)
      .option("--to <time>", "only what happened before this time", parseInstant),
    "audit-log",
    "audit-log --actor agent --from 2026-11-21",
    "audit-log --all --csv > audit-log.csv",
  );
  log.action(() => {
    const { action, actor, target, from, to } = log.opts<AuditLogInput>();
    const filters = { action, actor, target, from, to };
    return reports.listing(log, (client, page) => client.auditLog.list({ ...filters, ...page }), LISTING);
  });
};
