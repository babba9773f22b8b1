import { fork } from "node:child_process";
import path from "node:path";
import { env } from "@/lib/base/env";
import { machineFetch } from "@/lib/base/machine-fetch";
import { formatAmount } from "@/lib/base/money";
import { ROOT } from "@/scripts/stack/config";
import { HalcyonError } from "@/sdk/api/errors";
import { Halcyon } from "@/sdk/client";
import { listeningFetch } from "@/sdk/proxy/build-transfer";
import { serveProxy } from "@/sdk/proxy/serve-proxy";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { storedAsText } from "@/test/services/everything-stored";
import { MemoryPins } from "@/test/services/in-process-service";
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

/** Pays with a blind key, half through the proxy and half with the SDK, and a payout, and searches the process that served it. */
export async function payAndSearch(payments: number): Promise<Learned> {
  const [owner, payee] = [await Owner.funded(46630, 987_654_321n), await Owner.create(46630)];
  await settled(await payee.enroll());
  const [keys, plain] = [await createBlindKey(owner), await createApiKey(owner)];
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
    const settings = { url, rpcUrl: env().chains.test.rpcUrl, fetch: listeningFetch };
    const clientOf = (pair: { apiKey: string; homeKey: string; network: "test" | "live" }) =>
      new Halcyon({ ...settings, ...pair, pins: new MemoryPins() });
    const sdk = clientOf({ apiKey: keys.text, homeKey: keys.homeKey, network: "test" });
    const proxy = await serveProxy({ service: url, homeKeys: [keys.homeKey], port: 0, clientOf }, () => {});
    const needles: Record<string, string | Uint8Array> = { "home key": keys.homeKey, knowledge: owner.secret };
    const to = `@${payee.account.handle}`;
    for (let at = 0; at < payments; at++) {
      const units = BigInt(1_000_001 + Math.floor(Math.random() * 6_000_000));
      const amount = formatAmount(units, 6);
      const memo = `memo-${crypto.randomUUID()}`;
      if (at % 2 === 0) await payByLibrary(sdk, { to, amount, memo });
      else await postPlainly(proxy.url, keys.text, { to, amount, memo });
      Object.assign(needles, { [`amount ${at}`]: amount, [`memo ${at}`]: memo });
      needles[`balance ${at}`] = formatAmount((await owner.decryptAvailable()).limit, 6);
    }
    const rows = [1, 2].map((row) => {
      const amount = formatAmount(BigInt(10_000_001 * row + Math.floor(Math.random() * 6_000_000)), 6);
      Object.assign(needles, { [`row ${row}`]: amount, [`memo of row ${row}`]: `memo-${crypto.randomUUID()}` });
      return { to, amount, memo: needles[`memo of row ${row}`] };
    });
    await postPlainly(proxy.url, keys.text, { rows }, "/v1/payouts");
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

async function postPlainly(url: string, apiKey: string, body: object, path = "/v1/transfers"): Promise<void> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
  };
  for (;;) {
    const response = await machineFetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (response.status === 201) return;
    const text = await response.text();
    if (response.status !== 503 && response.status !== 504) throw new Error(`${response.status} ${text}`);
  }
}
