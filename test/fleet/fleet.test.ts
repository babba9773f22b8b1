import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { createPublicClient, http } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownerUrl } from "@/scripts/stack/postgres";
import { isOurs, recordedPid } from "@/scripts/stack/processes";
import { loadSecrets } from "@/scripts/stack/secrets";
import { Receiver } from "@/test/services/receiver";
import {
  call,
  callOnce,
  type Fleet,
  holdPayment,
  LivePage,
  type Member,
  newMember,
  type Reply,
  signIn,
  startFleet,
} from "./fleet";

/*
 * Two web and two worker processes over one PostgreSQL, behind the proxy of `npm start -- --web 2 --workers 2`. They
 * share data only through the database.
 */
const BURST = 60;
const PER_SECOND = 20;
const ACCOUNT_BURST = 80;
const ACCOUNT_PER_SECOND = 25;
const MAX_KEYS = 6;
const MAX_STREAMS = 2;

let fleet: Fleet;
let alice: Member;
let bob: Member;
let receiver: Receiver;

beforeAll(async () => {
  fleet = await startFleet({
    RATE_LIMIT_PER_SECOND: String(PER_SECOND),
    RATE_LIMIT_BURST: String(BURST),
    RATE_LIMIT_ACCOUNT_PER_SECOND: String(ACCOUNT_PER_SECOND),
    RATE_LIMIT_ACCOUNT_BURST: String(ACCOUNT_BURST),
    ACCOUNT_MAX_KEYS: String(MAX_KEYS),
    ACCOUNT_MAX_STREAMS: String(MAX_STREAMS),
  });
  receiver = await Receiver.start();
  [alice, bob] = await Promise.all([newMember(fleet.url, "alice-fleet"), newMember(fleet.url, "bob-fleet")]);
});
afterAll(async () => {
  await receiver?.stop();
  await fleet?.product.stop();
});

const web = (index: number) => fleet.webs[index % 2] as string;
const pay = (url: string, from: Member, amount: string, key: string, to = bob) =>
  call(url, from.apiKey, "/v1/transfers", { to: `@${to.handle}`, amount }, key);
const id = ({ json }: Reply) => String(json.transfer_id);
const isUp = (url: string) =>
  fetch(`${url}/status`).then(
    ({ ok }) => ok,
    () => false,
  );
const passed = (responses: readonly Reply[]) => responses.filter(({ status }) => status === 200).length;

/** The pid of a process that runs; 0 while none does. */
function pidOf(name: string): number {
  const { data } = fleet.product;
  const pid = recordedPid(data, name) ?? 0;
  return isOurs(pid, data) ? pid : 0;
}

/** Sends SIGTERM to a process, once it runs. Returns its pid. */
async function terminate(name: string): Promise<number> {
  let pid = 0;
  await expect.poll(() => (pid = pidOf(name))).toBeGreaterThan(0);
  process.kill(pid, "SIGTERM");
  return pid;
}

async function withDatabase<T>(use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const { env, data } = fleet.product;
  const sql = postgres(ownerUrl(loadSecrets(data).postgresPassword, Number(env.HALCYON_PG_PORT)), { max: 1 });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

/** Returns the type and transfer of each delivery for a member. */
const delivered = (path: string) =>
  receiver.received
    .filter((one) => one.path === path)
    .map(({ body }) => JSON.parse(body) as { event: string; event_id: string; transfer_id: string });

async function settled(owner: Member, transferIds: readonly string[]): Promise<void> {
  for (const transferId of transferIds) {
    await expect
      .poll(async () => (await call(fleet.url, owner.apiKey, `/v1/transfers/${transferId}`)).json.status, {
        interval: 500,
      })
      .toBe("confirmed");
  }
}

test("two of each run, and the proxy uses both web processes", async () => {
  const { data } = fleet.product;
  const names = ["web", "web-2", "worker", "worker-2"];
  expect(names.map((name) => isOurs(recordedPid(data, name) ?? 0, data))).toEqual([true, true, true, true]);
  const metricsPort = Number(fleet.product.env.HALCYON_METRICS_PORT);
  const served = async (port: number) =>
    (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).includes('http_route="/v1/accounts/me"');
  for (let n = 0; n < 4; n++) expect((await call(fleet.url, alice.apiKey, "/v1/accounts/me")).status).toBe(200);
  await expect.poll(() => Promise.all([served(metricsPort), served(metricsPort + 2)])).toEqual([true, true]);
});

test("one idempotency key is one payment, on either process, at once and later", async () => {
  const key = randomUUID();
  const responses = await Promise.all([0, 1, 2, 3].map((n) => pay(web(n), alice, "1.5", key)));
  const sent = new Set(responses.filter(({ status }) => status === 201).map(id));
  expect(sent.size).toBe(1);
  for (const { status, json } of responses) {
    if (status !== 201) expect(json.error?.code).toBe("idempotency_in_progress");
  }
  for (const url of fleet.webs) {
    const again = await pay(url, alice, "1.5", key);
    expect(id(again)).toBe([...sent][0]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  }
});

test("an available balance is spent once: payments through both processes never exceed it", async () => {
  const carol = await newMember(fleet.url, "carol-fleet", "10");
  const responses = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => pay(web(n), carol, "3", randomUUID())));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 402, 402, 402]);
  await settled(carol, responses.filter(({ status }) => status === 201).map(id));
});

