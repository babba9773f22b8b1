import { expect, test } from "vitest";
import type { NetworkInfo } from "../api/network-info";
import { describeOffer, findOffer } from "./paying-fetch";

const USDG = `0x${"05".repeat(20)}`;
const INFO = {
  chainId: 46630,
  assets: [
    { symbol: "USDG", address: USDG, decimals: 6, unit: 1n },
    { symbol: "ETH", address: `0x${"00".repeat(20)}`, decimals: 9, unit: 1_000_000_000n },
  ],
} as unknown as NetworkInfo;

const exact = {
  scheme: "exact",
  network: "eip155:46630",
  asset: USDG,
  amount: "50000",
  payTo: `0x${"5e".repeat(20)}`,
  maxTimeoutSeconds: 60,
  extra: { name: "Global Dollar", version: "1" },
};
const issued = { nonce: `0x${"11".repeat(32)}`, expires: 1_900_000_000, proof: `0x${"22".repeat(32)}` };
const request = { ledger: `0x${"1e".repeat(20)}`, method: "GET", resource: "https://shop.test/report" };
const confidential = { ...exact, scheme: "confidential", extra: { ...request, ...issued } };

const offering = (...accepts: unknown[]) =>
  new Response(null, {
    status: 402,
    headers: { "payment-required": btoa(JSON.stringify({ x402Version: 2, accepts })) },
  });
const found = (...accepts: unknown[]) => findOffer(offering(...accepts), INFO, "USDG");

test("an offer is paid confidentially wherever it can be, in whatever order a seller names its schemes", () => {
  expect(found(exact, confidential)?.requirements.scheme).toBe("confidential");
  expect(found(confidential, exact)?.requirements.scheme).toBe("confidential");
  expect(found({ ...confidential, network: "eip155:1" }, exact)?.requirements.scheme).toBe("exact");
});

test("an exact offer says that it is public, and which request it is for", () => {
  const offer = found(exact);
  if (!offer) throw new Error("no offer");
  const described = describeOffer(offer, "https://shop.test/report");
  expect(described).toEqual({
    amount: "0.05",
    asset: "USDG",
    pay_to: exact.payTo,
    resource: "https://shop.test/report",
    public: true,
  });
});

test.each<[string, object]>([
  ["another network", { network: "eip155:1" }],
  ["another asset", { asset: `0x${"06".repeat(20)}` }],
  ["the chain's coin", { asset: `0x${"00".repeat(20)}` }],
  ["nothing", { amount: "0" }],
  ["less than nothing", { amount: "-5" }],
  ["a payee that is none", { payTo: "@shop" }],
  ["Permit2", { extra: { assetTransferMethod: "permit2" } }],
])("an exact offer of %s is not paid", (_, change) => {
  expect(found({ ...exact, ...change })).toBeNull();
});

test("what is no offer is none", () => {
  for (const accepts of [[null], ["exact"], [{}]]) expect(found(...accepts)).toBeNull();
  expect(
    findOffer(new Response(null, { status: 402, headers: { "payment-required": "e30=" } }), INFO, "USDG"),
  ).toBeNull();
  expect(findOffer(new Response(null, { status: 200 }), INFO, "USDG")).toBeNull();
});
