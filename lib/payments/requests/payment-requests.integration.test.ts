import { and, asc, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import { verifyIdentity } from "@/lib/accounts/kyc/verify-identity";
import { type Id, newId } from "@/lib/base/ids";
import { fromHex, randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import { requestSigner, signRequest } from "@/lib/ledger/payment-request/sign-request";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { Owner, settled } from "@/test/accounts/owner";
import { type MadeRequest, makeRequest } from "@/test/accounts/payment-request";
import { startWorkingServices } from "@/test/services/working-services";
import { cancelPaymentRequest } from "./cancel-payment-request";
import { createPaymentRequest } from "./create-payment-request";
import { expireRequests } from "./expire-requests";
import { getPaymentRequest } from "./get-payment-request";
import { getPublicRequest } from "./get-public-request";
import { listPaymentRequests } from "./list-payment-requests";
import { ownPayment } from "./own-payment";
import { toPaymentRequest, toPublicRequest } from "./payment-request-resource";
import { reportPayment } from "./report-payment";
import { ListPaymentRequestsQuery } from "./schema";

const CHAIN = 46630;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let payer: Owner;
let other: Owner;
let payee: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  const funded = () => Owner.funded(CHAIN, 1_000_000_000n);
  [payer, other, payee] = await Promise.all([funded(), funded(), Owner.create(CHAIN)]);
  await settled(await payee.enroll());
  await Promise.all([payer, other, payee].map(({ session }) => verifyIdentity(session, {})));
});
afterAll(() => services?.stop());

async function requested(options?: Parameters<typeof makeRequest>[1]): Promise<MadeRequest> {
  const created = await makeRequest(payee, options);
  await createPaymentRequest(payee.session, created.body);
  return created;
}

/** Pays with an API key. Returns the transfer's id once it is final. */
async function pay({ terms, binding }: MadeRequest, amount = "25", named = true, by = payer): Promise<string> {
  const { row } = paidTransfer(
    await createTransfer(await by.key(), {
      to: payee.address,
      amount,
      asset: "USDG",
      confidential: true,
      binding,
      ...(named && { payment_request: terms.id as Id<"paymentRequest"> }),
    }),
  );
  expect(await settled(row.operationId)).toEqual(["confirmed"]);
  return row.id;
}

const stateOf = async ({ terms }: MadeRequest) => {
  const { row, payments } = await getPaymentRequest(payee.session, terms.id);
  return [row.status, ...payments.map(({ state }) => state)];
};
const report = (
  { terms }: MadeRequest,
  transfer_id: string,
  finding: "exact" | "underpaid" | "overpaid" | "unrelated",
) => reportPayment(payee.session, terms.id, { transfer_id, finding });
const eventsOf = async ({ terms }: MadeRequest) => {
  const rows = await db()
    .select({ type: events.type, payload: events.payload })
    .from(events)
    .where(and(eq(events.accountId, payee.account.id), like(events.type, "payment_request.%")))
    .orderBy(asc(events.createdAt), asc(events.id));
  return rows.filter(({ payload }) => (payload as { payment_request_id: string }).payment_request_id === terms.id);
};
const typesOf = async (created: MadeRequest) => (await eventsOf(created)).map(({ type }) => type);
/** Returns a time just after a request's expiry. */
const past = ({ body }: MadeRequest) => new Date(body.expires_at.getTime() + 1);

