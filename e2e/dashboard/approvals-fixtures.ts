import { expect, type Page } from "@playwright/test";
import postgres from "postgres";
import { Halcyon } from "@/sdk/client";
import { newOwner, type Owner, ownerAgain, productURL } from "./owner";

export const PAGE = "/test/approvals";

/** An owner and an agent that asks for every payment above 10 USDG. */
export interface Asking {
  owner: Owner;
  /** The agent's handle. */
  agent: string;
  /** The agent's API key. */
  apiKey: string;
  /** Has the agent ask, as a program would. Returns the held payment's id. */
  hold(payment: { to: string; amount: string; memo?: string }): Promise<string>;
  /** Returns how many payments the agent has made. */
  paid(): Promise<number>;
  statusOf(id: string): Promise<string>;
}

async function read<T>(apiKey: string, path: string): Promise<T> {
  const response = await fetch(`${productURL}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
  return (await response.json()) as T;
}

/** Creates a separate owner and agent, for a test that needs an account without earlier payments. */
export async function newAsking(configDir: string): Promise<Asking> {
  const owner = await newOwner("asked", configDir, { available: "150" });
  const policy = {
    daily_limit_usdg: 200,
    per_transaction_limit_usdg: 100,
    hitl_threshold_usdg: 10,
    allowed_recipients: ["*"],
    assets: ["USDG" as const],
    active_hours: "00:00-24:00",
  };
  const { handle } = await owner.client.agents.create({ name: "buyer", spendPolicy: policy });
  await owner.client.transfers.create({ to: handle, amount: "140", clientSigned: true });
  const { api_key } = await owner.client.keys.create({ label: "buyer", agent: handle });
  return askingWith({ owner, agent: handle, apiKey: api_key }, configDir);
}

/** Returns what another worker created, with clients in this process. */
export const askingAgain = ({ owner, agent, apiKey }: Asking, configDir: string): Asking =>
  askingWith({ owner: ownerAgain(owner, configDir), agent, apiKey }, configDir);

function askingWith(created: Pick<Asking, "owner" | "agent" | "apiKey">, configDir: string): Asking {
  const { owner, apiKey } = created;
  const program = new Halcyon({ url: productURL, apiKey, configDir });
  return {
    ...created,
    hold: async (payment) => {
      const held = await program.transfers.create(payment);
      if (!("transaction_id" in held)) throw new Error("the payment was made, not held");
      return held.transaction_id;
    },
    paid: async () => {
      const { transfers } = await read<{ transfers: { direction: string }[] }>(apiKey, "/v1/transfers?limit=100");
      return transfers.filter(({ direction }) => direction === "sent").length;
    },
    statusOf: async (id) => (await read<{ status: string }>(owner.apiKey, `/v1/agents/transactions/${id}`)).status,
  };
}

/** Ends the approval window of a held payment in this many seconds, so that the test need not wait for an hour. */
export async function endWindowIn(id: string, seconds: number): Promise<void> {
  const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1 });
  const rows = await sql`
    update held_payments set expires_at = now() + make_interval(secs => ${seconds}) where id = ${id} returning id`;
  await sql.end();
  expect(rows).toHaveLength(1);
}

/** Copies a held payment this many times, each a second later: a queue too long for a test to fill. */
export async function repeatHeld(id: string, times: number): Promise<void> {
  const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1 });
  await sql`
    insert into held_payments (id, chain_id, agent_id, root_id, status, to_given, recipient_address, asset, kind, encrypted,
      secret_version, key_id, requested_at, expires_at)
    select left(id, 20) || lpad(n::text, 10, '0'), chain_id, agent_id, root_id, status, to_given, recipient_address, asset,
      kind, encrypted, secret_version, key_id, requested_at + make_interval(secs => n), expires_at
    from held_payments, generate_series(1, ${times}::int) n where id = ${id}`;
  await sql.end();
}

/** Returns the row of a waiting payment. */
export const rowOf = (page: Page, id: string) => page.getByRole("listitem").filter({ has: page.locator(linkOf(id)) });

/** Returns the selector of the link that opens a payment. */
export const linkOf = (id: string) => `[data-held="${id}"]`;

/** Returns a row of the history. Other payments of the same owner may have been decided before. */
export const decidedRow = (page: Page, id: string) =>
  page.getByRole("row").filter({ has: page.locator(`a[href*="open=${id}"]`) });

export const dialogOf = (page: Page) => page.getByRole("dialog");
export const queueOf = (page: Page) => page.getByRole("list", { name: "Payments that wait" });
export const approveButton = (page: Page) => dialogOf(page).getByRole("button", { name: "Approve payment" });
