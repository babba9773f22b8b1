import type { APIResponse } from "@playwright/test";
import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { holdPayment, newAgent } from "./agent-fixtures";
import { expect, newParty, type Party, settled, stateOf, test } from "./fixtures";

const json = async <T = Record<string, unknown>>(response: Promise<APIResponse>, status = 200): Promise<T> => {
  const got = await response;
  expect(got.status(), await got.text()).toBe(status);
  return status === 204 ? (undefined as T) : ((await got.json()) as T);
};
const errorOf = (response: Promise<APIResponse>, status: number) =>
  json<{ error: { code: string; param?: string } }>(response, status).then(({ error }) => error);
const idsOf = (party: Party, query: string) =>
  json<{ transfers: { transfer_id: string }[] }>(party.session.get(`/api/transfers?limit=100&${query}`)).then(
    ({ transfers }) => transfers.map(({ transfer_id }) => transfer_id),
  );

test("transfers by direction, counterparty, asset and key; one with its timeline, to its two sides alone", async ({
  alice,
  bob,
  playwright,
}) => {
  const { json: paid } = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "0.25" });
  const id = String(paid.transfer_id);
  await settled(alice, id);
  expect(await idsOf(alice, `direction=sent&asset=USDG&key=${alice.keyId}&counterparty=${bob.handle}`)).toContain(id);
  expect(await idsOf(alice, `counterparty=${bob.address}`)).toContain(id);
  expect(await idsOf(bob, `direction=received&counterparty=${alice.handle}`)).toContain(id);
  expect(await idsOf(alice, "direction=received")).not.toContain(id);
  expect(await idsOf(alice, "asset=ETH")).toEqual([]);
  expect(await idsOf(bob, `key=${alice.keyId}`)).toEqual([]);
  expect(await errorOf(alice.session.get("/api/transfers?counterparty=@nobody-has-this"), 404)).toMatchObject({
    code: "recipient_not_found",
    param: "counterparty",
  });
  expect((await errorOf(alice.session.get("/api/transfers?key=mine"), 400)).param).toBe("key");

  const shown = await json<{ timeline: Record<string, string | null> & { mined: { block: string; at: string } } }>(
    alice.session.get(`/api/transfers/${id}`),
  );
  const { timeline } = shown;
  expect(shown).toMatchObject({ transfer_id: id, status: "confirmed", operation_id: expect.stringMatching(/^op_/) });
  expect(timeline).toMatchObject({ mined: { block: expect.stringMatching(/^\d+$/) }, failed_at: null, failure: null });
  expect(Date.parse(timeline.broadcast_at ?? "")).toBeGreaterThanOrEqual(Date.parse(timeline.created_at ?? ""));
  expect(Date.parse(timeline.final_at ?? "")).toBeGreaterThan(Date.parse(timeline.created_at ?? ""));
  expect(await json(bob.session.get(`/api/transfers/${id}`))).toMatchObject({
    direction: "received",
    key_id: null,
    operation_id: null,
  });
  const stranger = await newParty(playwright, "stranger", undefined);
  expect((await errorOf(stranger.session.get(`/api/transfers/${id}`), 404)).code).toBe("not_found");
});

test("a key's requests per day, for its owner alone", async ({ alice, bob }) => {
  await awayFromMidnight();
  await alice.call("GET", "/v1/accounts/me");
  const path = `/api/keys/${alice.keyId}/usage`;
  const daysOf = (query: string) =>
    json<{ days: { day: string; requests: number }[] }>(alice.session.get(path + query));
  const today = async () => (await daysOf("?days=7")).days.at(-1);
  // Counts are written in the background, at most a minute late.
  await expect.poll(async () => (await today())?.requests, { timeout: 140_000 }).toBeGreaterThan(0);
  expect((await today())?.day).toBe(new Date().toISOString().slice(0, 10));
  expect((await daysOf("")).days).toHaveLength(30);
  expect((await errorOf(alice.session.get(`${path}?days=0`), 400)).param).toBe("days");
  expect((await errorOf(bob.session.get(path), 404)).code).toBe("not_found");
});

