import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { SpendPolicyFields } from "@/sdk/api/resources/agents";
import { Halcyon } from "@/sdk/client";
import { CookieJar } from "@/sdk/context/session/cookie-jar";
import { isSignedIn, signInMessage } from "@/sdk/context/session/sign-in-message";

/** An account of the service under test, and what others must not see of it. */
export interface Person {
  apiKey: string;
  /** The `Cookie` header of a session. */
  cookie: string;
  handle: string;
  address: string;
  /** Ids of its objects, by the names of path parameters. */
  ids: Readonly<Record<string, string>>;
  /** Texts that only its owner may see. */
  canaries: readonly string[];
}

/** The senders: someone who owns a lot, their agent, and a stranger with no access to either. */
export interface People {
  owner: Person;
  agentKey: string;
  stranger: Person;
}

const POLICY = {
  daily_limit_usdg: 1000,
  per_transaction_limit_usdg: 50,
  hitl_threshold_usdg: 1,
  allowed_recipients: ["*"],
  assets: ["USDG" as const],
  active_hours: "00:00-24:00",
} satisfies SpendPolicyFields;

async function call(url: string, headers: Record<string, string>, method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}

/** Signs a wallet in. Returns the `Cookie` header of the session. */
async function signIn(url: string, walletKey: Hex): Promise<string> {
  const wallet = privateKeyToAccount(walletKey);
  const jar = new CookieJar();
  const get = async (path: string) => {
    const response = await fetch(url + path, { headers: jar.header() });
    jar.store(response.headers);
    return (await response.json()) as Record<string, string>;
  };
  const { nonce = "" } = await get("/api/siwe/nonce");
  const { csrfToken = "" } = await get("/api/auth/csrf");
  const message = signInMessage(url, "test", wallet.address, nonce);
  const signature = await wallet.signMessage({ message });
  const response = await fetch(`${url}/api/auth/callback/siwe`, {
    method: "POST",
    headers: jar.header(),
    body: new URLSearchParams({ csrfToken, message, signature, json: "true" }),
    redirect: "manual",
  });
  jar.store(response.headers);
  if (!isSignedIn({ status: response.status, body: await response.json() })) throw new Error("the sign-in was refused");
  return jar.header().cookie ?? "";
}

async function join(url: string, name: string, available?: string) {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url, walletKey });
  const { handle, public_key: address } = await client.account.create({
    handle: `${name}-${randomBytes(5).toString("hex")}`,
  });
  await client.account.verifyIdentity();
  if (available) {
    await client.testHelpers.faucet({ amount: available });
    await client.balances.makeAvailable();
  }
  const { api_key: apiKey } = await client.keys.create({ label: "fuzz" });
  return { client, handle, address, apiKey, cookie: await signIn(url, walletKey), walletKey };
}

/**
 * Creates the accounts that send the requests.
 *
 * @param url the service's own address
 */
export async function gather(url: string): Promise<People> {
  const [owner, stranger] = await Promise.all([join(url, "owner", "100"), join(url, "stranger")]);
  const secret = `canary${randomBytes(8).toString("hex")}`;
  const byKey = { authorization: `Bearer ${owner.apiKey}` };
  const bySession = { cookie: owner.cookie };
  const agent = await owner.client.agents.create({ name: secret, spendPolicy: POLICY });
  const funded = await call(url, byKey, "POST", "/v1/transfers", { to: agent.handle, amount: "20" });
  const transfer = `/v1/transfers/${funded.transfer_id}`;
  while ((await call(url, byKey, "GET", transfer)).status === "pending") await sleep(250);
  const { api_key: agentKey, key_id: keyId } = await owner.client.keys.create({ label: secret, agent: agent.handle });
  const hook = await call(url, byKey, "POST", "/v1/webhooks", {
    url: `http://localhost:9/${secret}`,
    events: ["transfer.confirmed"],
  });
  const held = await call(url, { authorization: `Bearer ${agentKey}` }, "POST", "/v1/transfers", {
    to: owner.handle,
    amount: "2",
    memo: secret,
  });
  const delivery = await call(url, byKey, "POST", `/v1/webhooks/${hook.webhook_id}/test`, {});
  await signIn(url, owner.walletKey);
  const { sessions } = (await call(url, bySession, "GET", "/api/sessions")) as {
    sessions: { session_id: string; current: boolean }[];
  };
  const backup = await call(url, bySession, "POST", "/api/backups", {
    kind: "recovery_code",
    label: secret,
    encrypted: `0x${randomBytes(75).toString("hex")}`,
  });
  const ids = {
    account_id: agent.account_id,
    transaction_id: String(held.transaction_id),
    transfer_id: String(funded.transfer_id),
    webhook_id: String(hook.webhook_id),
    event_id: String(delivery.event_id ?? ""),
    delivery_id: String(delivery.delivery_id ?? ""),
    backup_id: String(backup.backup_id),
    key_id: keyId,
    session_id: sessions.find(({ current }) => !current)?.session_id ?? "",
  };
  const { cookie, handle, address, apiKey } = owner;
  return {
    owner: { apiKey, cookie, handle, address, ids, canaries: [secret, ...Object.values(ids).filter(Boolean)] },
    agentKey,
    stranger: { ...stranger, ids: {}, canaries: [] },
  };
}