describe("a payment request", () => {
  test("is processing once a payment names it, and paid only once the payee has reported that it covers it", async () => {
    const created = await requested({ reference: "order-7" });
    expect(await stateOf(created)).toEqual(["open"]);
    const id = await pay(created);
    expect(await stateOf(created)).toEqual(["processing", "unchecked"]);
    await report(created, id, "exact");
    expect(await stateOf(created)).toEqual(["paid", "exact"]);
    expect(await typesOf(created)).toEqual(["payment_request.payment_received", "payment_request.paid"]);
    const [received] = await eventsOf(created);
    expect(received?.payload).toMatchObject({ transfer_id: id, amount_checked: false, reference: "order-7" });
  });

  test("shows to its payer what they paid, and to no one else", async () => {
    const created = await requested();
    expect(await ownPayment(payer.session, created.terms.id)).toBeNull();
    const transferId = await pay(created);
    expect(await ownPayment(payer.session, created.terms.id)).toMatchObject({ transferId, status: "confirmed" });
    for (const { session } of [other, payee]) expect(await ownPayment(session, created.terms.id)).toBeNull();
  });

  test("is found in the note: it carries the binding, encrypted for the payee", async () => {
    const created = await requested();
    const id = await pay(created);
    const [row] = await db().select().from(transfers).where(eq(transfers.id, id));
    const place = { scope: payee.scope, account: payee.address, asset: created.terms.asset };
    const note = await decryptRecipientCopy(
      payee.viewing.secret,
      { ...place, commitment: hexToCommitment(row?.note ?? "0x") },
      fromHex(row?.recipientCiphertext ?? "0x"),
    );
    expect(note).toMatchObject({ amount: created.content.amount, binding: fromHex(created.binding) });
  });

  test("that was paid too little is open again, and paid by what covers it", async () => {
    const created = await requested();
    await report(created, await pay(created, "24.999999"), "underpaid");
    expect(await stateOf(created)).toEqual(["open", "underpaid"]);
    await report(created, await pay(created, "26"), "overpaid");
    expect(await stateOf(created)).toEqual(["paid", "underpaid", "overpaid"]);
  });

  test("that is paid takes no second payment; one that was under way is a second one", async () => {
    const created = await requested();
    const [first, second] = [await pay(created), await pay(created, "25", true, other)];
    await report(created, second, "exact");
    await report(created, first, "exact");
    expect(await stateOf(created)).toEqual(["paid", "second", "exact"]);
    await expect(pay(created)).rejects.toMatchObject({ code: "payment_request_closed", param: "payment_request" });
    expect((await typesOf(created)).filter((type) => type === "payment_request.paid")).toHaveLength(1);
  });

  test("is paid by an account once, with whatever keys, at once or one after the other, until its payee has checked", async () => {
    const created = await requested();
    const atOnce = await Promise.allSettled(Array.from({ length: 6 }, () => pay(created)));
    const ids = atOnce.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const refused = atOnce.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(refused).toEqual(Array(5).fill("payment_request_closed"));
    const again = pay(created);
    await expect(again).rejects.toMatchObject({ code: "payment_request_closed", param: "payment_request" });
    await expect(again).rejects.toThrow("has not checked the payment yet. This payment was not made.");
    expect(await stateOf(created)).toEqual(["processing", "unchecked"]);
    const [first = ""] = ids;
    await report(created, first, "underpaid");
    await report(created, await pay(created), "exact");
    expect(await stateOf(created)).toEqual(["paid", "underpaid", "exact"]);
  });

  test("that has expired takes no payment, is announced once, and what came unnamed afterwards is late", async () => {
    const created = await requested();
    const [kept, late] = [await requested(), await pay(created, "25", false)];
    await Promise.all([expireRequests(past(created)), expireRequests(past(created))]);
    await expireRequests(past(created));
    expect(await stateOf(created)).toEqual(["expired"]);
    expect(await typesOf(created)).toEqual(["payment_request.expired"]);
    await expect(pay(created)).rejects.toMatchObject({
      code: "payment_request_closed",
      publicMessage: expect.stringContaining("and by the service's clock it is"),
    });
    await db()
      .update(transfers)
      .set({ createdAt: past(created) })
      .where(eq(transfers.id, late));
    await report(created, late, "exact");
    expect(await stateOf(created)).toEqual(["expired", "late"]);
    expect(kept.terms.id).not.toBe(created.terms.id);
  });

  test("with a payment to check does not expire before that is checked", async () => {
    const created = await requested({ seconds: 30 });
    const id = await pay(created, "1");
    await expireRequests(past(created));
    expect(await stateOf(created)).toEqual(["processing", "unchecked"]);
    await reportPayment(
      payee.session,
      created.terms.id,
      { transfer_id: id, finding: "underpaid" },
      undefined,
      past(created),
    );
    expect(await stateOf(created)).toEqual(["expired", "underpaid"]);
    expect(await typesOf(created)).toEqual(["payment_request.payment_received", "payment_request.expired"]);
  });

  test("that its payee cancelled takes no payment and is announced once", async () => {
    const created = await requested();
    await cancelPaymentRequest(payee.session, created.terms.id);
    await cancelPaymentRequest(payee.session, created.terms.id);
    await expect(pay(created)).rejects.toMatchObject({ code: "payment_request_closed" });
    expect(await typesOf(created)).toEqual(["payment_request.cancelled"]);
  });

  test("with a payment to check, or paid, is not cancelled", async () => {
    const created = await requested();
    const id = await pay(created);
    const cancel = () => cancelPaymentRequest(payee.session, created.terms.id);
    await expect(cancel()).rejects.toMatchObject({ code: "payment_request_closed" });
    await report(created, id, "exact");
    await expect(cancel()).rejects.toMatchObject({ code: "payment_request_closed" });
  });

  test("refuses its own payee, another payee, asset, and payments in public", async () => {
    const created = await requested();
    const body = { to: payee.address as string, amount: "25", asset: "USDG" as const, confidential: true };
    const named = { ...body, payment_request: created.terms.id as Id<"paymentRequest">, binding: created.binding };
    const own = await makeRequest(payer);
    await createPaymentRequest(payer.session, own.body);
    const key = await payer.key();
    await expect(
      createTransfer(key, { ...named, payment_request: own.terms.id as Id<"paymentRequest"> }),
    ).rejects.toMatchObject({
      code: "invalid_request",
      param: "payment_request",
    });
    const stranger = await Owner.create(CHAIN);
    await settled(await stranger.enroll());
    await expect(createTransfer(key, { ...named, to: stranger.address })).rejects.toMatchObject({ param: "to" });
    await expect(createTransfer(key, { ...named, asset: "ETH" })).rejects.toMatchObject({ param: "asset" });
    const { binding: _, ...open } = named;
    await expect(createTransfer(key, { ...open, confidential: false })).rejects.toMatchObject({
      param: "confidential",
    });
    await expect(createTransfer(key, { ...named, payment_request: newId("paymentRequest") })).rejects.toMatchObject({
      code: "not_found",
      param: "payment_request",
    });
    expect(await stateOf(created)).toEqual(["open"]);
  });
});