test("requiring client-signed payments: keys read and cannot pay, prepared payments continue; nothing of it touches another account", async ({
  bob,
  playwright,
}) => {
  const carol = await newParty(playwright, "carol", "20");
  const me = "/api/accounts/me";
  const headers = { "content-type": "application/json", origin: "https://elsewhere.example" };
  const foreign = await carol.session.http.fetch(me, { method: "PATCH", data: '{"strict":true}', headers });
  expect(foreign.status()).toBe(403);
  expect((await errorOf(carol.session.send("PATCH", me, { strict: "yes" }), 400)).param).toBe("strict");
  expect(await json(carol.session.get(me))).toMatchObject({ strict: false });
  expect(await json(carol.session.send("PATCH", me, { strict: true }))).toMatchObject({ strict: true });
  const before = await stateOf(carol);
  const refused = await carol.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" });
  expect([refused.status, refused.json.error?.code]).toEqual([403, "key_forbidden"]);
  expect(await stateOf(carol)).toEqual(before);
  expect((await carol.call("GET", "/v1/transfers")).status).toBe(200);
  const wrapping = {
    label: "pays",
    key_hash: `0x${"cd".repeat(32)}`,
    prefix: "hc_test_",
    last_four: "abcd",
    wrap: `0x${"00".repeat(105)}`,
    flag_wrap: `0x${"00".repeat(72)}`,
    secret_version: 1,
  };
  expect((await errorOf(carol.session.send("POST", "/api/keys", wrapping), 400)).param).toBe("wrap");
  expect(await json(carol.session.send("PATCH", me, { strict: false }))).toMatchObject({ strict: false });
  expect((await carol.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" })).status).toBe(403);
  expect(await json(bob.session.get(me))).toMatchObject({ strict: false });
  const { entries } = await json<{ entries: { after: unknown }[] }>(
    carol.session.get("/api/audit-log?action=account.strict_changed"),
  );
  expect(entries.map(({ after }) => after)).toEqual([{ strict: false }, { strict: true, keys: [carol.keyId] }]);
});

test("whether waiting payments go together is the owner's to say, and theirs alone", async ({ alice, bob }) => {
  const me = "/api/accounts/me";
  expect(await json(alice.session.get(me))).toMatchObject({ batch_payments: true });
  expect((await errorOf(alice.session.send("PATCH", me, { batch_payments: 0 }), 400)).param).toBe("batch_payments");
  await errorOf(alice.session.send("PATCH", me, {}), 400);
  const off = await json(alice.session.send("PATCH", me, { batch_payments: false }));
  expect(off).toMatchObject({ batch_payments: false, strict: false });
  expect(await json(bob.session.get(me))).toMatchObject({ batch_payments: true });
  expect(await json(alice.session.send("PATCH", me, { batch_payments: true }))).toMatchObject({ batch_payments: true });
  const { entries } = await json<{ entries: { after: unknown }[] }>(
    alice.session.get("/api/audit-log?action=account.batch_payments_changed"),
  );
  expect(entries.map(({ after }) => after)).toEqual([{ batch_payments: true }, { batch_payments: false }]);
});

test("backups of the root are kept for their owner alone, five at most", async ({ alice, bob }) => {
  const path = "/api/backups";
  const sealed = `0x010102${"ab".repeat(72)}`;
  const wallet = { kind: "wallet", label: "Second", address: bob.address, sealed };
  const created = await json<{ backup_id: string }>(alice.session.send("POST", path, wallet), 201);
  expect(created).toEqual({
    backup_id: expect.stringMatching(/^bak_/),
    ...wallet,
    created_at: expect.stringMatching(/Z$/),
  });
  expect(await json(alice.session.get(path))).toEqual({ backups: [created], has_more: false });
  // Another account's wallet gets nothing, even if it could decrypt the backup.
  expect(await json(bob.session.get(path))).toEqual({ backups: [], has_more: false });
  expect((await errorOf(bob.session.send("DELETE", `${path}/${created.backup_id}`), 404)).code).toBe("not_found");
  const code = { kind: "recovery_code", label: "Paper", sealed };
  for (const [body, param] of [
    [{ ...code, sealed: `${sealed}00` }, "sealed"],
    [{ ...code, address: bob.address }, "address"],
    [{ ...wallet, address: undefined }, "address"],
    [{ ...wallet, address: alice.address }, "address"],
    [{ ...code, root: "0x00" }, "root"],
  ] as const) {
    expect((await errorOf(alice.session.send("POST", path, body), 400)).param).toBe(param);
  }
  for (let n = 0; n < 4; n++) await json(alice.session.send("POST", path, code), 201);
  expect((await errorOf(alice.session.send("POST", path, code), 400)).code).toBe("invalid_request");
  const { backups } = await json<{ backups: { backup_id: string }[] }>(alice.session.get(path));
  expect(backups).toHaveLength(5);
  for (const { backup_id } of backups) await json(alice.session.send("DELETE", `${path}/${backup_id}`), 204);
  expect(await json(alice.session.get(path))).toEqual({ backups: [], has_more: false });
});

test("decided payments stay visible with who decided; the count is of those that wait", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "60");
  const count = async () =>
    (await json<{ pending: number }>(alice.session.get("/api/agents/transactions/count"))).pending;
  const before = await count();
  const [first, second] = [
    await holdPayment(agent, { to: bob.handle, amount: "11" }),
    await holdPayment(agent, { to: bob.handle, amount: "12" }),
  ];
  expect(await count()).toBe(before + 2);
  await json(alice.session.send("POST", `/api/agents/transactions/${first}/reject`));
  const approved = await alice.call("POST", `/v1/agents/transactions/${second}/approve`);
  expect(approved.status, approved.text).toBe(200);
  expect(await count()).toBe(before);
  const list = (party: Party, query: string) =>
    json<{ transactions: { transaction_id: string }[] }>(party.session.get(`/api/agents/transactions?${query}`)).then(
      ({ transactions }) => transactions,
    );
  const here = `agent=${encodeURIComponent(agent.handle)}`;
  expect(await list(alice, here)).toMatchObject([
    {
      transaction_id: second,
      status: "approved",
      transfer_id: approved.json.transfer_id,
      decided_by: { type: "key", id: alice.keyId, label: "e2e" },
      decided_at: expect.stringMatching(/Z$/),
    },
    { transaction_id: first, status: "rejected", decided_by: { type: "session" } },
  ]);
  expect((await list(alice, `${here}&status=rejected`)).map(({ transaction_id }) => transaction_id)).toEqual([first]);
  expect(await list(alice, `${here}&limit=1&offset=1`)).toMatchObject([{ transaction_id: first }]);
  expect(await list(bob, "limit=100")).toEqual([]);
  expect((await errorOf(bob.session.get(`/api/agents/transactions?${here}`), 403)).code).toBe("not_agent_owner");
  expect((await errorOf(alice.session.get("/api/agents/transactions?status=pending_approval"), 400)).param).toBe(
    "status",
  );
});
