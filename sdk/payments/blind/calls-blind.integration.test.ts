import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { createBlindKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { clientOf, keyClientOf, type Meddle, ORIGIN, serveInProcess } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import type { Transfer } from "../../api/resources/transfers";
import { refund } from "../refunds/refund";
import { checkRefund } from "../refunds/refundable";
import { createRequest, encryptRequest } from "../requests/create-request";
import { openRequest } from "../requests/open-request";
import { payRequest } from "../requests/pay-request";
import { send } from "../send";

const CHAIN = 46630;
let services: WorkingServices;
let shop: Owner;
let buyer: Owner;
let keys: Awaited<ReturnType<typeof createBlindKey>>;

beforeAll(async () => {
  services = await startWorkingServices();
  [shop, buyer] = [await Owner.funded(CHAIN, 100_000_000n), await Owner.funded(CHAIN, 100_000_000n)];
  keys = await createBlindKey(shop);
});
afterAll(() => services?.stop());

const rpcUrl = () => env().chains.test.rpcUrl;
const wallet = (owner: Owner) => clientOf(owner.walletKey, rpcUrl());
const blind = (meddle?: Meddle) => keyClientOf(keys, rpcUrl(), { meddle });
const available = async () => (await shop.decryptAvailable()).limit;

const post = (json: object, key: string) =>
  serveInProcess(
    new Request(`${ORIGIN}/v1/payment-requests`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${keys.text}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(json),
    }),
  );

/** Returns what the service gets of a call with the blind key. */
function recorded(): { meddle: Meddle; texts: string[] } {
  const texts: string[] = [];
  const meddle: Meddle = async (request, honest) => {
    texts.push(await request.clone().text());
    return honest();
  };
  return { meddle, texts };
}

test("a refund is built at home, goes to who paid by the client's own node, and is bound to the payment", async () => {
  const sent = await send(await wallet(buyer), { to: shop.address, amount: "20", clientSigned: true });
  const paid = String("transfer_id" in sent && sent.transfer_id);
  const before = await available();
  const { meddle, texts } = recorded();
  const input = { amount: "3.141592", idempotencyKey: crypto.randomUUID() };
  const back = await refund(await blind(meddle), paid, input);
  expect(back).toMatchObject({ status: "confirmed", refund_of: paid, to: `@${buyer.account.handle}`, checked: false });
  await refund(await blind(), paid, input);
  expect(await available()).toBe(before - 3_141_592n);
  expect(texts.join("\n")).not.toMatch(/3\.?141592/);
  const id = "transfer_id" in back ? String(back.transfer_id) : "";
  expect(await checkRefund(await wallet(buyer), id)).toEqual({ refund_of: paid, valid: true });

  const redirecting: Meddle = async (request, honest) => {
    const response = await honest();
    if (new URL(request.url).pathname !== `/v1/transfers/${paid}`) return response;
    const body = (await response.json()) as Transfer;
    const thief = { address: `0x${"77".repeat(20)}`, handle: "@thief" };
    return Response.json({ ...body, history: { ...body.history, refund_to: thief } });
  };
  await expect(refund(await blind(redirecting), paid, { amount: "1" })).rejects.toMatchObject({ code: "unavailable" });
  expect(await available()).toBe(before - 3_141_592n);
});

test("a payment request is paid from home, once however often its link is paid", async () => {
  const { link, payment_request_id: id } = await createRequest(await wallet(buyer), { amount: "2.718281" });
  const before = await available();
  const { meddle, texts } = recorded();
  const { transfer } = await payRequest(await blind(meddle), link, {}, {});
  expect(transfer).toMatchObject({ status: "confirmed", payment_request: id });
  await payRequest(await blind(), link, {}, {}).catch((error: unknown) => error);
  expect(await available()).toBe(before - 2_718_281n);
  expect(texts.join("\n")).not.toMatch(/2\.?718281/);
});

test("a payment request is made at home: the service signs what it can't read, for the account of the home key alone", async () => {
  const { meddle, texts } = recorded();
  const { link } = await createRequest(await blind(meddle), { amount: "1.414213", note: "canary" });
  expect(texts.join("\n")).not.toMatch(/1\.?414213|canary/);
  const { details, payee } = await openRequest(await wallet(buyer), link);
  expect([details.amount, details.note]).toEqual(["1.414213", "canary"]);
  expect(payee).toBe(shop.address.toLowerCase());

  const { body } = await encryptRequest(await blind(), { amount: "1" });
  const { body: other } = await encryptRequest(await blind(), { amount: "2" });
  for (const signed of [undefined, other.blind]) {
    const response = await post({ ...body, blind: signed }, body.payment_request_id);
    expect([response.status, (await response.json()).error.code]).toEqual([403, "key_forbidden"]);
  }
  const named: Meddle = async (request, honest) => {
    if (new URL(request.url).pathname !== "/v1/accounts/me") return honest();
    return Response.json({ ...(await (await honest()).json()), public_key: buyer.address });
  };
  const { body: own } = await encryptRequest(await blind(named), { amount: "1" });
  expect((await post(own, own.payment_request_id)).status).toBe(201);
});
