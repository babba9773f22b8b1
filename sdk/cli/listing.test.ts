import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { halcyon } from "@/test/sdk/command-line";
import type { PageInfo } from "../api/paged";
import { EXIT } from "./exit-status";
import { type Listing, pageText } from "./listing";

/** Number of entries the service has. */
let total = 0;
let asked: URLSearchParams[] = [];
const entry = (number: number) => ({
  transfer_id: `tr_${number}`,
  status: "confirmed",
  from: "@alice",
  to: "@bob",
  direction: "sent",
  asset: number === 3 ? "=cmd()" : "USDG",
  confidential: true,
  tx_hash: "0xcc",
  created_at: "2026-11-21T08:00:00.123Z",
  confirmed_at: null,
  reference: number === 2 ? "order-7" : null,
  refund_of: null,
});

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
  asked.push(searchParams);
  response.setHeader("content-type", "application/json");
  const [limit, skipped] = ["limit", "offset"].map((name) => Number(searchParams.get(name) ?? 0)) as [number, number];
  const after = searchParams.get("starting_after");
  const offset = after === null ? skipped : Number(after.slice("tr_".length)) + 1;
  if (pathname === "/v1/accounts/me") return response.end(JSON.stringify({ handle: "@alice", account_id: "acc_1" }));
  if (pathname.startsWith("/v1/transfers/")) return response.end(JSON.stringify(entry(1)));
  const transfers = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, at) => entry(offset + at));
  const name = /audit-log|deliveries/.exec(pathname)?.[0] ?? "transfers";
  const list = { [name === "audit-log" ? "entries" : name]: name === "transfers" ? transfers : [] };
  response.end(JSON.stringify({ ...list, limit, offset, has_more: offset + limit < total }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("HALCYON_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("HALCYON_API_KEY", `hc_test_${"0".repeat(49)}`);
  vi.stubEnv("HALCYON_CONFIG_DIR", "/nowhere");
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});
beforeEach(() => {
  asked = [];
  total = 3;
});

describe("a list", () => {
  it("is one page; its document is the service's, and people read that there are more", async () => {
    const { out } = await halcyon("transfers", "--limit", "2", "--json");
    expect(JSON.parse(out)).toEqual({ transfers: [entry(0), entry(1)], limit: 2, offset: 0, has_more: true });
    const text = (await halcyon("transfers", "--limit", "2")).out;
    expect(text.split("\n")).toEqual([
      "CREATED               ID    DIRECTION  FROM    TO    AMOUNT     ASSET  STATUS     REFERENCE  MEMO",
      "2026-11-21 08:00:00Z  tr_0  sent       @alice  @bob  encrypted  USDG   confirmed  -          -",
      "2026-11-21 08:00:00Z  tr_1  sent       @alice  @bob  encrypted  USDG   confirmed  -          -",
      "",
      "There are more: see --all and --starting-after.",
      "",
    ]);
    total = 0;
    expect((await halcyon("transfers")).out).toBe("No transfers.\n");
  });

  it.each([0, 3, 100, 250])("of %i entries is whole with --all, in each form", async (count) => {
    total = count;
    const all = Array.from({ length: count }, (_, at) => entry(at));
    const json = await halcyon("transfers", "--all", "--json");
    expect(JSON.parse(json.out)).toEqual({ transfers: all });
    expect(asked.map((query) => query.get("starting_after"))).toEqual(
      [null, "tr_99", "tr_199"].slice(0, Math.max(1, Math.ceil(count / 100))),
    );
    const csv = (await halcyon("transfers", "--all", "--csv")).out.split("\r\n");
    expect(csv).toHaveLength(count + 2);
    expect(csv[0]).toMatch(
      /^transfer_id,created_at,.*,amount,memo,confidential,tx_hash,api_key_id,reference,refund_of$/,
    );
    const lines = (await halcyon("transfers", "--all")).out.trimEnd().split("\n");
    expect(lines).toHaveLength(count === 0 ? 1 : count + 1);
    expect(new Set(lines.slice(1).map((line) => line.indexOf(" confirmed"))).size).toBeLessThanOrEqual(2);
  });

  it("has no CSV field that a spreadsheet would run", async () => {
    total = 4;
    const { out } = await halcyon("transfers", "--csv");
    expect(out.split("\r\n")[4]).toContain(",'=cmd(),");
    expect(out).not.toMatch(/(^|,)=/m);
  });

  it("refuses options that contradict each other", async () => {
    for (const line of ["--all --limit 5", "--all --offset 5", "--all --field transfers", "--csv --field x"]) {
      const { status, err } = await halcyon("transfers", ...line.split(" "));
      expect([status, err], line).toEqual([EXIT.usage, expect.stringMatching(/cannot be used with/)]);
    }
    expect(asked).toEqual([]);
  });

  it("is filtered by the service: every option is a parameter", async () => {
    await halcyon(
      ...["transfers", "--from", "2026-11-01", "--to", "2026-11-21T10:00:00+01:00", "--status", "failed"],
      ...["--direction", "received", "--asset", "ETH", "--counterparty", "@bob", "--kind", "refund"],
      ...["--reference", "order-7", "--refund-of", "tr_1", "--key", "key_1", "--starting-after", "tr_2"],
    );
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      limit: "20",
      starting_after: "tr_2",
      kind: "refund",
      reference: "order-7",
      refund_of: "tr_1",
      key: "key_1",
      from: "2026-11-01T00:00:00.000Z",
      to: "2026-11-21T09:00:00.000Z",
      status: "failed",
      direction: "received",
      asset: "ETH",
      counterparty: "@bob",
    });
    await halcyon(
      "webhooks",
      "deliveries",
      "wh_1",
      "--event",
      "transfer.failed",
      "--event-id",
      "evt_1",
      "--from",
      "2026-11-01",
    );
    expect(Object.fromEntries(asked[1] ?? [])).toMatchObject({ event: "transfer.failed", event_id: "evt_1" });
    await halcyon("audit-log", "--actor", "agent", "--action", "x.y", "--target", "key_1", "--to", "2026-11-01");
    expect(Object.fromEntries(asked[2] ?? [])).toMatchObject({
      ...{ actor: "agent", action: "x.y", target: "key_1", to: "2026-11-01T00:00:00.000Z" },
    });
  });

  it.each(["yesterday", "2026-13-01", "2026-11-21T10:00:00", "20261121"])("takes %s for no time", async (text) => {
    expect(await halcyon("events", "--from", text)).toMatchObject({ status: EXIT.usage, out: "" });
  });
});

