import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { messagesOf } from "@/app/(dashboard)/[network]/inbox/messages-of";
import { POST as confirmByPage } from "@/app/api/notifications/confirm/route";
import * as unsubscribing from "@/app/api/notifications/unsubscribe/route";
import { db, sql } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { jobs } from "@/db/schema/jobs";
import { localMail, notificationEmails } from "@/db/schema/notifications";
import { webhooks } from "@/db/schema/webhooks";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { newId } from "@/lib/base/ids";
import { CHAIN_ID } from "@/lib/base/network";
import { NOTIFY } from "@/lib/base/scheduler/catalogue";
import { JobRunner } from "@/lib/base/scheduler/job-runner";
import { relayerAccount } from "@/lib/chain/relayer";
import { appendEvents } from "@/lib/events/append-events";
import { randomBytes } from "@/lib/ledger/crypto/bytes";
import { NOTIFICATION_WORK } from "@/lib/worker/timed-work";
import { Owner } from "@/test/accounts/owner";
import { holdPayments } from "@/test/accounts/waiting-payments";
import { MailServer } from "@/test/services/mail-server";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { notice, reminderMs } from "./delivery/notice";
import { sendNotification } from "./delivery/send-notification";
import { watchGas } from "./delivery/watch-gas";
import { confirmEmail } from "./email/confirm-email";
import { unsubscribe } from "./email/end-emails";
import { removeEmail } from "./email/remove-email";
import { setEmail } from "./email/set-email";
import { getSettings } from "./get-settings";
import { listLocalMail } from "./list-local-mail";
import { reencryptTargets } from "./reencrypt-targets";
import { toNotifications } from "./settings-resource";
import { switchKind } from "./switch-kind";

const CHAIN = 46630;
const MINUTE = 60_000;

let services: SharedServices;
let now = new Date();
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
afterEach(async () => {
  env().mail = undefined;
  now = new Date();
  await db().delete(jobs).where(eq(jobs.name, NOTIFY.name));
});

const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const worker = () => new JobRunner(NOTIFICATION_WORK, { clock: () => new Date(now) });

/** Lets workers run due jobs. */
async function work(...workers: JobRunner[]): Promise<void> {
  const all = workers.length > 0 ? workers : [worker()];
  await Promise.all(all.map((one) => one.look()));
  await Promise.all(all.map((one) => one.idle()));
}

const someone = async (): Promise<SessionContext> => (await Owner.create(CHAIN)).session;
const freshAddress = () => `${newId("request").toLowerCase()}@example.com`;
const tokenIn = (text: string, page: string) =>
  decodeURIComponent(new RegExp(`${page}\\?token=(\\S+)`).exec(text)?.[1] ?? "");
const subjects = async (ctx: SessionContext) => (await listLocalMail(ctx)).map(({ subject }) => subject).reverse();

/** Creates an owner with a confirmed address, whose inbox contains only the confirmation. */
async function confirmed(address = freshAddress()): Promise<{ owner: Owner; ctx: SessionContext; address: string }> {
  const owner = await Owner.create(CHAIN);
  await setEmail(owner.session, { address }, now);
  await work();
  const [mail] = await listLocalMail(owner.session);
  expect(await confirmEmail(tokenIn(mail?.plain ?? "", "confirm"), now)).toBe(true);
  return { owner, ctx: owner.session, address };
}

/** Writes a held payment like `hold()`: its row and its event in one transaction. */
async function hold(owner: Owner, leftMs = 86_400_000): Promise<string> {
  const [id = ""] = await holdPayments(
    owner,
    [leftMs + now.getTime() - Date.now()],
    `bot${newId("request").slice(-8).toLowerCase()}`,
  );
  const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, id));
  const { account } = owner;
  const payload = { transaction_id: id, agent: "@a/bot", to: "@bob", requested_at: "", expires_at: "" };
  const subject = { id: row?.agentId ?? "", rootId: account.id, handle: `${account.handle}/bot` };
  await db().transaction((tx) =>
    appendEvents(tx, [{ chainId: CHAIN, type: "agent.transaction.pending_approval", subject, payload }], now),
  );
  return id;
}

const decide = (id: string) => db().update(heldPayments).set({ status: "rejected" }).where(eq(heldPayments.id, id));
const entries = async (ctx: SessionContext) =>
  (await db().select().from(auditLog).where(eq(auditLog.rootId, ctx.account.rootId)).orderBy(auditLog.position)).map(
    ({ action }) => action,
  );