test("payments of one account that wait at both processes go together there, and each key is one payment", async () => {
  const keys = Array.from({ length: 12 }, () => randomUUID());
  const send = () => Promise.all(keys.map((key, n) => pay(web(n), alice, "0.01", key)));
  const [first, again] = [await send(), await send()];
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([201]));
  const sent = first.map(id);
  expect(new Set(sent).size).toBe(keys.length);
  expect(again.map(id)).toEqual(sent);
  await settled(alice, sent);
  const hashes = await Promise.all(
    sent.map(async (one) => (await call(fleet.url, alice.apiKey, `/v1/transfers/${one}`)).json.tx_hash),
  );
  expect(new Set(hashes).size).toBeLessThan(keys.length);
});

test("a key revoked at one process is refused by the other's next request", async () => {
  const { key_id, api_key } = await alice.client.keys.create({ label: "revoked" });
  for (const url of fleet.webs) expect((await call(url, api_key, "/v1/accounts/me")).status).toBe(200);
  await alice.client.keys.revoke(key_id);
  for (const url of fleet.webs) expect((await call(url, api_key, "/v1/accounts/me")).status).toBe(401);
});

test("a page that is open at one process sees what happens at the other", async () => {
  // People sign in at the site's own address. Either process may get that request.
  const page = await LivePage.open(await signIn(alice, fleet.url), web(1));
  const transferId = id(await pay(web(0), alice, "2", randomUUID()));
  await expect.poll(() => page.text).toContain(transferId);
  page.close();
});

test("an account has so many live pages at each process, and a closed one makes room", async () => {
  const session = await signIn(bob, fleet.url);
  const pages: LivePage[] = [];
  const open = (at: string) =>
    LivePage.open(session, at).then(
      (page) => {
        pages.push(page);
        return "open";
      },
      ({ message }: Error) => message,
    );
  const refused = "the stream was refused: 429";
  for (const url of fleet.webs) {
    const opened: string[] = [];
    for (let n = 0; n <= MAX_STREAMS; n++) opened.push(await open(url));
    expect(opened).toEqual([...Array.from({ length: MAX_STREAMS }, () => "open"), refused]);
  }
  pages[0]?.close();
  await expect.poll(() => open(web(0))).toBe("open");
  expect(await open(web(1))).toBe(refused);
  for (const page of pages) page.close();
});

test("a balance that is locked at one process is locked at the other, and released by it", async () => {
  const session = await signIn(alice, fleet.url);
  const asset = { asset: "USDG" };
  const { lock_token } = await session.at(web(0)).post<{ lock_token: string }>("/api/available-balances/lock", asset);
  // It would end by itself after half a minute, which a busy machine may take.
  await withDatabase(async (sql) => {
    await sql`update available_balances set lock_until = now() + interval '1 hour' where lock_token = ${lock_token}`;
  });
  const lock = () =>
    session
      .at(web(1))
      .call("POST", "/api/available-balances/lock", { json: asset })
      .then(
        () => "locked",
        ({ code }: { code?: string }) => code,
      );
  let second = await lock();
  // A busy machine may shed the request.
  for (let n = 0; second === "unavailable" && n < 100; n++) second = await lock();
  expect(second).toBe("rate_limited");
  let paid = false;
  const payment = pay(web(1), alice, "0.01", randomUUID()).finally(() => {
    paid = true;
  });
  // One that came later does not wait.
  expect((await pay(web(1), bob, "0.01", randomUUID(), alice)).status).toBe(201);
  expect(paid).toBe(false);
  await session.at(web(1)).delete("/api/available-balances/lock", { ...asset, lock_token });
  expect((await payment).status).toBe(201);
});

