import { InvalidArgumentError, Option } from "commander";
import { type ListenNews, listen } from "../listen";
import type { WebhookDelivery, WebhookSubscription } from "../webhooks";
import { fields, table, time } from "./output";
import { type AddCommand, integer } from "./program";

const list = (text: string): string[] => text.split(",").map((type) => type.trim());

/** A time as an option: ISO 8601 with its zone. */
function instant(text: string): Date {
  const time = new Date(text);
  if (/(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError("It must be a time such as 2026-11-21T02:07:36Z.");
}

function showWebhook({ events, ...webhook }: WebhookSubscription & { secret?: string }): string {
  return fields({ ...webhook, events: events.join(", ") });
}

const showCreated = (webhook: WebhookSubscription & { secret: string }) =>
  `${showWebhook(webhook)}\n\nCopy the secret now: it cannot be shown again.`;

const showDelivery = ({ response_body, ...delivery }: WebhookDelivery) =>
  fields({ ...delivery, ...(response_body ? { response_body } : {}) });

function showDeliveries(deliveries: WebhookDelivery[]): string {
  return table(
    ["created", "id", "event id", "event", "trigger", "status", "attempts", "answer", "ms", "next attempt"],
    deliveries.map((one) => [
      time(one.created_at),
      one.delivery_id,
      one.event_id,
      one.event,
      one.trigger,
      one.status,
      String(one.attempt),
      one.error ?? (one.response_code === null ? null : String(one.response_code)),
      one.duration_ms === null ? null : String(one.duration_ms),
      time(one.next_attempt_at),
    ]),
    "No deliveries.",
  );
}

/** `webhooks create`, `list`, `update`, `delete`, `rotate-secret`, `test`, `replay`, `redeliver`, `deliveries`. */
export const webhookCommands: AddCommand = (program, reports) => {
  const webhooks = program.command("webhooks").description("webhooks: where the account's events are sent");

  const create = webhooks
    .command("create")
    .description("subscribe an address to event types; the signing secret is shown once")
    .argument("<url>", "https address that accepts POST; on the local stack http://localhost too")
    .requiredOption("--events <types>", "event types with commas between", list);
  create.action((url: string) =>
    reports.withClient(
      create,
      (client) => client.webhooks.create({ url, ...create.opts<{ events: string[] }>() }),
      showCreated,
    ),
  );

  const listed = webhooks.command("list").description("the account's webhooks");
  listed.action(() =>
    reports.withClient(
      listed,
      (client) => client.webhooks.list(),
      (result) =>
        table(
          ["id", "url", "state", "created", "events"],
          result.webhooks.map((one) => [
            one.webhook_id,
            one.url,
            one.enabled ? "enabled" : `disabled (${one.disabled_reason})`,
            time(one.created_at),
            one.events.join(", "),
          ]),
          "No webhooks yet. Make one with: halcyon webhooks create https://… --events transfer.confirmed",
        ),
    ),
  );

  const update = webhooks
    .command("update")
    .description("change a webhook's address or event types, disable it or enable it again")
    .argument("<id>", "the webhook's id")
    .option("--endpoint <url>", "new address; gets what is still to be delivered too")
    .option("--events <types>", "new event types with commas between", list)
    .addOption(new Option("--enable", "deliver again").conflicts("disable"))
    .option("--disable", "deliver nothing until it is enabled again");
  update.action((id: string) => {
    const { endpoint, events, enable, disable } = update.opts<{
      endpoint?: string;
      events?: string[];
      enable?: boolean;
      disable?: boolean;
    }>();
    const enabled = enable ? true : disable ? false : undefined;
    return reports.withClient(
      update,
      (client) => client.webhooks.update(id, { url: endpoint, events, enabled }),
      showWebhook,
    );
  });

  const remove = webhooks
    .command("delete")
    .description("end a webhook at once, with all it has not delivered")
    .argument("<id>", "the webhook's id");
  remove.action((id: string) =>
    reports.withClient(
      remove,
      async (client) => {
        await client.webhooks.delete(id);
        return { webhook_id: id, deleted: true };
      },
      (result) => fields(result),
    ),
  );

  const rotate = webhooks
    .command("rotate-secret")
    .description("make a new signing secret; the one before signs too for 24 hours")
    .argument("<id>", "the webhook's id");
  rotate.action((id: string) => reports.withClient(rotate, (client) => client.webhooks.rotateSecret(id), showCreated));

  const test = webhooks
    .command("test")
    .description("send a sample event")
    .argument("<id>", "the webhook's id")
    .option("--event <type>", "event type of the sample");
  test.action((id: string) =>
    reports.withClient(test, (client) => client.webhooks.test(id, test.opts()), showDelivery),
  );

  const replay = webhooks
    .command("replay")
    .description("deliver one event again, now")
    .argument("<id>", "the webhook's id")
    .argument("<event-id>", "the event's id");
  replay.action((id: string, eventId: string) =>
    reports.withClient(replay, (client) => client.webhooks.replay(id, eventId), showDelivery),
  );

  const redeliver = webhooks
    .command("redeliver")
    .description("deliver again, now, everything that failed since a time")
    .argument("<id>", "the webhook's id")
    .requiredOption("--since <time>", "such as 2026-11-21T02:07:36Z", instant);
  redeliver.action((id: string) =>
    reports.withClient(
      redeliver,
      async (client) => {
        let queued = 0;
        for (let more = true; more; ) {
          const answer = await client.webhooks.redeliver(id, redeliver.opts<{ since: Date }>());
          queued += answer.queued;
          more = answer.has_more;
        }
        return { queued };
      },
      (result) => fields(result),
    ),
  );

  const deliveries = webhooks
    .command("deliveries")
    .description("what was and will be delivered, newest first")
    .argument("<id>", "the webhook's id")
    .option("--limit <number>", "how many, up to 100", integer, 20)
    .option("--offset <number>", "how many to leave out", integer, 0)
    .addOption(new Option("--status <status>", "only these").choices(["pending", "succeeded", "failed", "exhausted"]));
  deliveries.action((id: string) =>
    reports.withClient(
      deliveries,
      (client) => client.webhooks.deliveries(id, deliveries.opts()),
      (result) => showDeliveries(result.deliveries),
    ),
  );
};

/** `events`. */
export const eventCommands: AddCommand = (program, reports) => {
  const events = program
    .command("events")
    .description("what happened to the account and its agents, newest first")
    .option("--limit <number>", "how many, up to 100", integer, 20)
    .option("--offset <number>", "how many to leave out", integer, 0)
    .option("--types <types>", "event types with commas between", list);
  events.action(() =>
    reports.withClient(
      events,
      (client) => client.events.list(events.opts()),
      (result) =>
        table(
          ["time", "id", "event", "account", "about"],
          result.events.map((one) => [
            time(one.timestamp),
            one.event_id,
            one.event,
            one.account,
            "transfer_id" in one ? one.transfer_id : "transaction_id" in one ? one.transaction_id : one.policy_id,
          ]),
          "Nothing yet.",
        ),
    ),
  );
};

function showNews(news: ListenNews): string {
  const clock = time(new Date().toISOString());
  switch (news.kind) {
    case "ready":
      return `Ready. Events go to ${news.forward_to}, signed with ${news.secret} (Ctrl-C ends).`;
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
  const listening = program
    .command("listen")
    .description("post the account's events to an address as they happen, signed; until Ctrl-C")
    .requiredOption("--forward-to <url>", "such as http://localhost:4000/hook")
    .option("--events <types>", "only these event types, with commas between", list);
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
