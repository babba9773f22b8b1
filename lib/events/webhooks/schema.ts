import { z } from "zod";
import { isId } from "@/lib/base/ids";
import {
  CURSOR_OR_OFFSET,
  cursorQuery,
  InstantInput,
  optionalPageQuery,
  PAGE_QUERY,
  TIMES_IN_ORDER,
  TIMES_QUERY,
} from "@/lib/base/paging";
import { EVENT_TYPES } from "@/lib/events/catalogue";

const TypeInput = z.enum(EVENT_TYPES, `Name event types of the service: ${EVENT_TYPES.join(", ")}.`);

const UrlInput = z
  .string("Send url, an https address that accepts POST.")
  .meta({ description: "The https URL that receives events by POST.", examples: ["https://example.com/hooks"] });

/** A list of types without duplicates, in the catalogue's order. */
const EventsInput = z
  .array(TypeInput, "Send events, a list of event types.")
  .min(1, "Name at least one event type.")
  .max(100, "Name each event type once.")
  .transform((types) => EVENT_TYPES.filter((type) => types.includes(type)))
  .meta({ description: "The event types you want to receive, at least one." });

const StoreResponsesInput = z.boolean("store_responses is true or false.").optional().meta({
  description:
    "Whether the first 256 bytes of your responses are stored with each attempt. If omitted, `true` on the test network and `false` on the live network.",
});

/** The body of `POST /v1/webhooks`. lib/events/webhooks/check-url.ts decides which addresses are allowed. */
export const CreateWebhookInput = z
  .strictObject({ url: UrlInput, events: EventsInput, store_responses: StoreResponsesInput })
  .meta({ id: "CreateWebhook", description: "A webhook to create." });
export type CreateWebhookInput = z.infer<typeof CreateWebhookInput>;

/** The body of `PATCH /v1/webhooks/{webhook_id}`. Fields left out don't change. */
export const UpdateWebhookInput = z
  .strictObject({
    url: UrlInput.optional(),
    events: EventsInput.optional(),
    store_responses: StoreResponsesInput.meta({
      description: "Whether the first 256 bytes of your responses are stored with each attempt.",
    }),
    enabled: z
      .boolean("enabled is true or false.")
      .optional()
      .meta({ description: "Whether events are sent. Set it to `true` to enable a disabled webhook again." }),
  })
  .meta({ id: "UpdateWebhook", description: "Omitted fields keep their value." });
export type UpdateWebhookInput = z.infer<typeof UpdateWebhookInput>;

/** The body of `POST …/test`. Without `event`, a `transfer.confirmed` is sent. */
export const TestWebhookInput = z
  .strictObject({
    event: TypeInput.optional().meta({ description: "The type of event to send. If omitted, `transfer.confirmed`." }),
  })
  .default({})
  .meta({ id: "TestWebhook", description: "The test event to send. You can omit the body." });
export type TestWebhookInput = z.infer<typeof TestWebhookInput>;

/** The body of `POST …/redeliver`: redelivers every event that has failed since then. */
export const RedeliverInput = z
  .strictObject({
    since: InstantInput.meta({
      description: "Redelivers events whose delivery was queued at or after this time. ISO 8601 with a time zone.",
    }),
  })
  .meta({ id: "Redeliver", description: "Which failed deliveries to send again." });
export type RedeliverInput = z.infer<typeof RedeliverInput>;

/** The query of the lists of webhooks. */
export const ListWebhooksQuery = z.strictObject(optionalPageQuery("webhook"));

/** The query of `GET …/deliveries`. */
const DeliveryFilters = z.strictObject({
  ...PAGE_QUERY,
  ...TIMES_QUERY,
  ...cursorQuery("delivery"),
  status: z
    .enum(
      ["pending", "succeeded", "failed", "exhausted"],
      "status is pending, succeeded, failed (tried again) or exhausted.",
    )
    .optional()
    .meta({ description: "Returns only deliveries with this status." }),
  event: TypeInput.optional().meta({ description: "Returns only deliveries of events of this type." }),
  event_id: z
    .string()
    .refine((id) => isId("event", id), "event_id is the id of an event.")
    .optional()
    .meta({ description: "Returns only deliveries of the event with this id." }),
});
export const ListDeliveriesQuery = DeliveryFilters.refine(...TIMES_IN_ORDER).refine(...CURSOR_OR_OFFSET);
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;

/** The query of `GET /api/deliveries`: deliveries to all webhooks, or to one. */
export const ListAllDeliveriesQuery = DeliveryFilters.extend({
  webhook_id: z
    .string()
    .refine((id) => isId("webhook", id), "webhook_id is the id of a webhook.")
    .optional(),
})
  .refine(...TIMES_IN_ORDER)
  .refine(...CURSOR_OR_OFFSET);
export type ListAllDeliveriesQuery = z.infer<typeof ListAllDeliveriesQuery>;