test("an address gets one message that asks for its confirmation, and nothing else before it is given", async () => {
  const owner = await Owner.create(CHAIN);
  const ctx = owner.session;
  await setEmail(ctx, { address: freshAddress() }, now);
  await hold(owner);
  await work();
  pass(10 * MINUTE);
  await work();
  expect(await subjects(ctx)).toEqual(["Confirm your email address for notifications"]);
});

test("a link confirms once, within a day, the address it was sent to; another, a part or a longer one does not", async () => {
  const ctx = await someone();
  const address = freshAddress();
  await setEmail(ctx, { address }, now);
  await work();
  const first = tokenIn((await listLocalMail(ctx))[0]?.plain ?? "", "confirm");
  await setEmail(ctx, { address }, now);
  await work();
  const token = tokenIn((await listLocalMail(ctx))[0]?.plain ?? "", "confirm");
  for (const wrong of [first, token.slice(0, -1), `${token}A`, token.split(".")[0] ?? "", "", "eml_1.abc"]) {
    expect(await confirmEmail(wrong, now)).toBe(false);
  }
  expect(await confirmEmail(token, new Date(now.getTime() + 24 * 60 * MINUTE))).toBe(false);
  expect(await confirmEmail(token, now)).toBe(true);
  expect(await confirmEmail(token, now)).toBe(false);
  expect(await entries(ctx)).toEqual([
    "notifications.email_set",
    "notifications.email_set",
    "notifications.email_confirmed",
  ]);
});

test("a payment that is held is announced once, however many workers there are and however often they run", async () => {
  const { owner, ctx } = await confirmed();
  await hold(owner);
  const workers = [worker(), worker(), worker()];
  await work(...workers);
  await work(...workers);
  expect((await subjects(ctx)).slice(1)).toEqual(["A payment awaits your approval"]);
});

test("payments held within five minutes are announced together, unless they are decided by then", async () => {
  const { owner, ctx } = await confirmed();
  await hold(owner);
  await work();
  const ids = [await hold(owner), await hold(owner)];
  await work();
  expect(await subjects(ctx)).toHaveLength(2);
  pass(5 * MINUTE);
  await work();
  expect((await subjects(ctx)).slice(1)).toEqual(Array(2).fill("A payment awaits your approval"));
  const last = await hold(owner);
  await db().update(heldPayments).set({ status: "rejected" }).where(eq(heldPayments.rootId, ctx.account.rootId));
  await Promise.all([...ids, last].map(decide));
  pass(5 * MINUTE);
  await work();
  expect(await subjects(ctx)).toHaveLength(3);
});

test("a change that is rolled back announces nothing, and a worker that died after sending does not send again", async () => {
  const { owner, ctx } = await confirmed();
  await hold(owner);
  const [job] = await db().select().from(jobs).where(eq(jobs.name, NOTIFY.name));
  const input = job?.input as unknown as Parameters<typeof sendNotification>[0];
  // One worker sent and recorded the message but died before the job's end was recorded, so another runs the job again.
  await sendNotification(input, now);
  await sendNotification(input, new Date(now.getTime() + 10 * MINUTE));
  expect(await subjects(ctx)).toHaveLength(2);
  await work();
  const refused = db().transaction(async (tx) => {
    const subject = { id: owner.account.id, rootId: owner.account.id, handle: owner.account.handle };
    const payload = { transaction_id: "txn_1", agent: "@a", to: "@b", requested_at: "", expires_at: "" };
    await appendEvents(tx, [{ chainId: CHAIN, type: "agent.transaction.pending_approval", subject, payload }], now);
    throw new Error("refused");
  });
  await expect(refused).rejects.toThrow("refused");
  expect(await db().$count(jobs, eq(jobs.name, NOTIFY.name))).toBe(0);
});

