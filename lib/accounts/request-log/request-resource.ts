import { z } from "zod";
import { isoTime } from "@/lib/base/clock";
import { idTime } from "@/lib/base/ids";
import { idField, PAGE_FIELDS, timeField } from "@/lib/base/response-fields";
import type { RequestsPage } from "./list-requests";

const LoggedRequestResource = z
  .object({
    request_id: idField("request", "The `X-Request-Id` of the response."),
    created_at: timeField("When the request arrived."),
    key_id: idField("key", "The API key, or the access token of an application."),
    key_label: z
      .string()
      .nullable()
      .meta({ description: "The key's label, or the application's name; null if neither is there any more." }),
    method: z.string().meta({ description: "The HTTP method.", examples: ["GET"] }),
    route: z
      .string()
      .meta({ description: "The path as a template, without ids.", examples: ["/v1/transfers/{transfer_id}"] }),
    status: z.int().meta({ description: "The HTTP status of the response.", examples: [200] }),
    error_code: z.string().nullable().meta({ description: "The error's `code`; null if the request succeeded." }),
    duration_ms: z.int().meta({ description: "How long the service took, in milliseconds." }),
  })
  .meta({
    id: "LoggedRequest",
    description: "A request with an API key: never its query, its body, an amount or a key.",
  });

/** A page of the request log. */
export const LoggedRequestList = z
  .object({
    requests: z.array(LoggedRequestResource).meta({ description: "The requests of this page." }),
    ...PAGE_FIELDS,
  })
  .meta({ id: "LoggedRequestList", description: "Requests with the account's API keys, newest first." });

/** Serializes a page of the request log. */
export function toRequestList({ rows, limit, offset, hasMore }: RequestsPage) {
  return {
    requests: rows.map(({ id, keyId, keyLabel, method, route, status, errorCode, durationMs }) => ({
      request_id: id,
      created_at: isoTime(new Date(idTime("request", id))),
      key_id: keyId,
      key_label: keyLabel,
      method,
      route,
      status,
      error_code: errorCode,
      duration_ms: durationMs,
    })),
    limit,
    offset,
    has_more: hasMore,
  };
}

/** A request with an API key, as pages show it. */
export type LoggedRequestView = ReturnType<typeof toRequestList>["requests"][number];
