import { randomUUID } from "node:crypto";
import type { Halcyon } from "@/sdk/client";
import { type Member as Account, call, LivePage, newMember, type Reply, signIn } from "@/test/fleet/fleet";
import type { Receiver } from "@/test/services/receiver";
import { sleep } from "../stack/processes";
import type { Deployment, Member } from "./deployment";

const WAIT_MS = 120_000;
const POLICY = {
  daily_limit_usdg: 1_000,
  per_transaction_limit_usdg: 100,
  hitl_threshold_usdg: 10,
  allowed_recipients: ["*"],
  assets: ["USDG" as const],
  active_hours: "00:00-24:00",
  time_zone: "UTC",
};

/** What users had when the new version was deployed, all of it made by the old version. */
export interface Before {
  payer: Account;
  recipient: Account;
  /** An API key of the payer's agent. */
  agentKey: string;
  /** A payment of the agent that waits for the payer's approval. */
  held: string;
  /** A payment, with its idempotency key. */
  paid: { id: string; key: string };
  /** A link that asks for a payment. */
  requestLink: string;
  /** A page that stays open. */
  page: LivePage;
}

/** Creates everything that the new version has to take over. */
export async function useBefore(site: string, old: Member, webhook: string): Promise<Before> {
  const run = randomUUID().slice(0, 8);
  const [payer, recipient] = await Promise.all([
    newMember(site, `upgrade-${run}`),
    newMember(site, `upgraded-${run}`, "10"),
  ]);
  const agent = await payer.client.agents.create({ name: "bot", policy: POLICY });
  await payer.client.transfers.create({ to: agent.handle, amount: "500", prepared: true });
  const { api_key: agentKey } = await payer.client.keys.create({ label: "bot", agent: "bot" });
  await payer.client.webhooks.create({ url: webhook, events: ["transfer.confirmed"] });
  const key: string = randomUUID();
  const paid = await pay(old, payer.apiKey, "1.25", recipient, key);
  const held = await pay(old, agentKey, "20", recipient);
  const { link } = await recipient.client.paymentRequests.create({ amount: "3", reference: `upgrade-${run}` });
  const page = await LivePage.open(await signIn(payer, site), old.url);
  const ids = { held: String(held.json.transaction_id), paid: { id: String(paid.json.transfer_id), key } };
  return { payer, recipient, agentKey, ...ids, requestLink: link, page };
}

/**
 * Checks that, while both versions serve, each can use what the other has made.
 *
 * @returns what is wrong, one line each
 */
