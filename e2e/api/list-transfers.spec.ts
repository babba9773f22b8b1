import { expect, test } from "./fixtures";

test("200: pages, newest first, without skipping or repeating", async ({ alice, bob }) => {
  for (const amount of ["1", "1.1", "1.2"]) await alice.call("POST", "/v1/transfers", { to: bob.handle, amount });
  const all = (await alice.call("GET", "/v1/transfers?limit=100")).json.transfers as Record<string, string>[];
  const times = all.map(({ created_at }) => created_at ?? "");
  expect(times).toEqual([...times].sort().reverse());
  const first = (await alice.call("GET", "/v1/transfers?limit=2")).json;
  const second = (await alice.call("GET", "/v1/transfers?limit=2&offset=2")).json;
  expect(first).toMatchObject({ limit: 2, offset: 0, has_more: true });
  const ids = [first, second].flatMap(({ transfers }) =>
    (transfers as Record<string, string>[]).map((one) => one.transfer_id),
  );
  expect(ids).toEqual(all.slice(0, ids.length).map(({ transfer_id }) => transfer_id));
});

test("200: `from` and `to` are strict bounds, `status` filters", async ({ alice, bob }) => {
  const { json: created } = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" });
  const at = encodeURIComponent(String(created.created_at));
  const listed = async (query: string) => {
    const { transfers } = (await alice.call("GET", `/v1/transfers?limit=100&${query}`)).json;
    return (transfers as Record<string, string>[]).map(({ transfer_id }) => transfer_id);
  };
  expect(await listed(`from=${at}`)).not.toContain(created.transfer_id);
  expect(await listed(`to=${at}`)).not.toContain(created.transfer_id);
  expect(await listed("from=2020-01-01T00:00:00Z")).toContain(created.transfer_id);
  expect(await listed("status=failed")).not.toContain(created.transfer_id);
});

test("200: `key` lists what was paid with that API key, to its account alone", async ({ alice, bob }) => {
  const { json: me } = await alice.call("GET", "/v1/accounts/me");
  const { json: created } = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" });
  const listed = async (account: typeof alice, query: string) => {
    const { transfers } = (await account.call("GET", `/v1/transfers?limit=100&${query}`)).json;
    return (transfers as Record<string, string>[]).map(({ transfer_id }) => transfer_id);
  };
  const key = String((me.key as { key_id?: string } | undefined)?.key_id);
  expect(await listed(alice, `key=${key}`)).toContain(created.transfer_id);
  expect(await listed(alice, `key=${key}&direction=received`)).toEqual([]);
  expect(await listed(alice, "key=key_00000000000000000000000000")).toEqual([]);
  expect(await listed(bob, `key=${key}`)).toEqual([]);
});

const REFUSED: [query: string, param: string][] = [
  ["limit=0", "limit"],
  ["limit=101", "limit"],
  ["limit=abc", "limit"],
  ["limit=", "limit"],
  ["limit=1.5", "limit"],
  ["status=x", "status"],
  ["key=mine", "key"],
  ["from=yesterday", "from"],
  ["to=2026-02-30T00:00:00Z", "to"],
  ["offset=-1", "offset"],
  ["offset=10001", "offset"],
  ["limit=5&limit=6", "limit"],
  ["colour=red", "colour"],
];

for (const [query, param] of REFUSED) {
  test(`400 naming ${param}: ${query}`, async ({ alice }) => {
    const response = await alice.call("GET", `/v1/transfers?${query}`);
    expect(response.status).toBe(400);
    expect(response.json.error).toMatchObject({ code: "invalid_request", param });
  });
}
