import { newId } from "@/lib/base/ids";
import type { FuzzOperation } from "./operations";
import type { People } from "./people";
import type { Random } from "./random";
import { bend, type Json, ODD_TEXTS, valueFor } from "./values";

/** Who sends a request. The last four have no access. */
export type Sender = "owner" | "agent" | "stranger" | "nobody" | "junk" | "wrong_door";

/** A request as it is sent. */
export interface FuzzRequest {
  operation: FuzzOperation;
  sender: Sender;
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether its path is malformed, so that it may not reach any route. */
  bentPath: boolean;
  /** Whether its path contains an id of one of the owner's objects. */
  namesOwners: boolean;
}

const SENDERS: readonly Sender[] = [
  "owner",
  "owner",
  "owner",
  "owner",
  "owner",
  "owner",
  "agent",
  "stranger",
  "nobody",
  "junk",
  "wrong_door",
];

const ODD_SEGMENTS = [
  "%00",
  "a%00b",
  "%2f",
  "%2e%2e",
  "..",
  ".",
  "%ff",
  "%E0%A4%A",
  "%",
  "a;b",
  "%20",
  "%0d%0a",
  "*",
  "%5c",
  "a".repeat(3000),
];

const ODD_HEADERS: readonly Record<string, string>[] = [
  { rsc: "1" },
  { "next-router-state-tree": "%5B%22%22%5D", rsc: "1" },
  { "next-router-prefetch": "1" },
  { "next-action": "7f0b" },
  { "x-middleware-subrequest": "middleware" },
  { "x-nextjs-data": "1" },
  { "x-matched-path": "/v1/accounts/me" },
  { "x-http-method-override": "DELETE" },
  { "x-forwarded-for": "a, [::1]:99, 1.2.3.4:5" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "gopher" },
  { "x-halcyon-client": "6.6.6.6" },
  { accept: "text/x-component" },
  { traceparent: "00-zz" },
  { "accept-encoding": "gzip, br" },
  { range: "bytes=0-1" },
  { "if-none-match": "*" },
  { te: "trailers" },
  { "content-type": "multipart/form-data; boundary=x" },
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-16" },
  { "idempotency-key": "é" },
  { "idempotency-key": "a".repeat(300) },
  { cookie: "next-auth.callback-url=x; next-auth.csrf-token=%zz; next-auth.session-token=a.b.c.d.e" },
  { upgrade: "h2c", connection: "Upgrade" },
];

const ODD_BODIES: readonly string[] = [
  "{",
  "[]",
  "null",
  '""',
  "\ufeff{}",
  '{"a":1,"a":2}',
  '{"__proto__":{"a":1}}',
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `{"a":"${"a".repeat(70_000)}"}`,
  "a=1&b=2",
];

/** Generates a random request. */
export function makeRequest(operation: FuzzOperation, people: People, random: Random): FuzzRequest {
  const sender = random.pick(SENDERS);
  const { owner } = people;
  const ids = [owner.handle, owner.address, "@demo", ...Object.values(owner.ids)];
  const { path, bent, namesOwners } = pathOf(operation, owner.ids, random);
  const query = queryOf(operation, random, ids);
  const headers: Record<string, string> = { ...credentials(operation, sender, people, random) };
  if (operation.auth !== "key") headers["content-type"] = "application/json";
  if (random.chance(0.15)) Object.assign(headers, random.pick(ODD_HEADERS));
  if (random.chance(0.2)) headers["idempotency-key"] ??= random.text("abc", 3);
  let { method } = operation;
  if (random.chance(0.03))
    method = random.pick(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "QUERY"]);
  const body = bodyOf(operation, method, random, ids);
  if (operation.auth === "nextAuth" && body !== undefined && random.chance(0.8)) {
    headers["content-type"] = "application/x-www-form-urlencoded";
  }
  return { operation, sender, method, target: path + query, headers, body, bentPath: bent, namesOwners };
}