it("one transfer is shown by its id; without a wallet the amount stays encrypted", async () => {
  const { out } = await halcyon("transfers", "get", "tr_1");
  expect(out).toMatch(/^transfer_id\s+tr_1\n/);
  expect(out).toMatch(/^amount\s+encrypted USDG$/m);
  expect(JSON.parse((await halcyon("transfers", "get", "tr_1", "--json")).out)).toEqual(entry(1));
});

it("a list whose reader leaves reads no further page", async () => {
  total = 1_000_000;
  const child = spawn("./halcyon", ["transfers", "--all", "--csv"], { stdio: ["ignore", "pipe", "pipe"] });
  let err = "";
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdout.once("data", () => child.stdout.destroy());
  expect([await ended, err]).toEqual([EXIT.closedPipe, ""]);
  expect(asked.length).toBeLessThan(total / 100);
});

describe("a table with names that only the service says", () => {
  const listing: Listing<{ id: string; names: string[] }> = {
    ...{ name: "entries", headings: ["id"], none: "None.", columns: ["id"] },
    row: ({ id }) => [id],
    record: ({ id }) => [id],
    unverified: ({ names }) => names,
  };

  it("is followed by each of them once, and CSV is not", () => {
    const entries = [
      { id: "a", names: ["@bob 0x1"] },
      { id: "b", names: ["@bob 0x1", "@eve 0x2"] },
    ];
    const page = { entries, limit: 2, offset: 0, has_more: false };
    expect(pageText(page, listing)).toMatch(
      /\na\nb\n\nOnly the service says whose these addresses are: @bob 0x1, @eve 0x2\.\n$/,
    );
    expect(pageText(page, listing, true)).toBe("id\r\na\r\nb\r\n");
    const none = [{ id: "a", names: [] }];
    expect(pageText({ ...page, entries: none } as PageInfo, listing)).not.toContain("service says");
  });
});
