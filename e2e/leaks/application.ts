import { setTimeout } from "node:timers/promises";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { HalcyonOptions } from "@/sdk/context/platform/node-context";
import { connectApplication } from "@/test/accounts/connect-application";

/** Amounts in units of USDG, each of a different size and with all six decimals. */
const AMOUNTS = { paid: 4_818_774_091n, tried: 5_407_611_387n };
const MEMO = "canary-application-9be2f7d1";
/** As long as a slow machine takes. */
const PATIENT = { timeout: 120_000 };
/** What does not say yet whether it was paid. */
const NOT_YET = ["outcome_unknown", "unavailable", "idempotency_in_progress"];
const decimal = (units: bigint): string => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;

/** Pays, and asks again with the same key as long as the response does not say whether it was paid. */
async function pay(client: Client, payment: Record<string, string>): Promise<CallToolResult> {
  for (const end = performance.now() + PATIENT.timeout; ; await setTimeout(1_000)) {
    const call = { name: "send_payment", arguments: payment };
    const paid = (await client.callTool(call, PATIENT)) as CallToolResult;
    const said = JSON.stringify(paid.content);
    if (!paid.isError || !NOT_YET.some((code) => said.includes(code)) || performance.now() > end) return paid;
  }
}

/** Connects an application to an agent, as its owner's browser does, and has it pay. */
export async function liveAsApplication(
  options: HalcyonOptions,
  agent: string,
  to: string,
  record: (text: string) => void,
) {
  const { token, code, verifier, resource, exchange } = await connectApplication(options, agent, "Canary");
  const heard: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    record(await response.clone().text());
    return response;
  };
  const client = new Client({ name: "canary", version: "1" });
  const authProvider = { token: async () => token };
  await client.connect(new StreamableHTTPClientTransport(new URL(resource), { authProvider, fetch: heard }));
  const payment = { to, amount: decimal(AMOUNTS.paid), memo: MEMO, idempotency_key: "canary" };
  const paid = await pay(client, payment);
  const tried = await client.callTool({ name: "dry_run", arguments: { to, amount: decimal(AMOUNTS.tried) } });
  await client.callTool({ name: "list_transfers", arguments: {} });
  await client.close();
  // A replayed code counts as leaked and revokes the token.
  const replayed = JSON.stringify(await exchange());
  record(replayed);
  return {
    amounts: AMOUNTS,
    memo: MEMO,
    token,
    code,
    verifier,
    failed: Boolean(paid.isError || tried.isError),
    replayed,
  };
}
