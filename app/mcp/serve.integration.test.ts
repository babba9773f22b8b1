import { afterAll, beforeAll, expect, test } from "vitest";
import { exchangeCode } from "@/lib/connections/exchange-code";
import { mcpResource } from "@/lib/connections/resource";
import { TOOLS } from "@/sdk/mcp/tools";
import { agentRow, connected } from "@/test/accounts/connection";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { POST } from "./[network]/route";

let services: SharedServices;
let token: string;

beforeAll(async () => {
  services = await startSharedServices();
  const owner = await Owner.create(46630);
  const agent = await agentRow(owner, "bot");
  token = (await exchangeCode((await connected(owner, agent)).exchange)).access_token;
});
afterAll(() => services?.stop());

async function call(name: string, args: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  const request = new Request(mcpResource("test"), { method: "POST", headers, body });
  const response = await POST(request, { params: Promise.resolve({ network: "test" }) });
  expect(response.status).toBe(200);
  return response.text();
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
