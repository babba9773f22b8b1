import { Receipt } from "mppx";
import { Mppx as MppClient } from "mppx/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutRandom } from "@/test/attacks/without-random";
import { clientFor, Market } from "@/test/x402/market";
import { memoryTexts } from "@/test/x402/memory-texts";
import { openMppShop } from "@/test/x402/shop";
import type { Context } from "../context/context";
import { X402Resource } from "../resources/x402-resource";
import { halcyonClient } from "./mpp";

/* MPP with the published mppx package on both sides, unmodified, over real HTTP, with real payments and proofs. */

let market: Market;
let { payee, other, buyer, available } = {} as Market;

beforeAll(async () => {
  market = await Market.start();
  ({ payee, other, buyer, available } = market);
});
afterAll(async () => market?.stop());

const mppShop = async (price?: string) => openMppShop(await clientFor(payee), payee.address, price, market.listen);

async function mppBuyer(context: Context, max: string, asset = "USDG", fetched: typeof fetch = fetch) {
  const credentials: string[] = [];
  const recording: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const credential = request.headers.get("authorization");
    if (credential) credentials.push(credential);
    return fetched(request);
  };
  const scheme = await new X402Resource(context, { offers: memoryTexts(), fetch: recording }).buyer();
  const mppx = MppClient.create({
    methods: [halcyonClient(scheme, { max, asset })],
    fetch: scheme.fetch,
    polyfill: false,
  });
  return { mppx, credentials };
}

test("pays once, for the price; a lost response is served again, and the receipt has no amount", async () => {
  const shop = await mppShop();
  const { mppx, credentials } = await mppBuyer(buyer, "0.05");
  const before = await available();
  const response = await mppx.fetch(`${shop.url}/report`);
  expect([response.status, await response.text()]).toEqual([200, "the report"]);
  const receipt = Receipt.fromResponse(response);
  expect(receipt).toMatchObject({ status: "success", method: "halcyon" });
  expect(receipt.reference).toMatch(/^0x[0-9a-f]{64}$/);
  expect(withoutRandom(JSON.stringify(receipt))).not.toMatch(/amount|50000/);
  const again = (path: string) => fetch(`${shop.url}${path}`, { headers: { authorization: credentials[0] ?? "" } });
  expect((await again("/report")).status).toBe(200);
  expect((await again("/other")).status).toBe(402);
  expect([await available(), shop.served]).toEqual([before - 50_000n, 2]);
});

test("a wallet's own payment is sent by the seller; a price above max is not paid", async () => {
  const shop = await mppShop();
  const { mppx } = await mppBuyer(await clientFor(other), "0.05");
  expect((await mppx.fetch(`${shop.url}/report`)).status).toBe(200);
  const dear = await mppShop("50001");
  const { mppx: careful, credentials } = await mppBuyer(buyer, "0.05");
  const before = await available();
  await expect(careful.fetch(`${dear.url}/report`)).rejects.toThrow("more than max");
  expect([await available(), credentials, dear.served]).toEqual([before, [], 0]);
});

test("a limit in one asset is none in another", async () => {
  const shop = await mppShop();
  const { mppx, credentials } = await mppBuyer(buyer, "9", "ETH");
  const before = await available();
  await expect(mppx.fetch(`${shop.url}/report`)).rejects.toThrow("another asset than ETH");
  expect([await available(), credentials, shop.served]).toEqual([before, [], 0]);
});

test("the response to a refused payment has an offer that can be paid", async () => {
  const shop = await mppShop();
  const { mppx, credentials } = await mppBuyer(buyer, "0.05");
  expect((await mppx.fetch(`${shop.url}/report`)).status).toBe(200);
  const elsewhere = () => fetch(`${shop.url}/other`, { headers: { authorization: credentials[0] ?? "" } });
  const refused = await elsewhere();
  expect([refused.status, await refused.json()]).toMatchObject([
    402,
    { detail: expect.stringContaining("unknown_challenge") },
  ]);
  // The client first presents a payment for another resource, then pays the offer in the response.
  let first = true;
  const { mppx: paying } = await mppBuyer(buyer, "0.05", "USDG", async (input, init) => {
    const asked = first;
    first = false;
    return asked ? elsewhere() : fetch(input, init);
  });
  expect((await paying.fetch(`${shop.url}/other`)).status).toBe(200);
  expect(shop.served).toBe(2);
});
