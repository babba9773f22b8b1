import { afterAll, beforeAll, expect, test } from "vitest";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { generateHomeKey } from "@/lib/ledger/encrypted/home-key";
import { keyCaller } from "@/test/accounts/api-caller";
import { createBlindKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { everythingStored } from "@/test/services/everything-stored";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { readJsonBody } from "./read-json-body";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const sent = (text: string) => {
  const body = JSON.stringify({ memo: text });
  return readJsonBody(new Request("http://localhost/v1/transfers", { method: "POST", body })).catch(({ code }) => code);
};

test("the owner of a home key that arrives is notified once by an event and an entry, and no one of an unknown or revoked one", async () => {
  const owner = await Owner.create(46630);
  const [exposed, revoked] = [await createBlindKey(owner), await createBlindKey(owner)];
  await revokeKey(owner.session, revoked.id);
  const { call } = await keyCaller(owner.session);
  const eventsOf = async () => (await call("GET", "/v1/events?type=key.exposed")).json.events as { key_id: string }[];
  for (const text of [revoked.homeKey, generateHomeKey(46630), exposed.homeKey, exposed.homeKey]) {
    expect(await sent(text)).toBe("invalid_request");
  }
  await expect.poll(async () => (await eventsOf()).length).toBe(1);
  expect(await eventsOf()).toMatchObject([{ key_id: exposed.id }]);
  const { entries } = (await call("GET", "/v1/audit-log?action=key.exposed")).json;
  expect(entries).toMatchObject([{ target: exposed.id, actor: { type: "system" } }]);
  const stored = JSON.stringify(await everythingStored());
  for (const { homeKey } of [exposed, revoked]) expect(stored).not.toContain(homeKey.slice(9));
});