export async function checkAcross(
  deployment: Deployment,
  { old, fresh }: { old: Member; fresh: Member },
  before: Before,
  receiver: Receiver,
): Promise<string[]> {
  const wrong: string[] = [];
  const expect = (ok: boolean, line: string) => {
    if (!ok) wrong.push(line);
  };
  const { payer, recipient, agentKey, held, paid } = before;
  const sides = [
    { name: "old to new", by: old, other: fresh },
    { name: "new to old", by: fresh, other: old },
  ] as const;
  /** Runs the requests of a session on one version. */
  const as = async <T>(side: Member, work: (client: Halcyon) => Promise<T>): Promise<T> => {
    deployment.sessionsAt = side.version;
    try {
      return await work(payer.client);
    } finally {
      deployment.sessionsAt = undefined;
    }
  };

  const again = await pay(fresh, payer.apiKey, "1.25", recipient, paid.key);
  expect(again.json.transfer_id === paid.id, `an old payment's key makes another: ${said(again)}`);
  const toApprove = new Map<string, string>([["old to new", held]]);
  const heldByNew = await pay(fresh, agentKey, "21", recipient);
  expect(heldByNew.status === 202, `the new version does not hold a payment: ${said(heldByNew)}`);
  toApprove.set("new to old", String(heldByNew.json.transaction_id));

  for (const { name, by, other } of sides) {
    const key: string = randomUUID();
    const sent = await pay(by, payer.apiKey, "2.5", recipient, key);
    expect(sent.status === 201, `${name}: a payment is refused: ${said(sent)}`);
    const repeated = await pay(other, payer.apiKey, "2.5", recipient, key);
    const sameId = repeated.json.transfer_id === sent.json.transfer_id;
    expect(sameId && repeated.headers.get("idempotent-replayed") === "true", `${name}: paid twice: ${said(repeated)}`);
    const id = String(sent.json.transfer_id);
    for (const side of [by, other]) {
      const shown = await until(side, payer.apiKey, `/v1/transfers/${id}`, ({ status }) => status === "confirmed");
      expect(shown.json.status === "confirmed", `${name}: ${id} is ${said(shown)}`);
    }

    const { key_id: keyId, api_key: fresh } = await as(by, ({ keys }) => keys.create({ label: name }));
    const accepted = await call(other.url, fresh, "/v1/accounts/me");
    expect(accepted.status === 200, `${name}: a new API key is refused: ${said(accepted)}`);
    await as(by, ({ keys }) => keys.revoke(keyId));
    const refused = await call(other.url, fresh, "/v1/accounts/me");
    expect(refused.status === 401, `${name}: a revoked API key is accepted: ${said(refused)}`);

    const approved = await call(
      other.url,
      payer.apiKey,
      `/v1/agents/transactions/${toApprove.get(name)}/approve`,
      {},
      randomUUID(),
    );
    expect(approved.status < 300, `${name}: a held payment is not approved: ${said(approved)}`);

    await as(by, ({ policies }) => policies.update("bot", { ...POLICY, per_transaction_limit_usdg: 50 }));
    const tooMuch = await pay(other, agentKey, "60", recipient);
    expect(tooMuch.status === 403, `${name}: a new limit does not hold: ${said(tooMuch)}`);
    await as(by, ({ policies }) => policies.update("bot", POLICY));

    const path = `/${name.replaceAll(" ", "-")}`;
    const hook = await as(by, ({ webhooks }) =>
      webhooks.create({ url: receiver.url(path), events: ["transfer.confirmed"] }),
    );
    const announced = await pay(other, payer.apiKey, "0.5", recipient);
    const announcedId = String(announced.json.transfer_id);
    const came = () => receiver.received.filter((one) => one.path === path && one.body.includes(announcedId)).length;
    for (const end = Date.now() + WAIT_MS; came() === 0 && Date.now() < end; ) await sleep(100);
    expect(came() === 1, `${name}: ${announcedId} was delivered ${came()} times to a new webhook`);
    await as(other, ({ webhooks }) => webhooks.delete(hook.webhook_id));
  }

  const { transfer } = await as(fresh, ({ paymentRequests }) => paymentRequests.pay(before.requestLink));
  expect(transfer.status === "confirmed", `an old payment request is not paid: ${JSON.stringify(transfer)}`);
  const seen = String((await pay(fresh, payer.apiKey, "0.1", recipient)).json.transfer_id);
  for (const end = Date.now() + WAIT_MS; !before.page.text.includes(seen) && Date.now() < end; ) await sleep(100);
  expect(before.page.text.includes(seen), "a page that is open at the old version does not see the new one's payment");

  for (const path of ["/v1/transfers?limit=50", "/v1/events?limit=50", "/v1/webhooks", "/v1/accounts/me"]) {
    const [one, two] = await sameState(path, old, fresh, payer.apiKey);
    expect(contains(two, one), `${path} differs: old ${JSON.stringify(one)}, new ${JSON.stringify(two)}`);
  }
  return wrong;
}

/** Reads the same state from both versions, with nothing changing between the two reads. */
async function sameState(path: string, old: Member, fresh: Member, apiKey: string): Promise<[unknown, unknown]> {
  const read = async ({ url }: Member) => (await call(url, apiKey, path)).json;
  for (const end = Date.now() + WAIT_MS; ; await sleep(200)) {
    const [one, two, again] = [await read(old), await read(fresh), await read(old)];
    if (JSON.stringify(one) === JSON.stringify(again) || Date.now() > end) return [one, two];
  }
}

/** Reports whether the new version returns everything that the old one does. It may return more. */
export function contains(more: unknown, less: unknown): boolean {
  if (Array.isArray(less)) {
    return Array.isArray(more) && more.length === less.length && less.every((one, n) => contains(more[n], one));
  }
  if (less === null || typeof less !== "object") return more === less;
  if (more === null || typeof more !== "object" || Array.isArray(more)) return false;
  const fields = more as Record<string, unknown>;
  return Object.entries(less).every(([name, value]) => contains(fields[name], value));
}

/** Retries until the outcome of a payment is known. Returns refusals. */
async function pay(
  { url }: Member,
  apiKey: string,
  amount: string,
  to: Account,
  key: string = randomUUID(),
): Promise<Reply> {
  for (const end = Date.now() + WAIT_MS; ; await sleep(200)) {
    const reply = await call(url, apiKey, "/v1/transfers", { to: `@${to.handle}`, amount }, key);
    const passing = [409, 429, 503].includes(reply.status);
    if (!passing || Date.now() > end) return reply;
  }
}

async function until(
  { url }: Member,
  apiKey: string,
  path: string,
  done: (json: Reply["json"]) => boolean,
): Promise<Reply> {
  for (const end = Date.now() + WAIT_MS; ; await sleep(200)) {
    const reply = await call(url, apiKey, path);
    if (done(reply.json) || Date.now() > end) return reply;
  }
}

const said = ({ status, json }: Reply) => `${status} ${JSON.stringify(json)}`;