test("nonces follow each other without a gap, and each event is delivered once, with two workers", async () => {
  const path = "/alice";
  const events = ["transfer.initiated", "transfer.confirmed", "transfer.failed"] as const;
  await alice.client.webhooks.create({ url: receiver.url(path), events });
  const sent: string[] = [];
  for (let round = 0; round < 3; round++) {
    const responses = await Promise.all([
      pay(web(round), alice, "0.25", randomUUID()),
      pay(web(round + 1), bob, "0.5", randomUUID(), alice),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    sent.push(...responses.map(id).slice(0, 1));
    await settled(bob, responses.map(id).slice(1));
  }
  await settled(alice, sent);
  const wanted = sent.flatMap((one) => [`transfer.confirmed ${one}`, `transfer.initiated ${one}`]).sort();
  const got = () =>
    delivered(path)
      .filter((one) => sent.includes(one.transfer_id))
      .map((one) => `${one.event} ${one.transfer_id}`)
      .sort();
  await expect.poll(got).toEqual(wanted);

  await withDatabase(async (sql) => {
    const read = () => sql<{ address: `0x${string}`; next_nonce: number }[]>`
      select '0x' || encode(address, 'hex') as address, next_nonce from relayers where chain_id = 46630 and position >= 0`;
    const { HALCYON_RPC_PORT_46630: port } = fleet.product.env;
    const chain = createPublicClient({ transport: http(`http://127.0.0.1:${port}`) });
    expect((await read()).length).toBeGreaterThan(1);
    const gaps = async () => {
      const relayers = await read();
      const mined = await Promise.all(relayers.map(({ address }) => chain.getTransactionCount({ address })));
      return relayers.map(({ next_nonce }, n) => next_nonce - (mined[n] ?? 0)).filter((gap) => gap !== 0);
    };
    await expect.poll(gaps).toEqual([]);
  });
});

test("a worker that is killed leaves its work to the other: payments settle and are delivered", async () => {
  const { product } = fleet;
  const before = id(await pay(web(0), alice, "0.75", randomUUID()));
  const killed = product.kill("worker");
  const during = id(await pay(web(1), alice, "0.75", randomUUID()));
  await settled(alice, [before, during]);
  await killed;
  const confirmed = () =>
    delivered("/alice").flatMap((one) => (one.event === "transfer.confirmed" ? one.transfer_id : []));
  await expect.poll(confirmed).toEqual(expect.arrayContaining([before, during]));
});

test("a web process that is killed takes only its own requests with it: the proxy goes on with the other", async () => {
  const { product } = fleet;
  const killed = product.kill("web-2");
  const key = randomUUID();
  // A request that the killed process was serving may be lost. The same idempotency key gets its response from the
  // other process.
  await expect.poll(async () => (await pay(fleet.url, alice, "0.1", key).catch(() => undefined))?.status).toBe(201);
  await killed;
  await product.whole();
  await expect.poll(() => Promise.all(fleet.webs.map(isUp))).toEqual([true, true]);
});

test("each process is replaced in its turn while people pay: every payment is accepted, once, and settles", async () => {
  const { product } = fleet;
  let replaced = false;
  const accepted: string[] = [];
  const paying = (async () => {
    while (!replaced) {
      const key = randomUUID();
      let response: Reply | undefined;
      // A request that the old process no longer accepts is repeated with its idempotency key, as our clients do.
      await expect
        .poll(async () => {
          response = await pay(fleet.url, alice, "0.01", key).catch(() => undefined);
          return response?.status;
        })
        .toBe(201);
      if (response) accepted.push(id(response));
    }
  })();
  paying.catch(() => {});
  try {
    for (const name of ["web", "worker", "web-2", "worker-2"]) {
      const before = await terminate(name);
      await expect.poll(() => ![0, before].includes(pidOf(name))).toBe(true);
      await product.whole();
      await expect.poll(() => Promise.all(fleet.webs.map(isUp))).toEqual([true, true]);
    }
  } finally {
    replaced = true;
    await paying;
  }
  expect(accepted.length).toBeGreaterThan(3);
  expect(new Set(accepted).size).toBe(accepted.length);
  await settled(alice, accepted);
});

test("a web process that gets SIGTERM makes every payment it has begun, then ends", async () => {
  const keys = Array.from({ length: 4 }, () => randomUUID());
  const body = { to: `@${alice.handle}`, amount: "0.01" };
  const held = await Promise.all(keys.map((key) => holdPayment(web(0), bob.apiKey, body, key)));
  // Two are being made when the signal comes, and two it has not read to their end.
  const begun = held.slice(0, 2).map((payment) => payment.finish());
  const said = fleet.said.length;
  const pid = await terminate("web");
  await expect.poll(() => isUp(web(0))).toBe(false);
  const responses = await Promise.all([...begun, ...held.slice(2).map((payment) => payment.finish())]);
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  await expect.poll(() => isOurs(pid, fleet.product.data)).toBe(false);
  const ofWeb = fleet.said.slice(said).filter((line) => /\bweb (stopped|failed)/.test(line));
  expect(ofWeb).toEqual([expect.stringContaining("web stopped (draining); starting it again")]);
  const sent = responses.map(({ json }) => String(json.transfer_id));
  expect(new Set(sent).size).toBe(keys.length);
  await settled(bob, sent);
  await expect.poll(() => isUp(web(0))).toBe(true);
});

test("a worker that gets SIGTERM finishes the delivery under way: one attempt, and its response is kept", async () => {
  const path = "/held";
  const { webhook_id } = await bob.client.webhooks.create({ url: receiver.url(path), events: ["transfer.initiated"] });
  const before = receiver.respond;
  const waiting: (() => void)[] = [];
  receiver.respond = (response, received, n) => {
    if (received.path !== path) return before(response, received, n);
    waiting.push(() => response.writeHead(204).end());
  };
  try {
    expect((await pay(fleet.url, bob, "0.01", randomUUID(), alice)).status).toBe(201);
    await expect.poll(() => waiting.length).toBe(1);
    const said = fleet.said.length;
    // Either has it.
    await Promise.all(["worker", "worker-2"].map(terminate));
    waiting[0]?.();
    const stopped = () => fleet.said.slice(said).flatMap((line) => /worker\S* stopped \(.*?\)/.exec(line)?.[0] ?? []);
    await expect.poll(() => stopped().sort()).toEqual(["worker stopped (0)", "worker-2 stopped (0)"].sort());
  } finally {
    receiver.respond = before;
  }
  await fleet.product.whole();
  const { json } = await call(fleet.url, bob.apiKey, `/v1/webhooks/${webhook_id}/deliveries`);
  expect(json.deliveries).toEqual([expect.objectContaining({ status: "succeeded", attempt: 1 })]);
  expect(receiver.received.filter((one) => one.path === path)).toHaveLength(1);
});

test("an account has so many keys, however many it asks for at once through both", async () => {
  // The proxy alternates requests between the processes.
  const asked = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5, 6, 7].map((n) => alice.client.keys.create({ label: `key ${n}` })),
  );
  // One already exists.
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_KEYS - 1);
});

