import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { db, sql } from "@/db/client";
import { auditLog } from "@/db/schema/audit";
import { jobs } from "@/db/schema/jobs";
import { pushDevices } from "@/db/schema/notifications";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { NOTIFY } from "@/lib/base/scheduler/catalogue";
import { JobRunner } from "@/lib/base/scheduler/job-runner";
import { notifyOwner } from "@/lib/events/notify-owner";
import { NOTIFICATION_WORK } from "@/lib/worker/timed-work";
import { Owner } from "@/test/accounts/owner";
import { holdPayments } from "@/test/accounts/waiting-payments";
import { PushService } from "@/test/services/push-service";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { getSettings } from "./get-settings";
import { addDevice } from "./push/add-device";
import { removeDevice } from "./push/remove-device";
import { vapidPublicKey } from "./push/vapid";
import { toNotifications } from "./settings-resource";

const CHAIN = 46630;
const MINUTE = 60_000;
const VAPID = Uint8Array.from(Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"));

let services: SharedServices;
let service: PushService;
let now = new Date();
beforeAll(async () => {
  services = await startSharedServices();
  env().vapidKey = VAPID;
});
afterAll(async () => {
  env().vapidKey = undefined;
  await services.stop();
});
beforeEach(async () => {
  now = new Date();
  service = await PushService.start();
});
afterEach(async () => {
  await service.stop();
  await db().delete(jobs).where(eq(jobs.name, NOTIFY.name));
});

/** A browser: its private keys and its subscription. */
function browser(path = randomBytes(8).toString("hex")) {
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") };
  const hkdf = (key: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number) =>
    Buffer.from(hkdfSync("sha256", key, salt, info, length));
  /** Decrypts like a receiver of RFC 8291, section 3.4. */
  const open = (body: Buffer): string => {
    const [salt, length] = [body.subarray(0, 16), body[20] ?? 0];
    const sender = body.subarray(21, 21 + length);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
    const secret = hkdf(ecdh.computeSecret(sender), auth, info, 32);
    const key = hkdf(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
    const nonce = hkdf(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
    const encrypted = body.subarray(21 + length);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(encrypted.subarray(-16));
    const text = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
    expect(text.at(-1)).toBe(2);
    return text.subarray(0, -1).toString();
  };
  return { subscription: { endpoint: `${service.url}/send/${path}`, keys }, open };
}

async function work(): Promise<void> {
  const worker = new JobRunner(NOTIFICATION_WORK, { clock: () => new Date(now) });
  await worker.look();
  await worker.idle();
}
const announce = ({ account }: SessionContext) =>
  db().transaction((tx) => notifyOwner(tx, { rootId: account.rootId, chainId: CHAIN }, "approval_needed", now));
const devicesOf = async (ctx: SessionContext) => toNotifications(await getSettings(ctx)).devices;

/** Creates an owner with a device and a payment that waits for approval. */
async function owned() {
  const owner = await Owner.create(CHAIN);
  await holdPayments(owner, [86_400_000]);
  const one = browser();
  const device = await addDevice(owner.session, one.subscription, now);
  return { ctx: owner.session, device, ...one };
}

test("a browser gets a message that it alone can read, from a sender its service knows, and it says nothing of the payment", async () => {
  const { ctx, open } = await owned();
  await announce(ctx);
  await work();
  const [request] = service.received;
  expect(request?.method).toBe("POST");
  expect(request?.headers).toMatchObject({
    "content-encoding": "aes128gcm",
    ttl: "86400",
    urgency: "high",
    topic: "approval_needed",
  });
  expect(JSON.parse(open(request?.body ?? Buffer.alloc(0)))).toEqual({
    title: "A payment awaits your approval",
    body: "At least one payment on the test network awaits your approval.",
    path: "/sign-in?next=%2Ftest%2Fapprovals",
    tag: "approval_needed",
  });
  const [, signed = "", claims = "", signature = "", k = ""] =
    /^vapid t=([\w-]+\.([\w-]+))\.([\w-]+), k=([\w-]+)$/.exec(request?.headers.authorization ?? "") ?? [];
  expect(Buffer.from(k, "base64url")).toEqual(vapidPublicKey(VAPID));
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({ aud: service.url });
  const [x, y] = [1, 33].map((at) =>
    Buffer.from(k, "base64url")
      .subarray(at, at + 32)
      .toString("base64url"),
  );
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const raw = Buffer.from(signature, "base64url");
  expect(verify("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }, raw)).toBe(true);
});

test.each([404, 410])(
  "a subscription of which its service says %i is removed, which the audit log shows",
  async (status) => {
    const { ctx } = await owned();
    service.status = status;
    await announce(ctx);
    await work();
    expect(await devicesOf(ctx)).toEqual([]);
    const entries = await db().select().from(auditLog).where(eq(auditLog.rootId, ctx.account.rootId));
    expect(entries.map(({ action }) => action)).toEqual(["notifications.device_added", "notifications.device_expired"]);
  },
);

test("a service that is busy is asked again; one that refuses is not, and the device says so until it takes a message", async () => {
  const { ctx } = await owned();
  service.status = 503;
  await announce(ctx);
  await work();
  expect(await devicesOf(ctx)).toMatchObject([{ failure: "503" }]);
  service.status = 403;
  now = new Date(now.getTime() + MINUTE);
  await work();
  now = new Date(now.getTime() + 60 * MINUTE);
  await work();
  expect(service.received).toHaveLength(2);
  expect(await devicesOf(ctx)).toMatchObject([{ failure: "403" }]);
  service.status = 201;
  await announce(ctx);
  await work();
  expect(await devicesOf(ctx)).toMatchObject([{ failure: null }]);
});

test("a service that redirects leads nowhere", async () => {
  const { ctx } = await owned();
  service.status = 307;
  await announce(ctx);
  await work();
  expect(service.received).toHaveLength(1);
});

test("the same subscription is one device, another account's is not one's own, and there are at most ten", async () => {
  const { ctx, device, subscription } = await owned();
  const again = await addDevice(ctx, subscription, now);
  expect(again.id).toBe(device.id);
  const other = (await Owner.create(CHAIN)).session;
  await expect(removeDevice(other, device.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(removeDevice({ ...ctx, network: "live", chainId: 4663 }, device.id)).rejects.toMatchObject({
    code: "not_found",
  });
  const added = await Promise.allSettled(Array.from({ length: 12 }, () => addDevice(ctx, browser().subscription, now)));
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
  await removeDevice(ctx, device.id);
  expect(await devicesOf(ctx)).toHaveLength(9);
});

test("what is no subscription is refused: a key that is none, an endpoint of no push service", async () => {
  const { ctx, subscription } = await owned();
  const key = Buffer.alloc(65, 4).toString("base64url");
  const noPoint = { ...subscription, keys: { ...subscription.keys, p256dh: key } };
  await expect(addDevice(ctx, noPoint)).rejects.toMatchObject({ code: "invalid_request", param: "keys.p256dh" });
  const elsewhere = { ...subscription, endpoint: "https://push.example.com/abc" };
  await expect(addDevice(ctx, elsewhere)).rejects.toMatchObject({ code: "invalid_request", param: "endpoint" });
  // Only local chains may reach this machine.
  const live = { ...ctx, network: "live", chainId: 4663 } as const;
  env().chains.live.local = false;
  await expect(addDevice(live, subscription)).rejects.toMatchObject({ code: "invalid_request" });
  env().chains.live.local = true;
});

test("the database shows neither endpoint nor keys", async () => {
  const { subscription, device } = await owned();
  const [row] = await sql()`select t::text as row from push_devices t where id = ${device.id}`;
  for (const secret of [subscription.endpoint, subscription.keys.auth, subscription.keys.p256dh]) {
    expect(row?.row).not.toContain(secret);
    expect(row?.row).not.toContain(Buffer.from(secret).toString("hex"));
  }
  expect(await db().$count(pushDevices, eq(pushDevices.id, device.id))).toBe(1);
});
