import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyIdentity } from "@/lib/accounts/kyc/verify-identity";
import { env } from "@/lib/base/env";
import { bigintToBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { InvalidRequestLink } from "@/lib/ledger/crypto/errors";
import { generateApiKey } from "@/lib/ledger/encrypted/api-key";
import { approve } from "@/lib/payments/approve";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { Agent } from "@/test/accounts/agent";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { makeRequest } from "@/test/accounts/payment-request";
import { asOwner } from "@/test/services/as-owner";
import { clientOf, fetchAs, type Meddle, MemoryPins } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import type { Context } from "../../context/context";
import { contextOf } from "../../context/context-of";
import type { SettledTransfer } from "../attempts/transfer-status";
import { checkRequests } from "./check-requests";
import { createRequest } from "./create-request";
import { openRequest } from "./open-request";
import { payRequest } from "./pay-request";
import { cancelRequest, listRequests, retrieveRequest } from "./payment-requests";

const CHAIN = 46630;
/** An amount that can't occur by chance. */
const CANARY = "24.681357";
const CANARY_UNITS = 24_681_357n;
let services: WorkingServices;
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

const device = (owner: Owner, meddle?: Meddle) =>
  clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle, pins: new MemoryPins() });
/** Returns the context of a program that has an API key but no wallet. */
async function program(owner: Owner, apiKey: string, viewingKey?: string): Promise<Context> {
  const fetch = await fetchAs(owner.address);
  const { rpcUrl } = env().chains.test;
  const options = { apiKey, viewingKey, rpcUrl, fetch, pins: new MemoryPins(), allowSpendingKey: true };
  const loadProver = () => Promise.reject(new Error("a program with an API key proves nothing"));
  return contextOf(options, { url: "http://localhost:3000", pins: () => new MemoryPins(), loadProver });
}
/** Changes the service's responses on a path. */
const lying =
  (path: RegExp, change: (body: Record<string, unknown>) => object): Meddle =>
  async (request, honest) => {
    const response = await honest();
    if (!path.test(request.url)) return response;
    return Response.json(change((await response.json()) as Record<string, unknown>), { status: response.status });
  };