test("a payment is reminded of once before it expires; one that is decided is not", async () => {
  const { owner, ctx } = await confirmed();
  const [open, decided] = await holdPayments(owner, [reminderMs() + MINUTE, reminderMs() + MINUTE]);
  await notice(now);
  await work();
  expect(await subjects(ctx)).toHaveLength(1);
  await decide(decided ?? "");
  const [row] = await db()
    .select()
    .from(heldPayments)
    .where(eq(heldPayments.id, open ?? ""));
  const ends = row?.expiresAt.getTime() ?? 0;
  // The very time of the reminder.
  pass(ends - reminderMs() - now.getTime());
  await Promise.all([notice(now), notice(now), notice(now)]);
  await work();
  expect((await subjects(ctx)).slice(1)).toEqual(["A payment that awaits your approval is about to expire"]);
  pass(10 * MINUTE);
  await notice(now);
  await work();
  expect(await subjects(ctx)).toHaveLength(2);
  await decide(open ?? "");
});

test("a webhook that fails for a quarter of an hour is announced once for each time it begins to", async () => {
  const { ctx } = await confirmed();
  const id = newId("webhook");
  const { rootId } = ctx.account;
  const failingSince = new Date(now.getTime() - 16 * MINUTE);
  await db().insert(webhooks).values({
    id,
    rootId,
    chainId: CHAIN,
    url: "http://localhost:1/",
    events: [],
    failures: 9,
    failingSince,
    createdAt: now,
  });
  await notice(now);
  await notice(now);
  await work();
  expect((await subjects(ctx)).slice(1)).toEqual(["A webhook of yours is failing"]);
  pass(60 * MINUTE);
  await db()
    .update(webhooks)
    .set({ failingSince: new Date(now.getTime() - 14 * MINUTE) })
    .where(eq(webhooks.id, id));
  await notice(now);
  await work();
  expect(await subjects(ctx)).toHaveLength(2);
  pass(2 * MINUTE);
  await notice(now);
  await work();
  expect(await subjects(ctx)).toHaveLength(3);
});

test("what is switched off is not sent", async () => {
  const { owner, ctx } = await confirmed();
  await switchKind(ctx, { kind: "approval_needed", channel: "email", enabled: false });
  await hold(owner);
  await work();
  expect(await subjects(ctx)).toHaveLength(1);
  await switchKind(ctx, { kind: "approval_needed", channel: "email", enabled: true });
  await switchKind(ctx, { kind: "approval_needed", channel: "email", enabled: true });
  await hold(owner);
  await work();
  expect(await subjects(ctx)).toHaveLength(2);
  expect((await entries(ctx)).filter((action) => action === "notifications.switched")).toHaveLength(2);
});

