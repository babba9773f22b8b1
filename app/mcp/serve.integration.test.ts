import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountConcurrency, accountOf } from "@/lib/http/account-concurrency";
import { exchangeCode } from "@/lib/http/connections/exchange-code";
import { mcpResource } from "@/lib/http/connections/resource";
import { MOST_SELLER_CALLS } from "@/lib/http/mcp/serve-mcp";
import { TOOLS } from "@/sdk/mcp/tools";
import { agentRow, connected } from "@/test/accounts/connection";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { POST } from "./[network]/route";

let services: SharedServices;
let token: string;
let account: string;

beforeAll(async () => {
  services = await startSharedServices();
  const owner = await Owner.create(46630);
  account = accountOf({ chainId: 46630, root: owner.address });
  const agent = await agentRow(owner, "bot");
  token = (await exchangeCode((await connected(owner, agent)).exchange)).access_token;
});
afterAll(() => services?.stop());

async function call(name: string, args: object): Promise<string> {
  const response = await ask(name, args);
  expect(response.status).toBe(200);
  return response.text();
}

function ask(name: string, args: object, signal?: AbortSignal): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  const request = new Request(mcpResource("test"), { method: "POST", headers, body, ...(signal && { signal }) });
  return POST(request, { params: Promise.resolve({ network: "test" }) });
}

const ARGUMENTS: Record<string, object> = {
  send_payment: { to: "@no-such-handle", amount: "1", idempotency_key: "once" },
  pay_url: { url: "https://10.0.0.1/", max: "1" },
  dry_run: { to: "@no-such-handle", amount: "1" },
  get_held_payment: { transaction_id: "txn_x" },
};

test.each(TOOLS.map(({ name }) => name))("%s reaches this service, by the token alone", async (name) => {
  const said = await call(name, ARGUMENTS[name] ?? {});
  // This agent is a row without a policy, so get_policy fails. The test only checks that the request arrives.
  for (const failure of ["unavailable", "unauthorized", "No Halcyon service", "Input validation"])
    expect(said).not.toContain(failure);
});

test("a call stands in its account's line until its response has ended, and few wait for sellers at a time", async () => {
  let asked = 0;
  const seller = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => seller.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(seller.address() as AddressInfo).port}/`;
  const leaving = new AbortController();
  const inside = () => accountConcurrency().load(account).inside;
  try {
    const calls = Array.from({ length: MOST_SELLER_CALLS }, () => ask("pay_url", { url, max: "1" }, leaving.signal));
    await expect.poll(() => asked).toBe(MOST_SELLER_CALLS);
    expect(inside()).toBe(MOST_SELLER_CALLS);
    const refused = await ask("pay_url", { url, max: "1" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    // Other tools of the account go on: nothing of it waits for a place.
    expect(await call("list_transfers", {})).toContain("result");
    leaving.abort();
    seller.closeAllConnections();
    await Promise.allSettled(calls);
    await expect.poll(inside).toBe(0);
  } finally {
    seller.closeAllConnections();
    seller.close();
  }
});
