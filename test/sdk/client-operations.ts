import { expect } from "vitest";
import document from "@/docs/openapi.json";
import { reviewed } from "@/sdk/client-gaps.json";

/** A valid API key, which no account has. */
export const KEY = `hc_test_${"0".repeat(49)}`;
/** The id of the agent `@alice/bot`, which {@link RESPONSE} lists. */
export const AGENT = "acct_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";

/** Any response: enough of every list and resource for a client to read it. */
export const RESPONSE = {
  ...{ limit: 5, offset: 0, has_more: false, type: "personal", account_id: AGENT, handle: "@alice", asset: "USDG" },
  ...{ transfer_id: "tr_1", status: "confirmed", payout_id: "po_1", rows: 1, rows_pending: 0, faults: [], rules: [] },
  ...{ transaction_id: "txn_1", event_id: "evt_1", webhook_id: "wh_1", schedule_id: "sch_1", run_id: "run_1" },
  ...{ transfers: [], pending: [], entries: [], events: [], payouts: [], webhooks: [], deliveries: [] },
  ...{ agents: [{ account_id: AGENT, handle: "@alice/bot", public_key: `0x${"00".repeat(20)}` }] },
};

/** A request that a client has sent, with the names of its query parameters and of the fields of its body. */
export interface SentRequest {
  method: string;
  path: string;
  fields: string[];
}

/** Returns what a request sends. */
export function sentRequest(method: string, url: URL, body: string): SentRequest {
  const fields = body === "" ? [] : Object.keys(JSON.parse(body) as object);
  return { method, path: url.pathname, fields: [...url.searchParams.keys(), ...fields] };
}

interface Operation {
  operationId?: string;
  parameters?: { name?: string; in?: string }[];
  "x-agent-keys"?: string;
  requestBody?: { content: Record<string, { schema: { $ref?: string; properties?: object } }> };
}

const schemas = document.components.schemas as unknown as Record<string, { properties?: object }>;

/** Returns the names of an operation's query parameters and body fields. */
function fieldsOf({ parameters = [], requestBody }: Operation): Set<string> {
  const schema = requestBody?.content["application/json"]?.schema;
  const body = schema?.$ref ? schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  const query = parameters.flatMap(({ name, in: place }) => (place === "query" && name ? [name] : []));
  return new Set([...query, ...Object.keys(body?.properties ?? {})]);
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    name: operation.operationId ?? "",
    fields: fieldsOf(operation),
    isForAgents: operation["x-agent-keys"] === "allowed",
  })),
);

/** The fields of operations that a client can't send here: another way of its own has them, or it needs none of them. */
const REVIEWED: Readonly<Record<string, readonly string[]>> = reviewed;

/** Why a client can't send an operation, or some of its fields (sdk/client-gaps.json). */
export type Gaps = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/**
 * Expects of a client that it can send every field of every operation but those whose gap has a reason, and no field
 * that an operation does not have.
 *
 * @param call sends an operation with all that the client takes for it; undefined if it has nothing for it
 * @param of an agent's client needs only what an agent's key may call
 */
export async function expectEveryField(
  call: (operation: string) => Promise<SentRequest[]> | undefined,
  gaps: Gaps,
  of: "account" | "agent" = "account",
): Promise<void> {
  const missing: Record<string, string | string[]> = {};
  for (const { method, path, name, fields, isForAgents } of operations) {
    if (of === "agent" && !isForAgents) continue;
    const sent = await call(name);
    if (!sent) {
      missing[name] = "nothing";
      continue;
    }
    const own = sent.filter((one) => one.method === method && path.test(one.path));
    expect(own.length, `${name}: ${JSON.stringify(sent)}`).toBeGreaterThan(0);
    const asked = new Set(own.flatMap((one) => one.fields));
    const unknown = [...asked].filter((field) => !fields.has(field));
    expect(unknown, name).toEqual([]);
    const left = [...fields].filter((field) => !asked.has(field));
    if (left.length > 0) missing[name] = left.sort();
  }
  for (const name of Object.keys(gaps).filter((one) => typeof gaps[one] === "string")) {
    const fields = operations.find((operation) => operation.name === name)?.fields ?? [];
    const why = `${name} has another field: see that each client takes it by its own way, then list it as reviewed`;
    expect(REVIEWED[name], why).toEqual([...fields].sort());
  }
  const known = Object.entries(gaps).map(([name, gap]) => {
    return [name, typeof gap === "string" ? "nothing" : Object.keys(gap).sort()];
  });
  expect(missing).toEqual(Object.fromEntries(known));
}
