import { z } from "zod";
import { optionalPageQuery } from "@/lib/base/paging";

/** The query of `GET /api/sessions`. A session's id is the hash of its token. */
export const ListSessionsQuery = z.strictObject({
  limit: optionalPageQuery("account").limit,
  starting_after: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "starting_after is the id of a session.")
    .optional(),
});