describe("a report", () => {
  test("that is repeated changes nothing, and a contradiction is refused", async () => {
    const created = await requested();
    const id = await pay(created);
    await Promise.all([report(created, id, "exact"), report(created, id, "exact")]);
    await report(created, id, "exact");
    expect(await typesOf(created)).toEqual(["payment_request.payment_received", "payment_request.paid"]);
    await expect(report(created, id, "underpaid")).rejects.toMatchObject({ code: "invalid_request", param: "finding" });
    expect(await stateOf(created)).toEqual(["paid", "exact"]);
  });

  test("is the payee's alone, of a payment that the payee received, that is final and names no other request", async () => {
    const [created, other] = [await requested(), await requested()];
    const id = await pay(created);
    const body = { transfer_id: id, finding: "exact" as const };
    await expect(reportPayment(payer.session, created.terms.id, body)).rejects.toMatchObject({ code: "not_found" });
    await expect(report(other, id, "exact")).rejects.toMatchObject({ param: "transfer_id" });
    await expect(report(other, newId("transfer"), "exact")).rejects.toMatchObject({ code: "not_found" });
    const elsewhere = { ...payee.session, chainId: 4663 as const, network: "live" as const };
    await expect(reportPayment(elsewhere, created.terms.id, body)).rejects.toMatchObject({ code: "not_found" });
    await db().update(transfers).set({ status: "pending" }).where(eq(transfers.id, id));
    await expect(report(created, id, "exact")).rejects.toMatchObject({ param: "transfer_id" });
    await db().update(transfers).set({ status: "confirmed" }).where(eq(transfers.id, id));
    await report(created, id, "unrelated");
    expect(await stateOf(created)).toEqual(["open", "unrelated"]);
  });
});

describe("a payment of a request that fails", () => {
  test("leaves the request open", async () => {
    const { failTransfers } = await import("@/lib/payments/settle-transfer");
    const created = await requested();
    const id = await pay(created);
    const [row] = await db().update(transfers).set({ status: "pending" }).where(eq(transfers.id, id)).returning();
    await db().transaction((tx) => failTransfers(tx, [row?.operationId ?? ""], new Date()));
    expect(await stateOf(created)).toEqual(["open", "unchecked"]);
  });
});