test("a key has one quota over both processes, and so has an account over all its keys", async () => {
  const dora = await newMember(fleet.url, "dora-fleet", "1");
  const { api_key: second } = await dora.client.keys.create({ label: "second" });
  const ask = async (keys: readonly string[], count: number) => {
    const start = performance.now();
    const responses: Reply[] = [];
    const statuses = () => new Set(responses.map(({ status }) => status).filter((status) => status !== 503));
    const path = "/v1/accounts/me";
    // A machine that is busy with other work sheds some of them first, and may pass the others too slowly for a refusal.
    do {
      const round = Array.from({ length: count }, (_, n) => callOnce(web(n), keys[(n >> 1) % keys.length] ?? "", path));
      responses.push(...(await Promise.all(round)));
    } while (!statuses().has(429) && performance.now() - start < 60_000);
    expect(statuses()).toEqual(new Set([200, 429]));
    return { passed: passed(responses), seconds: (performance.now() - start) / 1000 };
  };
  const one = await ask([dora.apiKey], 3 * BURST);
  expect(one.passed).toBeLessThanOrEqual(BURST + PER_SECOND * one.seconds + 1);
  const all = await ask([dora.apiKey, second], 4 * ACCOUNT_BURST);
  expect(all.passed).toBeLessThanOrEqual(ACCOUNT_BURST + ACCOUNT_PER_SECOND * all.seconds + 1);
});
