import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { heldPayments } from "@/db/schema/agents";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import { getRefundsSetting, setRefundsSetting } from "@/lib/agents/refunds-setting";
import type { Context, KeyContext } from "@/lib/base/context/context";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { refundBinding } from "@/lib/ledger/crypto/refund-binding";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import { approve } from "@/lib/payments/approve";
import { createTransfer } from "@/lib/payments/create-transfer";
import { listOwnTransfers } from "@/lib/payments/list-own-transfers";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import type { CreateTransferInput } from "@/lib/payments/schema";
import type { TransferView } from "@/lib/payments/transfer-view";
import {
  agent,
  agentKey,
  ask,
  bringUpAgents,
  CHAIN,
  handleOf,
  heldOf,
  owner,
  ownerKey,
  pay,
  setPolicy,
  settledAll,
  stranger,
} from "@/test/accounts/agents";
import type { Owner } from "@/test/accounts/owner";

bringUpAgents();

type Row = TransferView["row"];
let strangerKey: KeyContext;
/** The stranger's payment to the owner: 20 USDG, final. */
let paid: Row;

beforeAll(async () => {
  strangerKey = await stranger.key();
  paid = await pay(strangerKey, owner, "20");
  await settledAll(paid);
});

/** Requests a refund like the API. */
const refund = (ctx: Context, of: string, amount: string, more: Partial<CreateTransferInput> = {}) =>
  createTransfer(ctx, { refund_of: of, amount, asset: "USDG", confidential: true, ...more });
const refunded = async (...request: Parameters<typeof refund>) => paidTransfer(await refund(...request)).row;

const bindingOf = (by: Pick<Owner, "address" | "scope">, { asset, note }: Row) =>
  toHex(refundBinding(by.scope, { account: by.address, asset, note: hexToCommitment(note ?? "0x") }));

/** Returns the binding that a payment's recipient computes from its own copy. */
async function bindingFor(recipient: Pick<Owner, "viewing" | "scope">, row: Row) {
  const { recipientAddress: account, asset, note, recipientCiphertext } = row;
  const ref = { scope: recipient.scope, account, asset, commitment: hexToCommitment(note ?? "0x") };
  const copy = await decryptRecipientCopy(recipient.viewing.secret, ref, fromHex(recipientCiphertext ?? "0x"));
  return copy && toHex(copy.binding);
}

describe("a refund", () => {
  test("goes to the account that paid, whatever its handle is now, and its payer can check what it gives back", async () => {
    const { handle } = stranger.account;
    await db()
      .update(accounts)
      .set({ handle: `${handle}-moved` })
      .where(eq(accounts.id, stranger.account.id));
    try {
      const row = await refunded(ownerKey, paid.id, "1", { reference: "refund-1" });
      expect(row).toMatchObject({ recipientAddress: stranger.address, refundOf: paid.id, refundChecked: false });
      expect(await bindingFor(stranger, row)).toBe(bindingOf(owner, paid));
      const announced = await db().select().from(events).where(eq(events.rootId, stranger.account.id));
      expect(announced.map(({ payload }) => payload)).toContainEqual(
        expect.objectContaining({
          transfer_id: row.id,
          refund_of: paid.id,
          reference: "refund-1",
          direction: "received",
        }),
      );
      await settledAll(row);
    } finally {
      await db().update(accounts).set({ handle }).where(eq(accounts.id, stranger.account.id));
    }
  });

  test("names its recipient rightly or not at all", async () => {
    await expect(refund(ownerKey, paid.id, "1", { to: handleOf(agent) })).rejects.toMatchObject({
      code: "refund_not_possible",
      param: "to",
    });
    for (const to of [handleOf(stranger), stranger.address]) {
      expect(await refunded(ownerKey, paid.id, "0.1", { to })).toMatchObject({ recipientAddress: stranger.address });
    }
  });

  test("that counted others than there are is refused, also when two come at once", async () => {
    const { transfers } = await listOwnTransfers(ownerKey, { limit: 100, offset: 0, refund_of: paid.id });
    const counted = transfers.filter(({ row }) => row.status !== "failed").length;
    const both = await Promise.allSettled([
      refunded(ownerKey, paid.id, "1", { refunds_counted: counted }),
      refunded(ownerKey, paid.id, "1", { refunds_counted: counted }),
    ]);
    const [made] = both.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const [kept] = both.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(made).toMatchObject({ refundChecked: true });
    expect(kept).toMatchObject({ code: "refund_conflict" });
  });

  test("of what can't be refunded is refused, saying why", async () => {
    const sent = await pay(ownerKey, stranger, "1");
    const isPublic = await pay(strangerKey, owner, "1", { confidential: false });
    const move = await pay(ownerKey, agent, "5");
    const pending = await pay(strangerKey, owner, "1");
    const back = await refunded(ownerKey, paid.id, "0.1");
    await settledAll(sent, isPublic, move, back);
    const refusals: [Context, string, Partial<CreateTransferInput>, object][] = [
      [ownerKey, sent.id, {}, { code: "refund_not_possible", param: "refund_of" }],
      [ownerKey, isPublic.id, {}, { code: "refund_not_possible", param: "refund_of" }],
      [agentKey, move.id, {}, { code: "refund_not_possible", param: "refund_of" }],
      [strangerKey, back.id, {}, { code: "refund_not_possible", param: "refund_of" }],
      [ownerKey, paid.id, { asset: "ETH" }, { code: "refund_not_possible", param: "asset" }],
      [ownerKey, paid.id, { confidential: false }, { code: "refund_not_possible", param: "confidential" }],
      [agentKey, paid.id, {}, { code: "not_found", param: "refund_of" }],
      [ownerKey, "tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX", {}, { code: "not_found", param: "refund_of" }],
    ];
    for (const [ctx, id, more, error] of refusals) {
      await expect(refund(ctx, id, "0.5", more), JSON.stringify(error)).rejects.toMatchObject(error);
    }
    if (pending.status === "pending") await settledAll(pending);
  });
});

