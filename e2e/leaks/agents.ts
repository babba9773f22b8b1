import { expect } from "@playwright/test";
import type { Caller } from "../halcyon";
import { ok } from "./commands";

/** Amounts in units of USDG, each of a different size and with all six decimals. */
const AMOUNTS = {
  funded: 71_513_208_917n,
  paid: 6_214_707_331n,
  over_the_limit: 21_337_905_113n,
  tried: 7_733_018_223n,
  simulated: 8_412_909_671n,
  held: 12_884_103_559n,
  dropped: 13_906_771_243n,
  by_client: 5_118_420_907n,
  returned: 4_733_902_177n,
};
const MEMOS = {
  paid: "canary-agent-71b2c0de",
  held: "canary-held-3ce91f04",
  dropped: "canary-dropped-a97d5512",
};
const decimal = (units: bigint): string => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;

/** What must not be found anywhere afterwards: amounts in units, texts, and the request bodies that contained them. */
export interface Canaries {
  amounts: Record<string, bigint>;
  memos: Record<string, string>;
  bodies: string[];
}

type Api = (apiKey: string, method: string, route: string, body?: string) => Promise<{ status: number; text: string }>;

/**
 * Runs through an agent's life: it pays, is refused, held, approved and rejected, with its key and through its owner's
 * client, and everything is listed.
 *
 * @param whileHeld what happens before any decision
 */
export async function liveAsAgent(
  owner: Caller,
  to: string,
  api: Api,
  whileHeld: () => Promise<void>,
): Promise<Canaries> {
  const ownerKey = owner.apiKey ?? "";
  const bodies: string[] = [];
  const call = async (apiKey: string, method: string, route: string, body?: object) => {
    const text = body && JSON.stringify(body);
    if (text) bodies.push(text);
    return api(apiKey, method, route, text);
  };
  const field = ({ text }: { text: string }, name: string) =>
    String((JSON.parse(text) as Record<string, unknown>)[name]);
  const policy = {
    ...{ daily_limit_usdg: 50_000, per_transaction_limit_usdg: 20_000, hitl_threshold_usdg: 10_000 },
    allowed_recipients: ["*"],
  };
  const registration = JSON.stringify({ name: "canary", spend_policy: policy });
  const agent = await api(ownerKey, "POST", "/v1/accounts/me/agents", registration);
  expect(agent.status).toBe(201);
  const [id, handle] = [field(agent, "account_id"), field(agent, "handle")];
  await ok(owner, "send", "--to", handle, "--amount", decimal(AMOUNTS.funded));
  const { api_key: key } = await ok<{ api_key: string }>(owner, "keys", "create", "--label", "c", "--agent", handle);

  const pay = (name: keyof typeof AMOUNTS, query = "", memo?: string) =>
    call(key, "POST", `/v1/transfers${query}`, { to, amount: decimal(AMOUNTS[name]), memo });
  expect((await pay("paid", "", MEMOS.paid)).status).toBe(201);
  expect((await pay("over_the_limit")).status).toBe(403);
  expect((await pay("tried", "?dry_run=true")).status).toBe(200);
  const payments = [{ to, amount: decimal(AMOUNTS.simulated) }];
  const simulated = await call(ownerKey, "POST", `/v1/agents/${id}/spend-policy/simulate`, { payments });
  expect(simulated.status).toBe(200);
  const [held, dropped] = [await pay("held", "", MEMOS.held), await pay("dropped", "", MEMOS.dropped)];
  expect([held.status, dropped.status]).toEqual([202, 202]);
  await whileHeld();
  const lists = ["/v1/agents/transactions/pending", `/v1/agents/transactions/${field(held, "transaction_id")}`];
  for (const route of lists) for (const who of [ownerKey, key]) expect((await api(who, "GET", route)).status).toBe(200);
  // The owner decrypts what the search must not find, which proves that the canaries were really processed.
  const { pending } = await ok<{ pending: { amount: string; memo: string }[] }>(owner, "pending");
  expect(pending.map(({ amount }) => amount)).toEqual([AMOUNTS.held, AMOUNTS.dropped].map(decimal));
  expect(pending.map(({ memo }) => memo)).toEqual([MEMOS.held, MEMOS.dropped]);
  await ok(owner, "approve", field(held, "transaction_id"));
  expect(
    (await api(ownerKey, "POST", `/v1/agents/transactions/${field(dropped, "transaction_id")}/reject`, "{}")).status,
  ).toBe(200);
  const send = ["send", "--client-signed", "--from", handle];
  await ok(owner, ...send, "--to", to, "--amount", decimal(AMOUNTS.by_client));
  await ok(owner, "send", "--from", handle, "--to", handle.split("/")[0] ?? "", "--amount", decimal(AMOUNTS.returned));

  const own = ["/v1/transfers?limit=100", "/v1/accounts/me", `/v1/agents/${id}/spend-policy`];
  for (const route of own) for (const who of [ownerKey, key]) expect((await api(who, "GET", route)).status).toBe(200);
  for (const route of ["/v1/audit-log?limit=100", "/v1/accounts/me/agents", "/v1/events?limit=100"]) {
    expect((await api(ownerKey, "GET", route)).status).toBe(200);
  }
  const spent = AMOUNTS.paid + AMOUNTS.held + AMOUNTS.by_client;
  const totals = { spent, left_to_agent: AMOUNTS.funded - spent - AMOUNTS.returned };
  return { amounts: { ...AMOUNTS, ...totals }, memos: MEMOS, bodies };
}
