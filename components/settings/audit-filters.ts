import { DAYS, type FilterField } from "@/components/lists/filter-field";
import { dayOf, momentsOf, oneOf, present, type SearchParams, textOf } from "@/components/lists/search-params";
import type { Choice } from "@/components/ui/field";
import { ACTIONS, ACTORS, type ActorType } from "./audit-wording";

/** How many entries a page shows. */
export const PAGE_SIZE = 20;

/** What the log is narrowed to, as its address says. Days are UTC, both included. */
export interface AuditFilters {
  actor?: ActorType;
  action?: string;
  /** An id as it was typed; one may be wrong. */
  target?: string;
  from?: string;
  to?: string;
  /** They are many and rarely what is looked for: left out unless asked for. */
  sign_ins?: "shown";
}

const ACTION_CHOICES: readonly Choice[] = Object.entries(ACTIONS).map(([value, name]) => ({ value, name }));

/** What narrows the log. Who acted has tabs of its own. */
export const FIELDS: readonly FilterField[] = [
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

/** The filters of a page's address; what means nothing is left out. */
export function readFilters(params: SearchParams): AuditFilters {
  const actors = Object.keys(ACTORS) as ActorType[];
  return present({
    actor: oneOf(actors, textOf(params, "actor")),
    action: oneOf(Object.keys(ACTIONS), textOf(params, "action")),
    target: textOf(params, "target"),
    from: dayOf(textOf(params, "from")),
    to: dayOf(textOf(params, "to")),
    sign_ins: oneOf(["shown"] as const, textOf(params, "sign_ins")),
  });
}

/** The query of `GET /api/audit-log` for the filters. */
export function listQuery(filters: AuditFilters, offset: number): Record<string, string> {
  const { sign_ins, ...rest } = filters;
  // Who asks for an action asks for all of it.
  const hidden = sign_ins === undefined && filters.action === undefined;
  const query = { ...rest, ...momentsOf(filters), sign_ins: hidden ? "hidden" : undefined };
  return { ...present(query), limit: String(PAGE_SIZE), offset: String(offset) } as Record<string, string>;
}
