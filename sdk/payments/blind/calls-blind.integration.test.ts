import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { createBlindKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { blindClientOf, clientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import type { Transfer } from "../../api/resources/transfers";
import { refund } from "../refunds/refund";
import { checkRefund } from "../refunds/refundable";
import { createRequest } from "../requests/create-request";
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
const blind = (meddle?: Meddle) => blindClientOf(keys, rpcUrl(), { meddle });
const available = async () => (await shop.decryptAvailable()).limit;

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
  const sent = await send(await wallet(buyer), { to: shop.address, amount: "20", prepared: true });
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
