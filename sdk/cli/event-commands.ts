import { join } from "node:path";
import type { Event } from "../api/resources/events";
import { configDir } from "../context/platform/config-dir";
import type { ListEventsInput } from "../resources/events-resource";
import { inCommandLineWords } from "./command-line-words";
import { type ListenNews, listen } from "./listen";
import { listenSecret } from "./listen-secret";
import { type Listing, listOptions } from "./listing";
import { untilStopped } from "./look-again";
import { parseInstant } from "./option-values";
import { time } from "./output";
import type { AddCommand } from "./program";
import { eventTypes } from "./webhook-commands";
import { withExamples } from "./with-examples";

/** `events`. */
export const eventCommands: AddCommand = (program, reports) => {
  const events = withExamples(
    listOptions(
      program.command("events").description("list events of the account and its agents, newest first (kept 90 days)"),
    )
      .option("--types <types>", "event types, separated by commas", eventTypes)
      .option("--from <time>", "only those after this time, such as 2026-11-21", parseInstant)
      .option("--to <time>", "only those before this time", parseInstant),
    "events",
    "events --types transfer.confirmed --limit 100",
  );
  events.action(() => {
    const { types, from, to } = events.opts<ListEventsInput>();
    return reports.listing(events, (client, page) => client.events.list({ types, from, to, ...page }), EVENTS);
  });
};

const EVENTS: Listing<Event> = {
  name: "events",
  headings: ["time", "id", "event", "account", "about"],
  row: (one) => [time(one.timestamp), one.event_id, one.event, one.account, aboutOf(one)],
  none: "No events.",
  columns: ["event_id", "timestamp", "event", "account", "about"],
  record: (one) => [one.event_id, one.timestamp, one.event, one.account, aboutOf(one)],
};

/** Fields with the id of an event's subject; the first one present counts. */
const ABOUT = [
  "payment_request_id",
  "run_id",
  "payout_id",
  "key_id",
  "webhook_id",
  "agent_id",
  "transfer_id",
  "transaction_id",
  "policy_id",
  "tx_hash",
] as const;

/** Returns the id of an event's subject. For events about the payment key, returns the time. */
function aboutOf(event: Event): string {
  const fields: Record<string, unknown> = { ...event };
  const named = ABOUT.find((name) => typeof fields[name] === "string");
  return named ? String(fields[named]) : time(String(fields.expires_at ?? fields.expired_at));
}

function showNews(news: ListenNews): string {
  const clock = time(new Date().toISOString());
  switch (news.kind) {
    case "ready":
      return news.forward_to === undefined
        ? "Ready. Waiting for events (press Ctrl-C to stop)."
        : `Ready. Events go to ${news.forward_to}, signed with ${news.secret} (press Ctrl-C to stop).`;
    case "event":
      return `${clock}  --> ${news.event.event} [${news.event.event_id}] ${news.event.account} ${aboutOf(news.event)}`;
    case "answer":
      return `${clock}  <-- [${news.status ?? "ERR"}] ${news.error ?? `${news.duration_ms} ms`} [${news.event.event_id}]`;
    case "lost":
      return `${clock}  ... ${inCommandLineWords(news.message)} Trying again.`;
    case "found":
      return `${clock}  ... The service is back.`;
  }
}

/** `listen`. */
export const listenCommands: AddCommand = (program, reports, variables) => {
  const listening = withExamples(
    program
      .command("listen")
      .description("show events as they happen; with --forward-to post them to your machine, signed. Ctrl-C stops it")
      .option("--forward-to <url>", "post each event to this address, such as http://localhost:4000/hook")
      .option("--events <types>", "only these event types, separated by commas", eventTypes),
    "listen",
    "listen --forward-to http://localhost:4000/hook",
    "listen --forward-to http://localhost:4000/hook --events transfer.confirmed",
  );
  listening.action(() =>
    reports.streaming<ListenNews>(
      listening,
      async (client, tell, closed) => {
        const { forwardTo, events } = listening.opts<{ forwardTo?: string; events?: string[] }>();
        const secretOf = (accountId: string) => listenSecret(accountId, join(configDir(variables), "listen"));
        await listen(client, { forwardTo, events, signal: untilStopped(closed), tell, secretOf });
      },
      showNews,
    ),
  );
};