describe("the refund of what an agent paid", () => {
  test("goes to the agent, or to its owner once that is set, and to no one else", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    const bought = await pay(agentKey, stranger, "3");
    await settledAll(bought);
    expect(await refunded(strangerKey, bought.id, "1")).toMatchObject({ recipientAddress: agent.address });
    await setRefundsSetting(owner.session, agent.account.id, "owner");
    expect(await getRefundsSetting(owner.session, agent.account.id)).toMatchObject({ refunds: "owner" });
    const row = await refunded(strangerKey, bought.id, "1");
    expect(row).toMatchObject({ recipientAddress: owner.address, refundOf: bought.id });
    expect(await bindingFor(owner, row)).toBe(bindingOf(stranger, bought));
    await expect(setRefundsSetting(stranger.session, agent.account.id, "owner")).rejects.toMatchObject({
      code: "not_agent_owner",
    });
  });
});

describe("an agent's refund above its threshold", () => {
  test("keeps what it gives back through the approval, and a row that names another payment is not paid", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    const [one, two] = [await pay(strangerKey, agent, "1"), await pay(strangerKey, agent, "1")];
    await settledAll(one, two);
    await setPolicy({ hitlThreshold: 100_000n });
    const held = heldOf(await refund(agentKey, one.id, "1", { reference: "r-9" }));
    expect(held).toMatchObject({ refundOf: one.id, reference: "r-9" });
    await db().update(heldPayments).set({ refundOf: two.id }).where(eq(heldPayments.id, held.id));
    await expect(approve(ownerKey, held.id, {})).rejects.toMatchObject({ code: "transaction_not_found" });
    await db().update(heldPayments).set({ refundOf: one.id }).where(eq(heldPayments.id, held.id));
    const { decided } = await approve(ownerKey, held.id, {});
    if (decided.status !== "approved") throw new Error("it was not approved");
    expect(decided.transfer).toMatchObject({ refundOf: one.id, reference: "r-9", recipientAddress: stranger.address });
  });
});

describe("a reference", () => {
  test("that is to be unique pays once per key, however many ask at once", async () => {
    const again = () => pay(ownerKey, stranger, "0.1", { reference: "order-1", unique_reference: true });
    const all = await Promise.allSettled([again(), again(), again()]);
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of all) {
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "reference_in_use" });
    }
    await expect(again()).rejects.toMatchObject({ code: "reference_in_use", param: "reference" });
    await pay(ownerKey, stranger, "0.1", { reference: "order-1" });
    await pay(await owner.key(), stranger, "0.1", { reference: "order-1", unique_reference: true });
  });

  test("that waits for approval counts too", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy({ hitlThreshold: 100_000n });
    const more = { reference: "order-2", unique_reference: true };
    heldOf(await ask(agentKey, stranger, "1", more));
    await expect(ask(agentKey, stranger, "1", more)).rejects.toMatchObject({ code: "reference_in_use" });
  });

  test("finds its payments on both sides, and kinds narrow the list", async () => {
    const page = { limit: 100, offset: 0 };
    const sent = await listOwnTransfers(ownerKey, { ...page, reference: "order-1" });
    expect(sent.transfers.map(({ row }) => row.reference)).toEqual(["order-1", "order-1", "order-1"]);
    expect((await listOwnTransfers(strangerKey, { ...page, reference: "order-1" })).transfers).toHaveLength(3);
    const refunds = await listOwnTransfers(ownerKey, { ...page, kind: "refund", direction: "sent" });
    expect(refunds.transfers.every(({ row }) => row.refundOf !== null)).toBe(true);
    expect(refunds.transfers.length).toBeGreaterThan(2);
    const moves = await listOwnTransfers(ownerKey, { ...page, kind: "move" });
    expect(new Set(moves.transfers.map(({ row }) => row.kind))).toEqual(new Set(["fund"]));
    const [first, second] = refunds.transfers;
    const next = await listOwnTransfers(ownerKey, {
      ...page,
      limit: 1,
      kind: "refund",
      direction: "sent",
      starting_after: first?.row.id,
    });
    expect(next.transfers.map(({ row }) => row.id)).toEqual([second?.row.id]);
    expect(CHAIN).toBe(first?.row.chainId);
  });
});

test("a payment that is not final yet is refunded later: the error says when", async () => {
  const become = (status: "pending" | "confirmed") =>
    db().update(transfers).set({ status }).where(eq(transfers.id, paid.id));
  await become("pending");
  const refused = await refund(ownerKey, paid.id, "1").catch((error: unknown) => error);
  await become("confirmed");
  expect(refused).toMatchObject({ code: "refund_not_possible", param: "refund_of", retryAfter: 2 });
});