describe("a link", () => {
  test("is created, opened, paid, checked and listed, and its amount is in nothing that is stored or sent", async () => {
    const seen: string[] = [];
    const listening: Meddle = async (request, honest) => {
      seen.push(request.url, await request.clone().text());
      const response = await honest();
      seen.push(await response.clone().text());
      return response;
    };
    const [shop, customer] = await Promise.all([device(payee, listening), device(payer, listening)]);
    const { link, payment_request_id: id } = await createRequest(shop, {
      amount: CANARY,
      note: "Canary note",
      reference: "order-17",
    });
    const opened = await openRequest(customer, link);
    expect(opened).toMatchObject({
      status: "open",
      payee: payee.address,
      details: { amount: CANARY, note: "Canary note" },
    });
    const { transfer } = await payRequest(customer, link, {}, {});
    // The link contains an address, which is what the client knows. Lists show the account.
    expect(transfer).toMatchObject({ status: "confirmed", to: payee.address });
    const { transfers } = await (await customer.session()).get<{ transfers: object[] }>("/v1/transfers?limit=1");
    expect(transfers).toMatchObject([
      { transfer_id: (transfer as SettledTransfer).transfer_id, to: `@${payee.account.handle}` },
    ]);
    expect(await retrieveRequest(shop, id)).toMatchObject({ status: "processing", link, details: { amount: CANARY } });
    const [checked] = await checkRequests(shop, {});
    expect(checked).toMatchObject({
      finding: "exact",
      status: "paid",
      requested: CANARY,
      paid: CANARY,
      reference: "order-17",
    });
    expect(await checkRequests(shop, {})).toEqual([]);
    // The chain shows the payment that covers it. A list is not compared with it.
    expect(await retrieveRequest(shop, id)).toMatchObject({ status: "paid", unverified_status: false });
    const { payment_requests } = await listRequests(shop, { status: "paid" });
    expect(payment_requests).toMatchObject([
      { payment_request_id: id, paid_by: checked?.transfer_id, unverified_status: true, details: { amount: CANARY } },
    ]);
    await expect(payRequest(customer, link, {}, {})).rejects.toMatchObject({ code: "payment_request_closed" });

    const stored = await asOwner(async (sql) => {
      const tables = await sql<{ name: string }[]>`
        select table_name as name from information_schema.tables where table_schema = 'public'`;
      const rows = await Promise.all(tables.map(({ name }) => sql.unsafe(`select t::text as row from "${name}" t`)));
      return rows.flat().map(({ row }) => String(row));
    });
    const canaries = [CANARY, toHex(bigintToBytes(CANARY_UNITS, 8)).slice(2), "Canary note"];
    const [key = ""] = link.split("#").slice(1);
    for (const text of [...seen, ...stored]) {
      for (const canary of [...canaries, key]) expect(text.includes(canary), canary).toBe(false);
      // Digits occur by chance in what is encrypted and hashed.
      expect(text.replace(/(0|\\)x[0-9a-f]{40,}/gi, "")).not.toContain(String(CANARY_UNITS));
    }
    expect(stored.join()).toContain("order-17");
  });

  test("of an invoice shows its lines, which add up", async () => {
    const shop = await device(payee);
    const lines = [
      { text: "Chair", quantity: 3, price: "10.50" },
      { text: "Delivery", price: "4" },
    ];
    const { link } = await createRequest(shop, { lines, due: "2027-01-31", number: "17", seller: "Ada\nLondon" });
    const { details } = await openRequest(await device(payer), link);
    expect(details).toMatchObject({ amount: "35.5", due: "2027-01-31", number: "17", seller: "Ada\nLondon" });
    expect(details.lines).toEqual([
      { text: "Chair", quantity: 3, price: "10.5", total: "31.5" },
      { text: "Delivery", quantity: 1, price: "4", total: "4" },
    ]);
    const wrong = createRequest(shop, { lines, amount: "35" });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_request", param: "amount" });
  });

  test("with another key, or that the service changed in any term, is refused before an amount is shown", async () => {
    const { link, payment_request_id: id } = await createRequest(await device(payee), { amount: "25" });
    const other = await createRequest(await device(payee), { amount: "1" });
    const crossed = `${link.split("#")[0]}#${other.link.split("#")[1]}`;
    await expect(openRequest(await device(payer), crossed)).rejects.toMatchObject({ param: "link" });
    const { envelope, signature } = (await (
      await fetchAs(payer.address)
    )(`http://localhost:3000/api/pay/${other.payment_request_id}?network=test`).then((response) =>
      response.json(),
    )) as { envelope: string; signature: string };
    const lies: object[] = [
      { payee: payer.address },
      { asset: "ETH" },
      { asset_address: `0x${"00".repeat(20)}` },
      { asset: "ETH", asset_address: `0x${"00".repeat(20)}` },
      { expires_at: "2099-01-01T00:00:00.000Z" },
      { envelope },
      { envelope, signature },
      { signature },
    ];
    for (const lie of lies) {
      const context = await device(
        payer,
        lying(/\/api\/pay\//, (body) => ({ ...body, ...lie })),
      );
      const refused = { code: "invalid_request", param: "signature" };
      await expect(openRequest(context, link), JSON.stringify(lie)).rejects.toMatchObject(refused);
      await expect(payRequest(context, link, {}, {}), JSON.stringify(lie)).rejects.toMatchObject(refused);
    }
    await expect(openRequest(await device(payer), `http://x/pay/${id}`)).rejects.toThrow(InvalidRequestLink);
  });

  test("is paid once, however often it is paid", async () => {
    const { link } = await createRequest(await device(payee), { amount: "2" });
    const first = await payRequest(await device(payer), link, {}, {});
    const second = await payRequest(await device(payer), link, {}, {});
    expect(second.transfer).toMatchObject({ tx_hash: (first.transfer as SettledTransfer).tx_hash });
  });

  test("that asks for more than was agreed, is cancelled, or is one's own is not paid", async () => {
    const [shop, customer] = await Promise.all([device(payee), device(payer)]);
    const { link, payment_request_id: id } = await createRequest(shop, { amount: "25" });
    await expect(payRequest(customer, link, { most: "24.99" }, {})).rejects.toMatchObject({ param: "most" });
    await expect(payRequest(shop, link, {}, {})).rejects.toMatchObject({ code: "invalid_request" });
    await cancelRequest(shop, id);
    await expect(payRequest(customer, link, {}, {})).rejects.toMatchObject({ code: "payment_request_closed" });
  });
});

describe("a server without the wallet", () => {
  test("creates a request with an API key alone, and checks it with a viewing key", async () => {
    const { text } = await createApiKey(payee, generateApiKey(CHAIN));
    const shop = await program(payee, text);
    const { link, payment_request_id: id } = await createRequest(shop, { amount: CANARY });
    const { text: payerKey } = await createApiKey(payer, generateApiKey(CHAIN));
    // The service signs this payment and learns its amount, as with all payments with an API key.
    await payRequest(await program(payer, payerKey), link, {}, {});
    expect(await retrieveRequest(shop, id)).toMatchObject({ status: "processing", link: null, details: null });
    const { exportViewingKey } = await import("../../account/export-viewing-key");
    const exported = await exportViewingKey(await device(payee));
    const reader = await program(payee, text, exported.viewing_key);
    expect(await checkRequests(reader, { id })).toMatchObject([{ finding: "exact", status: "paid", paid: CANARY }]);
  });

  test("does not believe a request that its account's key has not signed", async () => {
    const created = await createRequest(await device(payee), { amount: "25" });
    // The service replaces the request with one for a smaller amount. Anyone could encrypt that.
    const forged = await makeRequest(payee, { units: 1n });
    const { envelope, link_key } = forged.body;
    const lie = lying(/\/v1\/payment-requests\//, (body) => ({ ...body, envelope, link_key }));
    const context = await device(payee, lie);
    expect(await retrieveRequest(context, created.payment_request_id)).toMatchObject({ details: null });
  });
});

describe("a payment that is not what was asked for", () => {
  test("is found to be too little, too much, or of another request", async () => {
    const { send } = await import("../send");
    const [shop, customer, stranger] = await Promise.all([device(payee), device(payer), device(other)]);
    const created = await createRequest(shop, { amount: "5" });
    const { payment_request_id: id, link } = created;
    const { binding } = await openRequest(customer, link);
    const pay = (amount: string, given: `0x${string}` = binding, by = customer) =>
      send(by, { to: payee.address, amount, paymentRequest: id, binding: given, clientSigned: true });
    await pay("4.999999");
    await pay("5", `0x${"11".repeat(32)}`, stranger);
    // A service that calls it paid names no payment that the ledger shows to cover it.
    const { payments } = await retrieveRequest(shop, id);
    for (const paid_by of [null, ...payments.map(({ transfer_id }) => transfer_id), "tr_none"]) {
      const says: Meddle = async (request, honest) =>
        request.url.includes("/report")
          ? Response.json({ payment_request_id: id, status: "paid", paid_by, payments })
          : honest();
      const unpaid = { status: "processing", problem: expect.stringContaining("no payment that covers it") };
      expect(await checkRequests(await device(payee, says), { id })).toMatchObject([unpaid, unpaid]);
      const lists = lying(/\/v1\/payment-requests\/payreq_\w+(\?|$)/, (body) => ({ ...body, status: "paid", paid_by }));
      expect(await retrieveRequest(await device(payee, lists), id)).toMatchObject({
        status: "paid",
        unverified_status: true,
      });
    }
    expect(await checkRequests(shop, { id })).toMatchObject([
      { finding: "underpaid", status: "processing" },
      { finding: "unrelated", status: "open" },
    ]);
    await pay("6");
    // What the ledger has of it counts: no copy of the service makes it unrelated.
    const showing = (lie: object) =>
      device(
        payee,
        lying(/\/v1\/transfers\//, (body) => ({ ...body, encrypted: { ...(body.encrypted as object), ...lie } })),
      );
    const unshown = { finding: null, problem: expect.stringContaining("does not show"), status: "processing" };
    expect(await checkRequests(await showing({ note: null }), { id })).toMatchObject([unshown]);
    const garbled = await showing({ recipient_ciphertext: `0x${"11".repeat(128)}` });
    expect(await checkRequests(garbled, { id })).toMatchObject([{ finding: "overpaid", status: "paid" }]);
  });
});

test("an agent pays a link with its API key within its policy, creates none, and above its threshold waits for its owner", async () => {
  const { agent, operationId } = await Agent.create(payer, { hitlThreshold: 10_000_000n });
  await settled(operationId);
  const fund = { to: `@${agent.account.handle}`, amount: "50", asset: "USDG" as const, confidential: true };
  await settled(paidTransfer(await createTransfer(await payer.key(), fund)).row.operationId);
  const { text } = await createApiKey(agent, generateApiKey(CHAIN));
  const [bot, shop] = [await program(payer, text), await device(payee)];
  const [small, large] = [await createRequest(shop, { amount: "9" }), await createRequest(shop, { amount: "11" })];
  expect((await payRequest(bot, small.link, {}, {})).transfer).toMatchObject({ status: "confirmed" });
  const { transfer } = await payRequest(bot, large.link, {}, {});
  expect(transfer).toMatchObject({ status: "pending_approval" });
  // Nothing has been paid, so the request stays open. The owner's approval makes it `processing`.
  expect(await retrieveRequest(shop, large.payment_request_id)).toMatchObject({ status: "open" });
  const { transaction_id } = transfer as { transaction_id: string };
  await approve(await payer.key(), transaction_id, {});
  await expect
    .poll(async () => (await retrieveRequest(shop, large.payment_request_id)).payments[0]?.status)
    .toBe("confirmed");
  const mine = [small, large].map(({ payment_request_id }) => payment_request_id);
  const checked = (await checkRequests(shop, {})).filter(({ payment_request_id: id }) => mine.includes(id));
  expect(checked).toMatchObject([
    { finding: "exact", status: "paid" },
    { finding: "exact", status: "paid" },
  ]);
  await expect(createRequest(bot, { amount: "1" })).rejects.toMatchObject({ code: "key_forbidden" });
});
