import { EventStream } from "./event-stream";
import { expect, openStream, type Party, productURL, settled, targets, test } from "./fixtures";
import { WalletSession } from "./wallet-session";

const open = (party: Party, lastEventId?: string) => openStream(party, productURL, lastEventId);
const newKey = (party: Party) => party.client.keys.create({ label: "stream" });

test("a stream shows sender and recipient a payment while it happens, and no amount", async ({ alice, bob }) => {
  const [mine, his] = [await open(alice), await open(bob)];
  expect(mine.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(mine.headers["cache-control"]).toContain("no-store");
  const { json } = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "17.391846" });
  await settled(alice, String(json.transfer_id));
  for (const stream of [mine, his]) {
    const seen = () =>
      stream.messages.filter(({ data }) => data.object_id === json.transfer_id).map(({ data }) => data.type);
    await expect.poll(seen).toEqual(["transfer.initiated", "transfer.confirmed"]);
    for (const { event, data } of stream.messages) {
      const fields = { ready: ["at", "resumed"], change: ["at", "target", "type"], deliveries: ["at", "webhook_id"] };
      const expected = event === "event" ? ["at", "event_id", "object_id", "type"] : fields[event as "ready"];
      expect(Object.keys(data).sort()).toEqual(expected);
    }
    // The seconds of a time, which may be the same digits, follow a colon.
    expect(stream.text).not.toMatch(/(?<!:)17\.39|17391846/);
    stream.close();
  }
});

test("a change arrives by itself, at its own account alone", async ({ alice, bob }) => {
  const [mine, his] = [await open(alice), await open(bob)];
  const { key_id } = await newKey(alice);
  await expect.poll(() => targets(mine, "key.created")).toContain(key_id);
  expect((await alice.session.send("DELETE", `/api/keys/${key_id}`)).status()).toBe(200);
  await expect.poll(() => targets(mine, "key.revoked"), { intervals: [20] }).toContain(key_id);
  expect(his.text).not.toContain(key_id);
  mine.close();
  his.close();
});

test("anyone who comes back with the last id gets what happened since, in order, and nothing from before", async ({
  alice,
}) => {
  const before = await newKey(alice);
  const first = await open(alice);
  const { key_id: seen } = await newKey(alice);
  await expect.poll(() => targets(first, "key.created")).toContain(seen);
  const { last } = first;
  first.close();
  const missed = [await newKey(alice), await newKey(alice)].map(({ key_id }) => key_id);
  const second = await open(alice, last);
  expect(second.messages[0]?.data).toMatchObject({ resumed: true });
  await expect.poll(() => targets(second, "key.created")).toEqual(missed);
  expect(second.text).not.toContain(before.key_id);
  second.close();
  // An invalid last event id must not prevent the connection.
  const third = await open(alice, "%00 nonsense");
  expect(third.messages[0]?.data).toMatchObject({ resumed: false });
  third.close();
});

test("401 without a session; a stream ends with its session, signed out or revoked from elsewhere", async ({
  alice,
  playwright,
}) => {
  const anonymous = await playwright.request.newContext({ baseURL: productURL });
  const refused = await anonymous.get("/api/stream");
  expect(refused.status()).toBe(401);
  expect((await refused.json()).error.code).toBe("unauthorized");
  const elsewhere = await WalletSession.open(playwright, productURL, { key: alice.walletKey });
  const stream = await EventStream.open(elsewhere, productURL);
  await expect.poll(() => stream.messages.length).toBeGreaterThan(0);
  const { sessions } = await (await elsewhere.get("/api/sessions")).json();
  const { session_id, client_address } = sessions.find(({ current }: { current: boolean }) => current);
  expect(client_address).toMatch(/^[0-9a-f.:]+$/);
  expect((await alice.session.send("DELETE", `/api/sessions/${session_id}`)).status()).toBe(200);
  await expect.poll(() => stream.ended).toBe(true);
  expect((await EventStream.open(elsewhere, productURL)).status).toBe(401);
});

test("a session has ten streams at most: 429 with the shape of every error", async ({ alice, playwright }) => {
  const session = await WalletSession.open(playwright, productURL, { key: alice.walletKey });
  const streams: EventStream[] = [];
  for (let n = 0; n < 10; n++) streams.push(await EventStream.open(session, productURL));
  const over = await session.get("/api/stream");
  expect(over.status()).toBe(429);
  expect((await over.json()).error.code).toBe("rate_limited");
  for (const stream of streams) stream.close();
  const again = async () => {
    const stream = await EventStream.open(session, productURL);
    stream.close();
    return stream.status;
  };
  await expect.poll(again).toBe(200);
});
