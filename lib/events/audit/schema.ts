import { z } from "zod";
import { CURSOR_OR_OFFSET, cursorQuery, PAGE_QUERY, TIMES_IN_ORDER, TIMES_QUERY } from "@/lib/base/paging";

/** Kinds of actors: an account's key, an owner's session, an agent's key, or the service itself. */
export const ACTOR_TYPES = ["key", "session", "agent", "system"] as const;

/** The query of `GET /v1/audit-log`. `from` and `to` are exclusive bounds on `created_at`. */
export const ListAuditQuery = z
  .strictObject({
    ...PAGE_QUERY,
    ...TIMES_QUERY,
    ...cursorQuery("audit"),
    action: z
      .string()
      .regex(/^[a-z_]{1,30}(\.[a-z_]{1,30}){1,3}$/, "Name an action as entries write it: agent.policy.updated.")
      .optional()
      .meta({ description: "Returns only entries of this action.", examples: ["agent.policy.updated"] }),
    actor: z
      .enum(ACTOR_TYPES, "actor is key, session, agent or system.")
      .optional()
      .meta({ description: "Returns only changes by this kind of actor." }),
    target: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,100}$/, "target is the id of what was acted on.")
      .optional()
      .meta({ description: "Returns only changes to the object with this id." }),
    sign_ins: z
      .enum(["hidden"], "sign_ins is hidden, or left out.")
      .optional()
      .meta({ description: "`hidden` leaves out the many entries of sign-ins." }),
  })
  .refine(...TIMES_IN_ORDER)
  .refine(...CURSOR_OR_OFFSET);

/** The parsed query. */
export type ListAuditQuery = z.infer<typeof ListAuditQuery>;
