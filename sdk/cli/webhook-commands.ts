import { InvalidArgumentError, Option } from "commander";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import type { Delivery, Webhook } from "../api/resources/webhooks";
import type { EventType } from "../api/webhooks/webhook-events";
import type { Halcyon } from "../client";
import type { ListDeliveriesInput } from "../resources/webhooks-resource";
import { closest } from "./closest";
import { type Listing, listOptions, moreOf, type PageOptions, pageOptions } from "./listing";
import { parseInstant, someOf } from "./option-values";
import { fields, table, time } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

const STORE_RESPONSES = "store the first 256 bytes of each response (on the test network the default)";

/** Parses event types separated by commas. */
export function eventTypes(text: string): string[] {
  const known: readonly string[] = EVENT_TYPES;
  const types = text.split(",").map((type) => type.trim());
  // One that is like none may be of a newer service, which refuses it if it isn't.
  for (const type of types.filter((each) => !known.includes(each))) {
    const meant = closest(type, known);
    if (meant) throw new InvalidArgumentError(`There is no event type ${type}. Did you mean ${meant}?`);
  }
  return types;
}

function showWebhook({ events, ...webhook }: Webhook & { secret?: string }): string {
  return fields({ ...webhook, events: events.join(", ") });
}

const showCreated = (webhook: Webhook & { secret: string }) =>
  `${showWebhook(webhook)}\n\nCopy the secret now. You can't see it again.`;

function showDelivery({ response_body, attempts, ...delivery }: Delivery): string {
  const shown = fields({ ...delivery, ...(response_body ? { response_body } : {}) });
  if (attempts.length === 0) return shown;
  const rows = attempts.map((one) => [
    String(one.attempt),
    time(one.attempted_at),
    String(one.duration_ms),
    one.error ?? String(one.response_code),
    one.response_body,
  ]);
  return `${shown}\n\n${table(["attempt", "at", "ms", "result", "response"], rows, "")}`;
}

const DELIVERIES: Listing<Delivery> = {
  name: "deliveries",
  headings: ["created", "id", "event id", "event", "trigger", "status", "attempts", "response", "ms", "next attempt"],
  row: (one) => [
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
  ],
  none: "No deliveries.",
  columns: [
    "delivery_id",
    "created_at",
    "event_id",
    "event",
    "trigger",
    "status",
    "attempts",
    "response_code",
    "error",
    "duration_ms",
    "attempted_at",
    "next_attempt_at",
    "url",
  ],
  record: (one) => [
    one.delivery_id,
    one.created_at,
    one.event_id,
    one.event,
    one.trigger,
    one.status,
    one.attempt,
    one.response_code,
    one.error,
    one.duration_ms,
    one.attempted_at,
    one.next_attempt_at,
    one.url,
  ],
};

