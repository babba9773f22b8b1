import type { Page } from "@playwright/test";
import type { Owner } from "./owner";
import { payWithKey } from "./pay-with-key";

/** The policy of these tests' agents. */
const OPEN = {
  daily_limit_usdg: 50,
  per_transaction_limit_usdg: 10,
  hitl_threshold_usdg: 10,
  allowed_recipients: ["@demo"],
};

let counter = 0;

/** Creates an agent of the owner with its own key and 20 USDG, outside the browser. */
export async function newAgent({ client, handle }: Owner, available = "20") {
  counter += 1;
  const agent = await client.agents.create({ name: `bot-${process.pid}-${counter}`, spendPolicy: OPEN });
  await client.transfers.create({ to: agent.handle, amount: available, clientSigned: true });
  const { api_key } = await client.keys.create({ label: "Agent", agent: agent.handle });
  return { ...agent, owner: handle, apiKey: api_key };
}

/** Pays as the agent's program would. */
export async function pay(key: string, amount: string, to?: string) {
  const { status, json } = await payWithKey(key, { to, amount });
  const { transfer_id, error } = json as { transfer_id?: string; error?: { code: string; reason?: string } };
  return { transfer_id, status, said: error?.reason ?? error?.code };
}

/** Returns a field of a policy by its label. */
export const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
/** Returns the policy's one-sentence explanation in the editor. */
export const sentence = (page: Page) => page.getByRole("status").filter({ hasText: /^May / });
