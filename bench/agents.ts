import { setTimeout as sleep } from "node:timers/promises";
import type { Payer } from "./start-product";

const SETTLED_MS = 60_000;

export interface BenchAgent {
  id: string;
  handle: string;
}

/** Creates agents that may pay anyone, each with an available balance of its own. */
export async function makeAgents(url: string, { apiKey }: Payer, count: number): Promise<BenchAgent[]> {
  const ask = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const policy = {
    daily_limit_usdg: 1_000_000,
    per_transaction_limit_usdg: 1_000,
    hitl_threshold_usdg: 1_000,
    allowed_recipients: ["*"],
  };
  const created: BenchAgent[] = [];
  for (let i = 0; i < count; i++) {
    const { account_id: id = "", handle = "" } = await ask("/v1/accounts/me/agents", {
      name: `a${i}`,
      spend_policy: policy,
    });
    const { transfer_id: transfer } = await ask("/v1/transfers", { to: handle, amount: "1000" });
    await settled(url, apiKey, transfer ?? "");
    created.push({ id, handle });
  }
  return created;
}

async function settled(url: string, apiKey: string, transfer: string): Promise<void> {
  for (const end = Date.now() + SETTLED_MS; Date.now() < end; await sleep(100)) {
    const response = await fetch(`${url}/v1/transfers/${transfer}`, { headers: { authorization: `Bearer ${apiKey}` } });
    if (((await response.json()) as { status: string }).status === "confirmed") return;
  }
  throw new Error("an agent's available balance was not confirmed");
}