test("the token of a message ends the messages, in one step and without a session, and does nothing else", async () => {
  const { owner, ctx } = await confirmed();
  await hold(owner);
  await work();
  const [mail] = await listLocalMail(ctx);
  const headers = JSON.parse(mail?.headers ?? "{}") as Record<string, string>;
  expect(headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  const token = tokenIn(headers["List-Unsubscribe"] ?? "", "unsubscribe").replace(/>$/, "");
  expect(token).toBe(tokenIn(mail?.plain ?? "", "unsubscribe"));
  expect(await confirmEmail(token, now)).toBe(false);
  expect(await unsubscribe(`${token}A`, now)).toBe(false);
  expect(await unsubscribe(token, now)).toBe(true);
  expect(await unsubscribe(token, now)).toBe(true);
  pass(10 * MINUTE);
  await hold(owner);
  await work();
  expect(await subjects(ctx)).toHaveLength(2);
  expect(toNotifications(await getSettings(ctx)).email?.state).toBe("unsubscribed");
});

test("a message says nothing but that there is something: no amount, counterparty, memo, id or name", async () => {
  const { owner, ctx } = await confirmed();
  const id = await hold(owner);
  await notice(now);
  await work();
  const [mail] = await listLocalMail(ctx);
  for (const text of [mail?.plain, mail?.html, mail?.subject]) {
    for (const secret of [id, "@bob", owner.account.handle, owner.address.slice(2), "#", "USDG"]) {
      // Colors are not URL fragments, and a random token may contain anything.
      const said = (text ?? "").replace(/#[0-9a-f]{6}\b/g, "").replace(/token=[\w%.~-]+/g, "");
      expect(said.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  }
  const links = [...`${mail?.plain}`.matchAll(/https?:\S+/g)].map(([link]) => new URL(link).pathname);
  expect(links).toEqual(["/sign-in", "/notifications/unsubscribe"]);
});

test("the database shows no address and no token", async () => {
  const { ctx, address } = await confirmed();
  await setEmail(ctx, { address }, now);
  const [row] = await db().select().from(notificationEmails).where(eq(notificationEmails.rootId, ctx.account.rootId));
  const tables = ["notification_emails", "jobs", "rate_limits", "audit_log", "notification_sends", "events"];
  for (const table of tables) {
    const rows = await sql().unsafe(`select t::text as row from ${table} t`);
    const text = rows.map((one) => String(one.row)).join("\n");
    expect(text).not.toContain(address);
    expect(text).not.toContain(Buffer.from(address).toString("hex"));
  }
  expect(row?.encrypted).toBeDefined();
  env().secretsKeyPrevious = env().secretsKey;
  env().secretsKey = new Uint8Array(32).fill(7);
  try {
    expect(await reencryptTargets()).toBeGreaterThan(0);
    env().secretsKeyPrevious = undefined;
    expect(toNotifications(await getSettings(ctx)).email?.address).toBe(address);
    expect(await reencryptTargets()).toBe(0);
    env().secretsKeyPrevious = new Uint8Array(32).fill(7);
    env().secretsKey = Uint8Array.from(Buffer.from("dd".repeat(32), "hex"));
    await reencryptTargets();
  } finally {
    env().secretsKeyPrevious = undefined;
  }
});

test("no inbox is filled: links are capped by account, and by inbox over all accounts and spellings", async () => {
  const ctx = await someone();
  for (let n = 0; n < 10; n++) await setEmail(ctx, { address: freshAddress() }, now);
  await expect(setEmail(ctx, { address: freshAddress() }, now)).rejects.toMatchObject({ code: "rate_limited" });
  const name = newId("request").toLowerCase();
  for (let n = 0; n < 5; n++) await setEmail(await someone(), { address: `${name}+${n}@example.com` }, now);
  const again = setEmail(await someone(), { address: `${name.toUpperCase()}@Example.com` }, now);
  await expect(again).rejects.toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
});

test("an address that its server refuses gets no more, with the reason; a server that is away is tried again", async () => {
  const { owner, ctx } = await confirmed();
  const server = await MailServer.start({ disabledCommands: ["STARTTLS"] });
  try {
    env().mail = server.env({ plain: true });
    server.refuse = () => 450;
    await hold(owner);
    const one = worker();
    await work(one);
    server.refuse = () => undefined;
    pass(6_000);
    await work(one);
    expect(server.received).toHaveLength(1);
    server.refuse = () => 550;
    pass(10 * MINUTE);
    await hold(owner);
    await work(one);
    expect(toNotifications(await getSettings(ctx)).email).toMatchObject({ state: "bounced", reason: "550" });
    server.refuse = () => undefined;
    pass(10 * MINUTE);
    await hold(owner);
    await work(one);
    expect(server.received).toHaveLength(1);
    expect(await entries(ctx)).toContain("notifications.email_bounced");
  } finally {
    await server.stop();
  }
});

test("an address that is removed gets nothing, and what was on its way to it is not sent to the next one", async () => {
  const { owner, ctx } = await confirmed();
  await hold(owner);
  await removeEmail(ctx);
  await removeEmail(ctx);
  await setEmail(ctx, { address: freshAddress() }, now);
  await work();
  expect(await subjects(ctx)).toEqual(Array(2).fill("Confirm your email address for notifications"));
  expect((await entries(ctx)).filter((action) => action === "notifications.email_removed")).toHaveLength(1);
});

test("there is an inbox where a chain is local and no mail server is set, and one sees their own mail alone", async () => {
  const { ctx } = await confirmed();
  expect(await listLocalMail(await someone())).toEqual([]);
  const other = await confirmed();
  expect(await db().$count(localMail, and(eq(localMail.rootId, ctx.account.rootId)))).toBe(1);
  expect((await listLocalMail(other.ctx)).every(({ rootId }) => rootId === other.ctx.account.rootId)).toBe(true);
  const { test: chain } = env().chains;
  try {
    chain.local = false;
    await expect(listLocalMail(ctx)).rejects.toMatchObject({ code: "not_found" });
    await expect(setEmail(ctx, { address: freshAddress() }, now)).rejects.toMatchObject({ code: "invalid_request" });
  } finally {
    chain.local = true;
  }
  env().mail = { host: "localhost", port: 1, implicitTls: true, plain: false, from: "a@example.com" };
  await expect(listLocalMail(ctx)).rejects.toMatchObject({ code: "not_found" });
});

test("a link that is opened does nothing, a button does, and a mail program's one request ends the messages", async () => {
  const ctx = await someone();
  await setEmail(ctx, { address: freshAddress() }, now);
  await work();
  const [mail] = await listLocalMail(ctx);
  const state = async () => toNotifications(await getSettings(ctx)).email?.state;
  const ask = (handler: typeof confirmByPage, path: string, init: RequestInit) =>
    handler(new Request(`http://localhost:3000/api/notifications/${path}`, init), { params: Promise.resolve({}) });
  const token = encodeURIComponent(tokenIn(mail?.plain ?? "", "confirm"));
  const end = encodeURIComponent(tokenIn(mail?.plain ?? "", "unsubscribe"));
  const form = { "content-type": "application/x-www-form-urlencoded" };

  const confirmed = await ask(confirmByPage, `confirm?token=${token}&page=1`, { method: "POST", headers: form });
  expect([confirmed.status, confirmed.headers.get("location")]).toEqual([303, "/notifications/confirm?result=done"]);
  const again = await ask(confirmByPage, `confirm?token=${token}&page=1`, { method: "POST", headers: form });
  expect(again.headers.get("location")).toBe("/notifications/confirm?result=expired");

  const opened = await ask(unsubscribing.GET, `unsubscribe?token=${end}`, {});
  expect([opened.status, opened.headers.get("location")]).toEqual([303, `/notifications/unsubscribe?token=${end}`]);
  expect(await state()).toBe("confirmed");
  const oneClick = { method: "POST", headers: form, body: "List-Unsubscribe=One-Click" };
  expect((await ask(unsubscribing.POST, "unsubscribe?token=eml_1.x", oneClick)).status).toBe(404);
  expect(await state()).toBe("confirmed");
  expect((await ask(unsubscribing.POST, `unsubscribe?token=${end}`, oneClick)).status).toBe(204);
  expect(await state()).toBe("unsubscribed");
  const byPage = await ask(unsubscribing.POST, `unsubscribe?token=${end}&page=1`, oneClick);
  expect(byPage.headers.get("location")).toBe("/notifications/unsubscribe?result=done");
});

test("low gas is the operator's to know: one mail a day and relayer, none without an operator, and nothing to any account", async () => {
  const { ctx } = await confirmed();
  const { relayerSeed } = env();
  const server = await MailServer.start({ disabledCommands: ["STARTTLS"] });
  try {
    // Relayers without funds.
    env().relayerSeed = randomBytes(32);
    env().mail = server.env({ plain: true });
    await watchGas(CHAIN_ID.live, now);
    env().mail = server.env({ plain: true, operator: "ops@example.com" });
    const look = async () => {
      await watchGas(CHAIN_ID.live, now);
      await work();
      pass(10 * MINUTE);
      await work();
    };
    await look();
    // Several relayers are low, but there is only one message.
    expect(server.received).toHaveLength(1);
    await look();
    expect(server.received).toHaveLength(1);
    pass(24 * 60 * MINUTE);
    await look();
    expect(server.received).toHaveLength(2);
    for (const { to, raw } of server.received) {
      expect(to).toEqual(["ops@example.com"]);
      expect(raw).toContain("Subject: Relayers of the live network are low on gas");
      expect(raw).not.toContain(relayerAccount(CHAIN_ID.live, 0).address);
    }
    env().mail = undefined;
    expect(await subjects(ctx)).toEqual(["Confirm your email address for notifications"]);
  } finally {
    env().relayerSeed = relayerSeed;
    await server.stop();
  }
});

test("the page of the inbox exists where there is an inbox, and nowhere else", async () => {
  const { ctx } = await confirmed();
  const open = () => messagesOf(ctx);
  await expect(open()).resolves.toBeTruthy();
  const notFound = { digest: "NEXT_HTTP_ERROR_FALLBACK;404" };
  env().mail = { host: "localhost", port: 1, implicitTls: true, plain: false, from: "a@example.com" };
  await expect(open()).rejects.toMatchObject(notFound);
  env().mail = undefined;
  const { test: chain } = env().chains;
  try {
    chain.local = false;
    await expect(open()).rejects.toMatchObject(notFound);
  } finally {
    chain.local = true;
  }
});
