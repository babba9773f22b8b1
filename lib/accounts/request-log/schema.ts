import { z } from "zod";
import { CURSOR_OR_OFFSET, cursorQuery, PAGE_QUERY } from "@/lib/base/paging";

/** What became of a request, by its status: below 400, below 500, and above. */
const OUTCOMES = ["succeeded", "refused", "failed"] as const;
/** The methods that operations have. */
const LOGGED_METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

/** The query of `GET /v1/request-log`. */
export const ListRequestsQuery = z
  .strictObject({
    ...PAGE_QUERY,
    ...cursorQuery("request"),
    outcome: z.enum(OUTCOMES, "outcome is succeeded, refused or failed.").optional().meta({
      description:
        "Returns only requests that succeeded (a status below 400), that were refused (4xx), or that failed at the service (5xx).",
    }),
    method: z
      .enum(LOGGED_METHODS, "method is GET, POST, PATCH, PUT or DELETE.")
      .optional()
      .meta({ description: "Returns only requests with this method." }),
    key: z
      .string()
      .regex(/^key_[0-9A-Z]{26}$/, "key is the id of an API key.")
      .optional()
      .meta({ description: "Returns only requests with this API key, by its id." }),
  })
  .refine(...CURSOR_OR_OFFSET);

/** The parsed query. */
export type ListRequestsQuery = z.infer<typeof ListRequestsQuery>;