/** `webhooks create`, `list`, `update`, `delete`, `rotate-secret`, `test`, `replay`, `redeliver`, `deliveries`. */
export const webhookCommands: AddCommand = (program, reports) => {
  const webhooks = withExamples(
    program.command("webhooks").description("manage webhook endpoints and their deliveries"),
    "webhooks create https://example.com/hook --events transfer.confirmed",
    "webhooks list",
  );

  const create = withExamples(
    webhooks
      .command("create")
      .description("subscribe an address to event types; the signing secret is shown once")
      .argument("<url>", "https address that accepts POST; on the local stack http://localhost too")
      .requiredOption("--events <types>", "event types, separated by commas", eventTypes)
      .addOption(new Option("--store-responses", STORE_RESPONSES))
      .addOption(new Option("--no-store-responses", "store no responses")),
    "webhooks create https://example.com/hook --events transfer.confirmed,transfer.failed",
  );
  create.action((url: string) => {
    const { events, storeResponses } = create.opts<{ events: EventType[]; storeResponses?: boolean }>();
    return reports.withClient(
      create,
      (client) => client.webhooks.create({ url, events, store_responses: storeResponses }),
      showCreated,
    );
  });

  const listed = withExamples(
    pageOptions(webhooks.command("list").description("list the account's webhooks")),
    "webhooks list",
  );
  listed.action(() =>
    reports.withClient(
      listed,
      (client) => client.webhooks.list(listed.opts()),
      (result) =>
        `${table(
          ["id", "url", "state", "created", "events"],
          result.webhooks.map((one) => [
            one.webhook_id,
            one.url,
            one.enabled ? "enabled" : `disabled (${one.disabled_reason})`,
            time(one.created_at),
            one.events.join(", "),
          ]),
          "No webhooks yet. Create one with: halcyon webhooks create https://… --events transfer.confirmed",
        )}${moreOf(result)}`,
    ),
  );

  const update = withExamples(
    webhooks
      .command("update")
      .description("change a webhook's address or event types, or disable or enable it")
      .argument("<id>", "the webhook's id")
      .option("--endpoint <url>", "new address; pending deliveries go there too")
      .option("--events <types>", "new event types, separated by commas", eventTypes)
      .addOption(new Option("--store-responses", STORE_RESPONSES))
      .addOption(new Option("--no-store-responses", "store no responses"))
      .addOption(new Option("--enable", "deliver again").conflicts("disable"))
      .option("--disable", "stop deliveries until you enable it again"),
    "webhooks update wh_01M7Y0D782DCT0HV92M2GAZR6T --events transfer.confirmed",
    "webhooks update wh_01M7Y0D782DCT0HV92M2GAZR6T --disable",
  );
  update.action((id: string) => {
    const { endpoint, events, storeResponses, enable, disable } = update.opts<{
      endpoint?: string;
      events?: EventType[];
      storeResponses?: boolean;
      enable?: boolean;
      disable?: boolean;
    }>();
    const enabled = enable ? true : disable ? false : undefined;
    const changes = { url: endpoint, events, enabled, store_responses: storeResponses };
    return reports.withClient(
      update,
      async (client) => client.webhooks.update(id, someOf(changes, "what to change, such as --events or --disable")),
      showWebhook,
    );
  });

  const remove = withExamples(
    webhooks
      .command("delete")
      .description("delete a webhook and its pending deliveries")
      .argument("<id>", "the webhook's id"),
    "webhooks delete wh_01M7Y0D782DCT0HV92M2GAZR6T",
  );
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

  const rotate = withExamples(
    webhooks
      .command("rotate-secret")
      .description("create a new signing secret; the previous one also signs for 24 hours")
      .argument("<id>", "the webhook's id"),
    "webhooks rotate-secret wh_01M7Y0D782DCT0HV92M2GAZR6T",
  );
  rotate.action((id: string) => reports.withClient(rotate, (client) => client.webhooks.rotateSecret(id), showCreated));

  const test = withExamples(
    webhooks
      .command("test")
      .description("send a sample event")
      .argument("<id>", "the webhook's id")
      .option("--event <type>", "event type of the sample"),
    "webhooks test wh_01M7Y0D782DCT0HV92M2GAZR6T --event transfer.confirmed",
  );
  test.action((id: string) =>
    reports.withClient(test, (client) => client.webhooks.test(id, test.opts()), showDelivery),
  );

  const replay = withExamples(
    webhooks
      .command("replay")
      .description("deliver one event again now")
      .argument("<id>", "the webhook's id")
      .argument("<event-id>", "the event's id"),
    "webhooks replay wh_01M7Y0D782DCT0HV92M2GAZR6T evt_01M7Y0D782DCT0HV92M2GAZR6T",
  );
  replay.action((id: string, eventId: string) =>
    reports.withClient(replay, (client) => client.webhooks.replay(id, eventId), showDelivery),
  );

  const redeliver = withExamples(
    webhooks
      .command("redeliver")
      .description("retry every delivery that failed since a given time")
      .argument("<id>", "the webhook's id")
      .requiredOption("--since <time>", "such as 2026-11-21T02:07:36Z", parseInstant),
    "webhooks redeliver wh_01M7Y0D782DCT0HV92M2GAZR6T --since 2026-11-21T02:07:36Z",
  );
  redeliver.action((id: string) =>
    reports.withClient(
      redeliver,
      async (client) => {
        let queued = 0;
        for (let more = true; more; ) {
          const response = await client.webhooks.redeliver(id, redeliver.opts<{ since: Date }>());
          queued += response.queued;
          more = response.has_more;
        }
        return { queued };
      },
      (result) => fields(result),
    ),
  );

  const deliveries = withExamples(
    listOptions(
      webhooks
        .command("deliveries")
        .description("list deliveries, sent and pending, newest first")
        .argument("<id>", "the webhook's id"),
    )
      .addOption(
        new Option("--status <status>", "only deliveries with this status").choices([
          "pending",
          "succeeded",
          "failed",
          "exhausted",
        ]),
      )
      .addOption(new Option("--event <type>", "only deliveries of this event type").choices([...EVENT_TYPES]))
      .option("--event-id <id>", "only deliveries of this event")
      .option("--from <time>", "only those queued after this time, such as 2026-11-21", parseInstant)
      .option("--to <time>", "only those queued before this time", parseInstant),
    "webhooks deliveries wh_01M7Y0D782DCT0HV92M2GAZR6T --status exhausted",
    "webhooks deliveries wh_01M7Y0D782DCT0HV92M2GAZR6T --event transfer.failed --from 2026-11-21 --all --csv",
  );
  deliveries.action((id: string) => {
    const { status, event, eventId, from, to } = deliveries.opts<ListDeliveriesInput & { eventId?: string }>();
    const filters = { status, event, event_id: eventId, from, to };
    const read = (client: Halcyon, page: PageOptions) => client.webhooks.deliveries(id, { ...filters, ...page });
    return reports.listing(deliveries, read, DELIVERIES);
  });
};