function credentials({ auth }: FuzzOperation, sender: Sender, { owner, agentKey, stranger }: People, random: Random) {
  const byKey = (key: string) => ({ authorization: `Bearer ${key}` });
  const isByKey = auth === "key" || (auth !== "session" && auth !== "wallet" && random.chance(0.5));
  const own = isByKey ? (key: string, _: string) => byKey(key) : (_: string, cookie: string) => ({ cookie });
  switch (sender) {
    case "owner":
      return own(owner.apiKey, owner.cookie);
    case "agent":
      // An agent has no session, and its key is not valid for /api.
      return byKey(agentKey);
    case "stranger":
      return own(stranger.apiKey, stranger.cookie);
    case "nobody":
      return {};
    case "junk": {
      const text = random.text("abcdefghij0123456789", 40);
      return own(random.pick([`hc_test_${text}`, text, ""]), `next-auth.session-token=${text}`);
    }
    case "wrong_door":
      if (auth === "key") return { cookie: owner.cookie };
      // A key that is none is not made good by a session.
      return typeof auth === "string" ? byKey(owner.apiKey) : { ...byKey("hc_test_none"), cookie: owner.cookie };
  }
}

function pathOf({ path, auth }: FuzzOperation, ids: Readonly<Record<string, string>>, random: Random) {
  let bent = false;
  let namesOwners = false;
  let filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    // Below /api, some parameters are just called `id`; the folder says which kind of id.
    const key = name === "id" ? `${path.split("/")[2]?.replace(/s$/, "")}_id` : name;
    if (random.chance(0.65) && ids[key]) {
      namesOwners = true;
      return ids[key];
    }
    if (random.chance(0.4))
      return newId("transfer").replace(/^tr_/, ids[key]?.split("_")[0] ? `${ids[key]?.split("_")[0]}_` : "tr_");
    bent = true;
    const odd = random.chance(0.6) ? random.pick(ODD_SEGMENTS) : encodeText(random.pick(ODD_TEXTS));
    return odd;
  });
  if (auth !== "nextAuth" && random.chance(0.06)) {
    bent = true;
    filled = random.pick([
      (at: string) => `/x/..${at}`,
      (at: string) => `/x/%2e%2e${at}`,
      (at: string) => at.replace("/", "//"),
      (at: string) => `/.${at}`,
      (at: string) => `${at}/`,
      (at: string) => `${at}/..`,
      (at: string) => `${at}%00`,
      (at: string) => at.replaceAll("/", "\\").replace("\\", "/"),
      (at: string) => at.replace(/\/(?=[^/]*$)/, "%2f"),
      (at: string) => at.toUpperCase(),
      (at: string) => `http://evil.example${at}`,
    ])(filled);
  }
  return { path: filled, bent, namesOwners };
}

function queryOf({ query, auth, definitions }: FuzzOperation, random: Random, ids: readonly string[]): string {
  const pairs: [string, string][] = [];
  for (const [name, schema] of Object.entries(query)) {
    if (!random.chance(0.4)) continue;
    const value = random.chance(0.6) ? valueFor(schema, random, definitions, ids, name) : random.pick(ODD_TEXTS);
    pairs.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  if (auth === "session" && random.chance(0.15))
    pairs.push(["agent", random.chance(0.5) ? random.pick(ids) : random.pick(ODD_TEXTS)]);
  if (auth !== "key" && random.chance(0.1)) pairs.push(["network", random.pick(["test", "live", ...ODD_TEXTS])]);
  const [first] = pairs;
  if (first && random.chance(0.05)) pairs.push(first);
  if (random.chance(0.04)) pairs.push([random.pick(ODD_TEXTS), random.pick(ODD_TEXTS)]);
  if (pairs.length === 0) return random.chance(0.02) ? random.pick(["?", "?%", "?%ff", "?a=%E0%A4%A", "?&&=&"]) : "";
  return `?${pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join("&")}`;
}

function bodyOf(operation: FuzzOperation, method: string, random: Random, ids: readonly string[]): string | undefined {
  const { body, definitions, auth } = operation;
  if (random.chance(0.05)) return random.pick(ODD_BODIES);
  if (!body) return method === "GET" || auth === "key" ? undefined : "{}";
  if (random.chance(0.03)) return undefined;
  let value: Json = valueFor(body, random, definitions, ids);
  while (random.chance(0.45)) value = bend(value, random);
  if (auth !== "nextAuth") return JSON.stringify(value);
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return fields.map(([name, field]) => `${encodeText(name)}=${encodeText(String(field))}`).join("&");
}

/** Percent-encodes a text. Half a surrogate pair becomes its three bytes, which are not valid UTF-8. */
function encodeText(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return [...text]
      .map((part) => (/[\ud800-\udfff]/.test(part) && part.length === 1 ? "%ED%A0%80" : encodeURIComponent(part)))
      .join("");
  }
}
