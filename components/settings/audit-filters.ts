import { type DayFilters, momentsOf, readDays } from "@/components/lists/days";
import { DAYS, type FilterField } from "@/components/lists/filter-field";
import { oneOf, present, type SearchParams, textOf } from "@/components/lists/search-params";
import type { Choice } from "@/components/ui/field";
import { ACTORS, type ActorType, AUDIT_ACTIONS } from "./audit-wording";

/** How many entries a page shows. */
const AUDIT_PAGE_SIZE = 20;

/** The filters of the log, from the page's address. */
interface AuditFilters extends DayFilters {
  actor?: ActorType;
  action?: string;
  /** An id as typed; it may be invalid. */
  target?: string;
  /** Set to include sign-ins, which are many and rarely wanted. */
  sign_ins?: "shown";
}

const ACTION_CHOICES: readonly Choice[] = Object.entries(AUDIT_ACTIONS).map(([value, name]) => ({ value, name }));

/** The filter fields of the log. The actor has tabs of its own. */
export const AUDIT_FIELDS: readonly FilterField[] = [
  { name: "action", label: "Action", input: { kind: "choice", every: "All actions", choices: ACTION_CHOICES } },
  { name: "target", label: "Target", said: "Target", input: { kind: "text", hint: "key_…, acct_…, wh_…" } },
  {
    name: "sign_ins",
    label: "Sign-ins",
    said: "Sign-ins",
    input: { kind: "choice", every: "Hidden", choices: [{ value: "shown", name: "Shown" }] },
  },
  ...DAYS,
];

/** Reads the filters from the page's query parameters. Invalid ones are ignored. */
export function readAuditFilters(params: SearchParams): AuditFilters {
  const actors = Object.keys(ACTORS) as ActorType[];
  return present({
    actor: oneOf(actors, textOf(params, "actor")),
    action: oneOf(Object.keys(AUDIT_ACTIONS), textOf(params, "action")),
    target: textOf(params, "target"),
    ...readDays(params),
    sign_ins: oneOf(["shown"] as const, textOf(params, "sign_ins")),
  });
}

/** Returns the query of `GET /v1/audit-log` for these filters. */
export function auditQuery(filters: AuditFilters, offset: number): Record<string, string> {
  const { sign_ins, zone: _, ...rest } = filters;
  // A chosen action shows all of its entries, sign-ins included.
  const hidden = sign_ins === undefined && filters.action === undefined;
  const query = { ...rest, ...momentsOf(filters), sign_ins: hidden ? "hidden" : undefined };
  return { ...present(query), limit: String(AUDIT_PAGE_SIZE), offset: String(offset) } as Record<string, string>;
}
