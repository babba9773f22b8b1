import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import type { SharedView } from "@/lib/ledger/shared-view/shared-view-document";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import type { Context } from "../../context/context";
import { send } from "../../payments/send";
import { checkSharedView } from "./check-shared-view";
import { createSharedView } from "./create-shared-view";
import { decryptShared, type EncryptedSharedView, readSharedViewLink } from "./decrypt-shared";
import { deleteSharedView, listSharedViews } from "./list-shared-views";
import type { CreatedSharedView } from "./shared-view-input";
import { verifySharedView } from "./verify-shared-view";

const CHAIN = 46630;
const PERIOD = { from: "2020-01-01", to: "2100-01-01", timeZone: "UTC" } as const;
let services: WorkingServices;
let owner: Owner;
let [payee, other]: Owner[] = [];
let own: Context;
let visitor: Context;
let shared: CreatedSharedView;

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee, other] = [
    await Owner.funded(CHAIN, 100_000_000n),
    await Owner.create(CHAIN),
    await Owner.create(CHAIN),
  ];
  for (const one of [payee, other]) await settled(await one.enroll());
  const { agent, operationId } = await Agent.create(owner);
  await settled(operationId);
  own = await clientOf(owner.walletKey, env().chains.test.rpcUrl);
  visitor = await clientOf((payee as Owner).walletKey, env().chains.test.rpcUrl);
  await send(own, { to: `@${agent.account.handle}`, amount: "20", clientSigned: true });
  await send(own, { to: `@${payee.account.handle}`, amount: "7.5", memo: "secret lunch", clientSigned: true });
  await send(own, {
    from: `@${agent.account.handle}`,
    to: `@${payee.account.handle}`,
    amount: "3",
    clientSigned: true,
  });
  await send(own, { to: other.address, amount: "2", public: true, clientSigned: true });
  shared = await createSharedView(own, { ...PERIOD, withAgents: true, label: "Accountant" });
});
afterAll(() => services?.stop());

/** Returns the view as the author created it, decrypted but not yet checked against the chain. */
async function opened(): Promise<SharedView> {
  const { id, key } = readSharedViewLink(shared.url);
  const { body } = await visitor.http.send("GET", `/api/views/${id}`);
  return decryptShared(body as EncryptedSharedView, key, await visitor.info());
}
const checked = async (view: SharedView, now?: number) =>
  checkSharedView(view, await visitor.info(), await visitor.chain(), {}, now);

test("anyone with the link sees the payments, each as the chain has it, and no memo, balance or key", async () => {
  expect(shared).toMatchObject({ payments: 4, left_out: 0, opened_at: null });
  const view = await verifySharedView(visitor, shared.url);
  const rows = view.payments.map(({ state, direction, amount, public: isPublic }) => [
    state,
    direction,
    amount,
    isPublic,
  ]);
  expect(rows).toEqual([
    ["proven", "in", "100", true],
    ["proven", "out", "7.5", false],
    ["proven", "out", "2", true],
    ["proven", "out", "3", false],
  ]);
  expect(view).toMatchObject({
    refused: 0,
    totals: [{ asset: "USDG", paid_in: "100", paid_out: "12.5", payments: 4 }],
  });
  expect(view.payments[1]).toMatchObject({ name: `@${payee?.account.handle}`, memo: null, final: true });
  const [listed] = (await listSharedViews(own)).shared_views;
  expect(listed?.opened_at).toEqual(expect.any(String));
});

test("of one counterparty it has that one's payments alone", async () => {
  const only = await createSharedView(own, {
    ...PERIOD,
    counterparty: `@${payee?.account.handle}`,
    label: "Payee",
    memos: true,
  });
  const view = await verifySharedView(visitor, only.url);
  expect(view.payments.map(({ amount, memo }) => [amount, memo])).toEqual([["7.5", "secret lunch"]]);
  expect(view.counterparty).toBe(payee?.address);
});