describe("creating a request", () => {
  test("twice gives one request, and its id serves no other", async () => {
    const created = await makeRequest(payee);
    const first = await createPaymentRequest(payee.session, created.body);
    expect(await createPaymentRequest(payee.session, created.body)).toEqual(first);
    const other = await makeRequest(payer);
    const stolen = { ...other.body, payment_request_id: created.body.payment_request_id };
    await expect(createPaymentRequest(await payer.key(), { ...stolen, signature: undefined })).rejects.toMatchObject({
      param: "payment_request_id",
    });
  });

  test("by an API key is signed by what the key wraps; the chain knows that key", async () => {
    const { body, terms } = await makeRequest(payee);
    const { row } = await createPaymentRequest(await payee.key(), { ...body, signature: undefined });
    const paymentKey = derivePaymentKey(payee.authority, payee.scope).address.toLowerCase();
    expect(await requestSigner(terms, fromHex(row.envelope), row.signature)).toBe(paymentKey);
  });

  test("with a signature of another key, of other terms or none by a session is refused", async () => {
    const { body, terms } = await makeRequest(payee);
    const foreign = await signRequest(toHex(randomBytes(32)), terms, fromHex(body.envelope));
    const later = new Date(body.expires_at.getTime() + 1000);
    for (const change of [{ signature: foreign }, { expires_at: later }, { signature: undefined }]) {
      const created = createPaymentRequest(payee.session, { ...body, ...change });
      await expect(created).rejects.toMatchObject({ code: "invalid_request", param: "signature" });
    }
  });

  test("for longer than a year, for the past or between two seconds is refused", async () => {
    const { body } = await makeRequest(payee);
    for (const at of [new Date(0), new Date(Date.now() + 400 * 86_400_000), new Date(1_900_000_000_500)]) {
      const created = createPaymentRequest(payee.session, { ...body, expires_at: at });
      await expect(created).rejects.toMatchObject({ param: "expires_at" });
    }
  });

  test("is not an agent's", async () => {
    const { body } = await makeRequest(payee);
    const key = await payee.key();
    const agent = { ...key, account: { ...key.account, type: "agent" as const } };
    await expect(createPaymentRequest(agent, body)).rejects.toMatchObject({ code: "key_forbidden" });
    await expect(getPaymentRequest(agent, body.payment_request_id)).rejects.toMatchObject({ code: "key_forbidden" });
  });
});

describe("what is shown of requests", () => {
  test("is a page of the payee's own, by state and reference, with a cursor that others' ids are not", async () => {
    const owner = await Owner.create(CHAIN);
    await settled(await owner.enroll());
    const created = [];
    for (const reference of ["a", "b", "a"]) created.push(await makeRequest(owner, { reference }));
    for (const { body } of created) await createPaymentRequest(owner.session, body);
    const list = async (query: Record<string, string>) =>
      (await listPaymentRequests(owner.session, ListPaymentRequestsQuery.parse(query))).requests.map(
        ({ row }) => row.id,
      );
    const [first, second, third] = created.map(({ terms }) => terms.id);
    expect(await list({})).toEqual([third, second, first]);
    expect(await list({ limit: "2" })).toEqual([third, second]);
    expect(await list({ limit: "2", starting_after: second ?? "" })).toEqual([first]);
    expect(await list({ reference: "a", status: "open" })).toEqual([third, first]);
    await cancelPaymentRequest(owner.session, first ?? "");
    expect(await list({ status: "cancelled" })).toEqual([first]);
    await expect(
      listPaymentRequests(payee.session, ListPaymentRequestsQuery.parse({ starting_after: first })),
    ).rejects.toMatchObject({
      param: "starting_after",
    });
    await expect(getPaymentRequest(payee.session, first ?? "")).rejects.toMatchObject({ code: "not_found" });
  });

  test("says nothing to a holder of the link of reference, payments and the payee's copy of its key", async () => {
    const created = await requested({ reference: "secret-reference" });
    await pay(created);
    const shown = JSON.stringify(toPublicRequest(await getPublicRequest(created.terms.id)));
    expect(shown).toContain('"status":"processing"');
    for (const hidden of ["secret-reference", created.body.link_key, payer.account.handle])
      expect(shown).not.toContain(hidden);
    const own = toPaymentRequest(await getPaymentRequest(payee.session, created.terms.id));
    expect(own).toMatchObject({ reference: "secret-reference", payments: [{ from: `@${payer.account.handle}` }] });
  });

  test("is expired from its very second on, before any job has run", async () => {
    const created = await requested();
    expect((await getPublicRequest(created.terms.id, past(created))).row.status).toBe("expired");
    await expect(getPublicRequest(newId("paymentRequest"))).rejects.toMatchObject({ code: "not_found" });
  });
});
