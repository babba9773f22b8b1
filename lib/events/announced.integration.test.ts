import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { webhookDeliveries } from "@/db/schema/webhooks";
import { createKey } from "@/lib/accounts/keys/create-key";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { createWebhook } from "@/lib/events/webhooks/create-webhook";
import { disableWebhook } from "@/lib/events/webhooks/disable-webhook";
import { updateWebhook } from "@/lib/events/webhooks/update-webhook";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import type { EventType } from "./catalogue";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const announced = async ({ account }: Owner) => {
  const rows = await db().select().from(events).where(eq(events.rootId, account.id)).orderBy(asc(events.id));
  return rows.map(({ payload: { event, event_id: _, timestamp: __, ...payload } }) => [event, payload]);
};

test("a key's creation and its end are announced once each, to its owner alone", async () => {
  const [owner, other] = [await Owner.create(46630), await Owner.create(46630)];
  const { id: keyId } = await createKey(owner.session, {
    key_hash: toHex(randomBytes(32)),
    prefix: "hc_test_",
    last_four: "0000",
    label: "Backend",
    scopes: ["webhooks"],
    flag_wrap: toHex(randomBytes(60)),
    secret_version: 1,
  });
  for (let i = 0; i < 2; i++) await revokeKey(owner.session, keyId);
  const payload = { account: `@${owner.account.handle}`, key_id: keyId };
  expect(await announced(owner)).toEqual([
    ["key.created", payload],
    ["key.revoked", payload],
  ]);
  await expect(revokeKey(other.session, keyId)).rejects.toMatchObject({ code: "not_found" });
  expect(await announced(other)).toEqual([]);
});

test("an endpoint that is disabled is announced once, to the owner's other endpoints", async () => {
  const owner = await Owner.create(46630);
  const input = { url: "http://localhost:4000/hook", events: ["webhook.disabled"] satisfies EventType[] };
  const make = async () => (await createWebhook(owner.session, input)).webhook.id;
  const [failing, off, other] = [await make(), await make(), await make()];
  const now = new Date();
  await Promise.all((["failing", "gone"] as const).map((reason) => disableWebhook(failing, reason, now, input.url)));
  for (let i = 0; i < 2; i++) await updateWebhook(owner.session, off, { enabled: false });
  const account = `@${owner.account.handle}`;
  expect(await announced(owner)).toEqual([
    ["webhook.disabled", { account, webhook_id: failing, reason: expect.stringMatching(/failing|gone/) }],
    ["webhook.disabled", { account, webhook_id: off, reason: "owner" }],
  ]);
  const sent = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.event, "webhook.disabled"));
  const to = sent.flatMap(({ webhookId }) => ([failing, off, other].includes(webhookId) ? [webhookId] : []));
  // The second webhook still got the event of the first.
  expect(to.sort()).toEqual([off, other, other].sort());
});