test("one forged payment inside is refused and counted nowhere, and the others stay proven", async () => {
  const view = await opened();
  const [deposit, note, released] = view.payments;
  if (!deposit || !note || !released) throw new Error("the view has four payments");
  const forged: [string, SharedView["payments"][number]][] = [
    ["another amount", { ...note, amount: note.amount + 1n }],
    ["another salt", { ...note, salt: note.salt + 1n }],
    ["another recipient", { ...note, recipient: other?.address ?? "0x" }],
    ["another payer", { ...note, payer: other?.address ?? "0x" }],
    ["another transaction", { ...note, txHash: deposit.txHash }],
    ["no transaction", { ...note, txHash: `0x${"ab".repeat(32)}` }],
    ["the same payment twice", note],
    ["a public payment of more", { ...released, amount: released.amount + 1n }],
    ["a deposit twice", deposit],
    ["a deposit of more", { ...deposit, amount: deposit.amount * 2n }],
  ];
  for (const [name, payment] of forged) {
    const result = await checked({ ...view, payments: [...view.payments, payment] });
    expect([name, result.refused, result.payments.at(-1)?.state]).toEqual([name, 1, "refused"]);
    expect(result.totals[0]).toMatchObject({ paid_in: "100", paid_out: "12.5", payments: 4 });
  }
});

test("payments outside of the period, the counterparty or the accounts it names are refused", async () => {
  const view = await opened();
  expect((await checked({ ...view, from: view.to - 1 })).refused).toBe(4);
  expect((await checked({ ...view, counterparty: other?.address ?? null })).refused).toBe(3);
  expect((await checked({ ...view, accounts: view.accounts.slice(0, 1) })).refused).toBe(1);
  const stranger = { address: other?.address ?? ("0x" as const), name: "@friend" };
  await expect(checked({ ...view, accounts: [...view.accounts, stranger] })).rejects.toMatchObject({
    message: expect.stringContaining("do not belong together"),
  });
  await expect(checked(view, view.expiresAt * 1000)).rejects.toMatchObject({
    message: expect.stringContaining("expired"),
  });
});

test("a wrong key, a changed ciphertext and a later expiry open nothing", async () => {
  const { id, key } = readSharedViewLink(shared.url);
  const body = (await visitor.http.send("GET", `/api/views/${id}`)).body as EncryptedSharedView;
  const info = await visitor.info();
  const refused = { code: "invalid_request", message: expect.stringContaining("can't decrypt this view") };
  await expect(decryptShared(body, `${"A".repeat(42)}Q`, info)).rejects.toMatchObject(refused);
  const later = new Date(new Date(body.expires_at).getTime() + 1000).toISOString();
  await expect(decryptShared({ ...body, expires_at: later }, key, info)).rejects.toMatchObject(refused);
  const { encrypted: _, ...missing } = body;
  for (const changed of [
    { ...body, encrypted: `AAAA${body.encrypted.slice(4)}` },
    { ...body, encrypted: "other" },
    missing,
  ]) {
    await expect(decryptShared(changed as EncryptedSharedView, key, info)).rejects.toMatchObject(refused);
  }
  for (const link of ["", shared.url.slice(0, -1), `${shared.url}x`, "https://example.com"]) {
    await expect(verifySharedView(visitor, link)).rejects.toMatchObject({ code: "invalid_request" });
  }
});

test("the service can read no amount, name or reference of a view, and deleting it ends its link", async () => {
  const { id } = readSharedViewLink(shared.url);
  const { encrypted, ...rest } = (await visitor.http.send("GET", `/api/views/${id}`)).body as EncryptedSharedView;
  expect(Object.keys(rest)).toEqual(["shared_view_id", "network", "expires_at"]);
  expect(Buffer.from(encrypted, "base64").toString("latin1")).not.toContain(payee?.account.handle);
  await expect(deleteSharedView(visitor, id)).rejects.toMatchObject({ code: "not_found" });
  await deleteSharedView(own, id);
  await expect(verifySharedView(visitor, shared.url)).rejects.toMatchObject({ code: "not_found" });
});

test("nothing to show, or an expiry that is past or too far, is refused before anything is shared", async () => {
  const before = (await listSharedViews(own)).shared_views.length;
  const refused = { code: "invalid_request" };
  const make = (change: object) => createSharedView(own, { ...PERIOD, label: "None", ...change });
  await expect(make({ from: "2090-01-01" })).rejects.toMatchObject(refused);
  await expect(make({ expires: "2020-01-01" })).rejects.toMatchObject(refused);
  await expect(make({ expires: "2090-01-01" })).rejects.toMatchObject(refused);
  await expect(make({ label: "" })).rejects.toMatchObject(refused);
  expect((await listSharedViews(own)).shared_views).toHaveLength(before);
});
