import { fork } from "node:child_process";
import path from "node:path";
import { env } from "@/lib/base/env";
import { machineFetch } from "@/lib/base/machine-fetch";
import { formatAmount } from "@/lib/base/money";
import { ROOT } from "@/scripts/stack/config";
import { HalcyonError } from "@/sdk/api/errors";
import { Halcyon } from "@/sdk/client";
import { send } from "@/sdk/payments/send";
import { listeningFetch } from "@/sdk/proxy/build-transfer";
import { serveProxy } from "@/sdk/proxy/serve-proxy";
import { Agent } from "@/test/accounts/agent";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { storedAsText } from "@/test/services/everything-stored";
import { clientOf as clientWithWallet, MemoryPins } from "@/test/services/in-process-service";
import { inMemory } from "./memory";

/** What a service that signed blind payments has of them. */
export interface Learned {
  /** Names of what it must not know. */
  secrets: string[];
  /** Of these, what is in its memory, in its logs, and in the database. */
  inMemory: string[];
  inLogs: string[];
  inRows: string[];
  /** Whether its memory shows the amount of a payment with a plain key: it is searched where amounts would be. */
  findsPlain: boolean;
}

/** Above it, a payment of the agent waits for its owner. */
const THRESHOLD = 20_000_000n;

/**
 * Pays with the blind keys of an account and of its agent, half through the proxy and half with the SDK. Then makes a
 * payout, a held payment with its approval, and a refund. Searches the process that served all of it.
 *
 * @param payments of account and agent, besides the payout, the held payment and the refund
 */
export async function payAndSearch(payments: number): Promise<Learned> {
  const [owner, payee] = [await Owner.funded(46630, 987_654_321n), await Owner.funded(46630, 40_000_000n)];
  const { agent, operationId } = await Agent.create(owner, { hitlThreshold: THRESHOLD });
  await settled(operationId);
  const [keys, agentKeys, plain] = [
    await createBlindKey(owner),
    await createBlindKey(agent),
    await createApiKey(owner),
  ];
  const script = path.join(ROOT, "test/services/routes-over-http.ts");
  const service = fork(script, { execArgv: ["--import", "tsx"], stdio: ["ignore", "pipe", "pipe", "ipc"] });
  let logs = "";
  for (const stream of [service.stdout, service.stderr]) stream?.on("data", (text) => (logs += String(text)));
  try {
    const port = await new Promise<unknown>((resolve, reject) => {
      service.once("message", resolve);
      service.once("exit", () => reject(new Error(`the service did not start: ${logs}`)));
    });
    const url = `http://127.0.0.1:${port}`;
    const rpcUrl = env().chains.test.rpcUrl;
    const settings = { url, rpcUrl, fetch: listeningFetch };
    const clientOf = (pair: { apiKey: string; homeKey: string; network: "test" | "live" }) =>
      new Halcyon({ ...settings, ...pair, pins: new MemoryPins() });
    const homeKeys = [keys.homeKey, agentKeys.homeKey];
    const proxy = await serveProxy({ service: url, homeKeys, port: 0, clientOf }, () => {});
    const sides = [
      { ...keys, holder: owner },
      { ...agentKeys, holder: agent },
    ].map(({ text, homeKey, holder }) => ({
      ...{ text, holder },
      sdk: clientOf({ apiKey: text, homeKey, network: "test" as const }),
    }));
    const needles: Record<string, string | Uint8Array> = {
      "home key": keys.homeKey,
      "home key of the agent": agentKeys.homeKey,
      knowledge: owner.secret,
      "knowledge of the agent": agent.secret,
    };
    /** Draws an amount and a memo that no one else has, and remembers them. */
    const drawn = (what: string, from: bigint) => {
      const amount = formatAmount(from + BigInt(Math.floor(Math.random() * 6_000_000)), 6);
      const memo = `memo-${crypto.randomUUID()}`;
      Object.assign(needles, { [`amount of ${what}`]: amount, [`memo of ${what}`]: memo });
      return { amount, memo };
    };
    const to = `@${payee.account.handle}`;
    const wallet = (whose: Owner) => clientWithWallet(whose.walletKey, rpcUrl);
    const funds = { to: `@${agent.account.handle}`, amount: "450", clientSigned: true };
    await send(await wallet(owner), funds);
    for (let at = 0; at < payments; at++) {
      const side = sides[at % 4 < 2 ? 0 : 1] as (typeof sides)[number];
      const input = { to, ...drawn(`payment ${at}`, 1_000_001n) };
      if (at % 2 === 0) await payByLibrary(side.sdk, input);
      else await postPlainly(proxy.url, side.text, input);
      needles[`balance ${at}`] = formatAmount((await side.holder.decryptAvailable()).limit, 6);
    }
    const rows = [1, 2].map((row) => ({ to, ...drawn(`row ${row}`, 10_000_001n * BigInt(row)) }));
    await postPlainly(proxy.url, keys.text, { rows }, "/v1/payouts");
    const asked = await postPlainly(proxy.url, agentKeys.text, { to, ...drawn("what is held", THRESHOLD + 1n) });
    await postPlainly(proxy.url, keys.text, {}, `/v1/agents/transactions/${asked.transaction_id}/approve`);
    const bought = await send(await wallet(payee), { to: owner.address, amount: "39", clientSigned: true });
    const refund = { refund_of: "transfer_id" in bought && bought.transfer_id, ...drawn("the refund", 7_000_001n) };
    await postPlainly(proxy.url, keys.text, refund);
    await proxy.close();
    const texts = Object.entries(needles).map(
      ([name, needle]) => [name, typeof needle === "string" ? needle : Buffer.from(needle).toString("hex")] as const,
    );
    const within = (text: string) => texts.filter(([, needle]) => text.includes(needle)).map(([name]) => name);
    const pid = service.pid ?? 0;
    const learned = await inMemory(pid, needles);
    const inRows = within(await storedAsText());
    const shown = "1.928374";
    await postPlainly(url, plain.text, { to, amount: shown });
    const findsPlain = (await inMemory(pid, { plain: shown })).length === 1;
    return { secrets: Object.keys(needles), inMemory: learned, inLogs: within(logs), inRows, findsPlain };
  } finally {
    service.disconnect();
  }
}

/** What a caller repeats, under the same key: the service is busy, or its chain does not respond in time. */
const isAgain = (error: unknown) =>
  error instanceof HalcyonError && (error.code === "unavailable" || error.code === "outcome_unknown");

async function payByLibrary(sdk: Halcyon, input: { to: string; amount: string; memo: string }): Promise<void> {
  const idempotencyKey = crypto.randomUUID();
  for (;;) {
    try {
      await sdk.transfers.create(input, { idempotencyKey });
      return;
    } catch (error) {
      if (!isAgain(error)) throw error;
    }
  }
}

async function postPlainly(
  url: string,
  apiKey: string,
  body: object,
  path = "/v1/transfers",
): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
  };
  for (;;) {
    const response = await machineFetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    if (response.status !== 503 && response.status !== 504) throw new Error(`${response.status} ${text}`);
  }
}
