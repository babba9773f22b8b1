import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { createPublicClient, http } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownerUrl } from "@/scripts/stack/postgres";
import { isOurs, recordedPid } from "@/scripts/stack/processes";
import { loadSecrets } from "@/scripts/stack/secrets";
import { Receiver } from "@/test/services/receiver";
import { call, type Fleet, LivePage, type Member, newMember, type Reply, startFleet } from "./fleet";

/*
 * Two web and two worker processes over one PostgreSQL, behind the proxy of `npm start -- --web 2 --workers 2`: what
 * they share, they share through the database alone.
 */
const BURST = 60;
const PER_SECOND = 20;
const ACCOUNT_BURST = 80;
const ACCOUNT_PER_SECOND = 25;
const MAX_KEYS = 6;

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

/** The type and transfer of each delivery that came for a member. */
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
  expect(await Promise.all([served(metricsPort), served(metricsPort + 2)])).toEqual([true, true]);
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
  // People sign in at the site's own address; either process may get that request.
  const page = await LivePage.open(alice, fleet.url, web(1));
  const transferId = id(await pay(web(0), alice, "2", randomUUID()));
  await expect.poll(() => page.text).toContain(transferId);
  page.close();
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

  const { env, data } = fleet.product;
  const sql = postgres(ownerUrl(loadSecrets(data).postgresPassword, Number(env.HALCYON_PG_PORT)), { max: 1 });
  try {
    const relayers = await sql<{ address: `0x${string}`; next_nonce: number }[]>`
      select '0x' || encode(address, 'hex') as address, next_nonce from relayers where chain_id = 46630 and position >= 0`;
    const chain = createPublicClient({ transport: http(`http://127.0.0.1:${env.HALCYON_RPC_PORT_46630}`) });
    expect(relayers.length).toBeGreaterThan(1);
    for (const { address, next_nonce } of relayers) {
      await expect.poll(() => chain.getTransactionCount({ address })).toBe(next_nonce);
    }
  } finally {
    await sql.end();
  }
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
  // A request that it was serving may be lost with it; the same key gets its response from the other.
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
      // A request that the old process no longer takes is made again with its key, as our clients do.
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
      const running = () => {
        const pid = recordedPid(product.data, name) ?? 0;
        return isOurs(pid, product.data) ? pid : 0;
      };
      const before = running();
      expect(before).toBeGreaterThan(0);
      process.kill(before, "SIGTERM");
      await expect.poll(() => ![0, before].includes(running())).toBe(true);
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

test("an account has so many keys, however many it asks for at once through both", async () => {
  // The proxy gives each process every other request.
  const asked = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5, 6, 7].map((n) => alice.client.keys.create({ label: `key ${n}` })),
  );
  // One is live already.
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_KEYS - 1);
});

test("a key has one quota over both processes, and so has an account over all its keys", async () => {
  const dora = await newMember(fleet.url, "dora-fleet", "1");
  const { api_key: second } = await dora.client.keys.create({ label: "second" });
  const ask = async (keys: readonly string[], count: number) => {
    const start = performance.now();
    const responses = await Promise.all(
      Array.from({ length: count }, (_, n) => call(web(n), keys[(n >> 1) % keys.length] ?? "", "/v1/accounts/me")),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    return { passed: passed(responses), seconds: (performance.now() - start) / 1000 };
  };
  const one = await ask([dora.apiKey], 3 * BURST);
  expect(one.passed).toBeLessThanOrEqual(BURST + PER_SECOND * one.seconds + 1);
  const all = await ask([dora.apiKey, second], 4 * ACCOUNT_BURST);
  expect(all.passed).toBeLessThanOrEqual(ACCOUNT_BURST + ACCOUNT_PER_SECOND * all.seconds + 1);
});
