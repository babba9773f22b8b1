import type { Event } from "../api/resources";
import { withExamples } from "./examples";
import { type ListenNews, listen } from "./listen";
import { table, time } from "./output";
import { type AddCommand, integer } from "./program";
import { eventTypes } from "./webhook-commands";

/** `events`. */
export const eventCommands: AddCommand = (program, reports) => {
  const events = withExamples(
    program
      .command("events")
      .description("list events of the account and its agents, newest first")
      .option("--limit <number>", "how many, up to 100", integer, 20)
      .option("--offset <number>", "how many to skip", integer, 0)
      .option("--types <types>", "event types, separated by commas", eventTypes),
    "events",
    "events --types transfer.confirmed --limit 100",
  );
  events.action(() =>
    reports.withClient(
      events,
      (client) => client.events.list(events.opts()),
      (result) =>
        table(
          ["time", "id", "event", "account", "about"],
          result.events.map((one) => [time(one.timestamp), one.event_id, one.event, one.account, aboutOf(one)]),
          "No events yet.",
        ),
    ),
  );
};

/** The id of what an event is about; of an account's own events the time. */
function aboutOf(event: Event): string {
  if ("transfer_id" in event) return event.transfer_id;
  if ("transaction_id" in event) return event.transaction_id;
  if ("policy_id" in event) return event.policy_id;
  return time("expires_at" in event ? event.expires_at : event.expired_at);
}

function showNews(news: ListenNews): string {
  const clock = time(new Date().toISOString());
  switch (news.kind) {
    case "ready":
      return `Ready. Events go to ${news.forward_to}, signed with ${news.secret} (press Ctrl-C to stop).`;
    case "event":
      return `${clock}  --> ${news.event.event} [${news.event.event_id}]`;
    case "answer":
      return `${clock}  <-- [${news.status ?? "ERR"}] ${news.error ?? `${news.duration_ms} ms`} [${news.event.event_id}]`;
    case "lost":
      return `${clock}  ... ${news.message} Trying again.`;
    case "found":
      return `${clock}  ... The service is back.`;
  }
}

/** `listen`. */
export const listenCommands: AddCommand = (program, reports) => {
  const listening = withExamples(
    program
      .command("listen")
      .description("forward events to a local address as they happen, signed; press Ctrl-C to stop")
      .requiredOption("--forward-to <url>", "such as http://localhost:4000/hook")
      .option("--events <types>", "only these event types, separated by commas", eventTypes),
    "listen --forward-to http://localhost:4000/hook",
    "listen --forward-to http://localhost:4000/hook --events transfer.confirmed",
  );
  listening.action(() =>
    reports.streaming<ListenNews>(
      listening,
      async (client, tell) => {
        const { forwardTo, events } = listening.opts<{ forwardTo: string; events?: string[] }>();
        const end = new AbortController();
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => end.abort());
        await listen(client, { forwardTo, events, signal: end.signal, tell });
      },
      showNews,
    ),
  );
};
