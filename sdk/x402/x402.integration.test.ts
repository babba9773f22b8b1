import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { x402Client } from "@x402/core/client";
import { type FacilitatorClient, HTTPFacilitatorClient } from "@x402/core/server";
import type { SchemeNetworkClient, SchemeNetworkServer } from "@x402/core/types";
import { decodePaymentResponseHeader, wrapFetchWithPayment } from "@x402/fetch";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { build } from "esbuild";
import { Hono } from "hono";
import { Receipt } from "mppx";
import { Mppx as MppClient } from "mppx/client";
import { Mppx as MppServer } from "mppx/server";
import { NextRequest } from "next/server";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "@/lib/env";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { clientOf } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { partyOf } from "../account/party";
import { approve } from "../approvals/approve";
import type { Context } from "../context/context";
import type { TextStore } from "../context/text-store";
import { openFunds } from "../funds/funds";
import { send } from "../payments/send";
import { KeysResource } from "../resources/keys-resource";
import { TransfersResource } from "../resources/transfers-resource";
import { X402Resource } from "../resources/x402-resource";
import { CLAIMS_TABLE, memoryClaims, postgresClaims } from "./claims";
import { fileClaims } from "./file-claims";
import { halcyonClient, halcyonServer } from "./mpp";
import { PayingScheme } from "./paying-scheme";
import { PaymentHeld } from "./payment-held";
import { type SellingOptions, SellingScheme } from "./selling-scheme";
import { type FacilitatorNews, serveFacilitator } from "./serve-facilitator";
import type { PaymentRequirements } from "./wire";

/* The published x402 packages on both sides, unmodified, over real HTTP, with real payments and proofs. */

const CHAIN = 46630;
const NETWORK = "eip155:46630";
const PRICE = "$0.05";
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
let other: Owner;
let agent: Agent;
let buyer: Context;
const closers: (() => Promise<void>)[] = [];

const rpc = () => env().chains.test.rpcUrl;
const clientFor = (who: Owner, apiKey?: string) => clientOf(who.walletKey, rpc(), apiKey ? { apiKey } : {});

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee, other] = [
    await Owner.funded(CHAIN, 100_000_000n),
    await Owner.funded(CHAIN, 1_000_000n),
    await Owner.funded(CHAIN, 1_000_000n),
  ];
  const registered = await Agent.create(owner, { hitlThreshold: 1_000_000n });
  agent = registered.agent;
  await settled(registered.operationId);
  await send(await clientFor(owner), { to: `@${agent.account.handle}`, amount: "20", prepared: true });
  buyer = await withKey(owner, `@${agent.account.handle}`);
}, 180_000);
afterAll(async () => {
  for (const close of closers) await close();
  await services?.stop();
}, 30_000);

async function withKey(who: Owner, name?: string): Promise<Context> {
  const input = { label: "402", ...(name !== undefined && { agent: name }) };
  const { api_key: apiKey } = await new KeysResource(await clientFor(who)).create(input);
  return clientFor(who, apiKey);
}

interface Shop {
  url: string;
  served: number;
  /** The next responses, before the shop serves again. */
  failures: number;
}

/** A stock Hono server with the stock middleware that sells `/report` and `/other`. */
async function open(
  who: Owner,
  options: Partial<SellingOptions> & { price?: string; flow?: "upfront"; facilitator?: FacilitatorClient } = {},
) {
  const { price = PRICE, flow, facilitator, ...rest } = options;
  const claims = "claims" in options ? options.claims : memoryClaims();
  const scheme = new SellingScheme(await clientFor(who), { ...rest, claims });
  const server = new x402ResourceServer(facilitator ?? scheme.facilitator).register(NETWORK, scheme);
  const upfront = { ...(flow && { extra: { paymentFlow: flow } }) };
  const accepts = {
    ...upfront,
    scheme: "confidential",
    network: NETWORK,
    payTo: who.address,
    price,
    maxTimeoutSeconds: 60,
  } as const;
  const app = new Hono();
  const shop: Shop = { url: "", served: 0, failures: 0 };
  app.use(paymentMiddleware({ "GET /report": { accepts }, "GET /other": { accepts } }, server));
  app.get("*", (c) => {
    if (shop.failures-- > 0) return c.text("down", 500);
    shop.served++;
    return c.text("the report");
  });
  const http = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  closers.push(() => new Promise((resolve) => http.close(() => resolve())));
  shop.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return shop;
}

function memoryTexts(): TextStore {
  const texts = new Map<string, string>();
  return {
    get: async (name) => texts.get(name),
    set: async (name, text) => void texts.set(name, text),
    delete: async (name) => void texts.delete(name),
  };
}

/** Buys with the stock client; remembers what it presented. */
async function purchaser(context: Context = buyer) {
  const presented: string[] = [];
  const recording: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const header = request.headers.get("payment-signature");
    if (header) presented.push(header);
    return fetch(request);
  };
  const scheme = await new PayingScheme(context, recording, memoryTexts()).ready();
  const paying = wrapFetchWithPayment(scheme.fetch, new x402Client().register(NETWORK, scheme));
  return { paying, presented, scheme };
}

const present = (url: string, header: string) => fetch(url, { headers: { "payment-signature": header } });

/** Why a seller refuses a payment: the error of its next offer. */
async function refusal(response: Response): Promise<string | undefined> {
  expect(response.status).toBe(402);
  return JSON.parse(atob(response.headers.get("payment-required") ?? "")).error;
}

/** A payload with some of its fields replaced. */
function altered(
  header: string,
  change: (payload: { payload: Record<string, unknown>; accepted: PaymentRequirements }) => void,
) {
  const decoded = JSON.parse(atob(header));
  change(decoded);
  return btoa(JSON.stringify(decoded));
}

/** What the agent can pay with, in units. */
async function available(): Promise<bigint> {
  const context = await clientFor(owner);
  const party = await partyOf(context, `@${agent.account.handle}`);
  return (await openFunds(context, party, await context.asset())).budget.limit;
}

test("the schemes have the types of the published packages", () => {
  const both = (client: PayingScheme, server: SellingScheme): [SchemeNetworkClient, SchemeNetworkServer] => [
    client,
    server,
  ];
  expect(both).toBeTypeOf("function");
});

test("the stock client buys from the stock server: paid once, for the price, and the response names the transaction", async () => {
  const shop = await open(payee);
  const { paying, presented } = await purchaser();
  const before = await available();
  const response = await paying(`${shop.url}/report`);
  expect([response.status, await response.text()]).toEqual([200, "the report"]);
  expect(await available()).toBe(before - 50_000n);
  const receipt = decodePaymentResponseHeader(response.headers.get("payment-response") ?? "");
  expect(receipt).toMatchObject({ success: true, network: NETWORK, payer: agent.address.toLowerCase() });
  expect(receipt).not.toHaveProperty("amount");
  // A lost response: the same payment again is served again, and costs nothing.
  const again = await present(`${shop.url}/report`, presented[0] ?? "");
  expect(again.status).toBe(200);
  expect(await available()).toBe(before - 50_000n);
  // For another resource at the same price it is worth nothing.
  expect(await refusal(await present(`${shop.url}/other`, presented[0] ?? ""))).toBeDefined();
  expect(shop.served).toBe(2);
});

test("a payment of someone else's, an observer's copy and changed challenges are refused", async () => {
  const shop = await open(payee);
  const { paying, presented } = await purchaser();
  expect((await paying(`${shop.url}/report`)).status).toBe(200);
  const [header = ""] = presented;
  const unpaid = await fetch(`${shop.url}/report`);
  const offer = JSON.parse(atob(unpaid.headers.get("payment-required") ?? "")).accepts[0] as PaymentRequirements;
  const { nonce, expires, proof } = offer.extra;
  // Who watches the chain knows the transaction, and has a challenge of its own.
  const observer = altered(header, ({ payload }) => Object.assign(payload, { nonce, expires, proof }));
  expect(await refusal(await present(`${shop.url}/report`, observer))).toBe("payment_for_something_else");
  for (const change of [
    { nonce: `0x${"11".repeat(32)}` },
    { expires: Number(expires) + 1_000 },
    { proof: `0x${"22".repeat(32)}` },
  ]) {
    const forged = altered(header, ({ payload }) => Object.assign(payload, change));
    expect(await refusal(await present(`${shop.url}/report`, forged))).toBe("unknown_challenge");
  }
  const elsewhere = await open(other);
  expect(await refusal(await present(`${elsewhere.url}/report`, header))).toBeDefined();
});

test("a seller refuses too little, the wrong asset, another payee's note, a late payment and one that no block has", async () => {
  const shop = await open(payee);
  const [unpaid, { scheme }] = [await fetch(`${shop.url}/report`), await purchaser()];
  const offered = JSON.parse(atob(unpaid.headers.get("payment-required") ?? ""));
  const accepted = offered.accepts[0] as PaymentRequirements;
  const { nonce, expires, proof } = accepted.extra;
  const bindingOf = async () => {
    // What the client would bind its payment to.
    await scheme.fetch(`${shop.url}/report`);
    const { challengeBinding } = await import("./challenge");
    const scope = await buyer.scope();
    const { method, resource } = accepted.extra as { method: string; resource: string };
    const terms = { method, resource, nonce: nonce as Hex, expires: BigInt(Number(expires)) };
    const asset = accepted.asset.toLowerCase() as Hex;
    return toHex(challengeBinding({ scope, payTo: payee.address, asset, amount: BigInt(accepted.amount), ...terms }));
  };
  const binding = await bindingOf();
  const header = (transaction: string) =>
    btoa(JSON.stringify({ x402Version: 2, accepted, payload: { mode: "paid", transaction, nonce, expires, proof } }));
  const little = await send(buyer, { to: payee.address, amount: "0.049999", binding });
  if (little.status !== "confirmed") throw new Error("not paid");
  expect(await refusal(await present(`${shop.url}/report`, header(little.tx_hash)))).toBe("amount_too_low");
  const misdirected = await send(buyer, { to: other.address, amount: "0.05", binding });
  if (misdirected.status !== "confirmed") throw new Error("not paid");
  expect(await refusal(await present(`${shop.url}/report`, header(misdirected.tx_hash)))).toBe("wrong_payee");
  const impatient = await open(payee, { patience: 0 });
  const fresh = await fetch(`${impatient.url}/report`);
  const one = JSON.parse(atob(fresh.headers.get("payment-required") ?? "")).accepts[0] as PaymentRequirements;
  const payload = {
    mode: "paid",
    transaction: `0x${"33".repeat(32)}`,
    nonce: one.extra.nonce,
    expires: one.extra.expires,
    proof: one.extra.proof,
  };
  const missing = btoa(JSON.stringify({ x402Version: 2, accepted: one, payload }));
  expect(await refusal(await present(`${impatient.url}/report`, missing))).toBe("payment_not_found");
  const brief = await open(payee, { validFor: -3_600 });
  const { paying } = await purchaser();
  const late = await paying(`${brief.url}/report`);
  expect(await refusal(late)).toBe("payment_too_late");
});

test("the processes of a seller take a payment once, for one challenge, whichever comes first", async () => {
  await asOwner((sql) => sql.unsafe(CLAIMS_TABLE));
  const processes = Array.from({ length: 2 }, () =>
    postgresClaims((statement, values) => asOwner((sql) => sql.unsafe(statement, [...values]))),
  );
  const folder = mkdtempSync(join(tmpdir(), "halcyon-claims-"));
  const files = [fileClaims(folder), fileClaims(folder)];
  for (const [one = memoryClaims(), two = one] of [processes, [memoryClaims()], files]) {
    const taken = await Promise.all([one.claim("0x01", "0xaa", 3), two.claim("0x01", "0xbb", 3)]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    const [mine, others] = taken[0] ? (["0xaa", "0xbb"] as const) : (["0xbb", "0xaa"] as const);
    expect(await one.claim("0x01", others, 3)).toBe(false);
    expect(await two.claim("0x02", mine, 3)).toBe(false);
    expect([await one.has("0x01", mine), await two.has("0x01", others), await one.has("0x02", mine)]).toEqual([
      true,
      false,
      false,
    ]);
    // A lost response is served again, and not without an end.
    const again = await Promise.all([one, two, one, two].map((claims) => claims.claim("0x01", mine, 3)));
    expect(again.filter(Boolean)).toHaveLength(2);
  }
});

test("a seller that fails after the payment serves the same payment later", async () => {
  const shop = await open(payee);
  shop.failures = 1;
  const { paying, presented } = await purchaser();
  const before = await available();
  expect((await paying(`${shop.url}/report`)).status).toBe(500);
  expect((await present(`${shop.url}/report`, presented[0] ?? "")).status).toBe(200);
  expect(await available()).toBe(before - 50_000n);
});

test("a payment is served again when its response was lost, and no more than a few times", async () => {
  const shop = await open(payee, { servings: 2 });
  const { paying, presented } = await purchaser();
  expect((await paying(`${shop.url}/report`)).status).toBe(200);
  expect((await present(`${shop.url}/report`, presented[0] ?? "")).status).toBe(200);
  expect(await refusal(await present(`${shop.url}/report`, presented[0] ?? ""))).toBe("payment_already_used");
  expect(shop.served).toBe(2);
});

describe("a payment that the seller sends", () => {
  const received = async () => (await noteList(payee)).length;
  const noteList = async (who: Owner) =>
    (await new TransfersResource(await clientFor(who)).listDecrypted()).transfers.filter(
      ({ direction }) => direction === "received",
    );

  test.each(["authorization", "upfront"] as const)(
    "by a wallet without an API key, in the flow %s: sent once, also when its response is lost",
    async (flow) => {
      const shop = await open(payee, { ...(flow === "upfront" && { flow }) });
      const wallet = await clientFor(other);
      const { paying, presented } = await purchaser(wallet);
      const before = await received();
      const response = await paying(`${shop.url}/report`);
      expect([response.status, await response.text()]).toEqual([200, "the report"]);
      const receipt = decodePaymentResponseHeader(response.headers.get("payment-response") ?? "");
      expect(receipt).toMatchObject({ success: true, payer: other.address.toLowerCase() });
      expect(receipt.transaction).toMatch(/^0x[0-9a-f]{64}$/);
      expect((await present(`${shop.url}/report`, presented[0] ?? "")).status).toBe(200);
      expect([await received(), shop.served]).toEqual([before + 1, 2]);
      const [newest] = await noteList(payee);
      expect([newest?.amount, newest?.memo]).toEqual(["0.05", expect.stringContaining(`GET ${shop.url}/report 402:`)]);
      // Its sender can't be paid with it twice, nor for something else.
      expect(await refusal(await present(`${shop.url}/other`, presented[0] ?? ""))).toBeDefined();
      expect(await received()).toBe(before + 1);
    },
  );

  test("costs nothing when the handler fails; the same call of a later process pays once", async () => {
    const shop = await open(payee);
    shop.failures = 1;
    const folder = mkdtempSync(join(tmpdir(), "halcyon-402-"));
    const before = await received();
    const ask = async () => new X402Resource(await clientFor(other), folder).pay(`${shop.url}/report`, { max: "0.05" });
    const failed = await ask();
    expect([failed.response.status, failed.payment, await received()]).toEqual([500, null, before]);
    const served = await ask();
    expect([served.response.status, served.payment?.tx_hash, await received()]).toEqual([
      200,
      expect.stringMatching(/^0x/),
      before + 1,
    ]);
    rmSync(folder, { recursive: true });
  });

  test("changed by anyone on the way, or of too little, is not sent", async () => {
    const shop = await open(payee);
    const { scheme } = await purchaser(await clientFor(other));
    const asked = await scheme.fetch(`${shop.url}/report`);
    const offer = JSON.parse(atob(asked.headers.get("payment-required") ?? "")).accepts[0] as PaymentRequirements;
    const { payload } = await scheme.createPaymentPayload(2, offer);
    const before = await received();
    const header = btoa(JSON.stringify({ x402Version: 2, accepted: offer, payload }));
    const { prepared } = payload as { prepared: Record<string, unknown> };
    const changes = [
      { proof: `0x${"00".repeat(256)}` },
      { signature: `0x${"11".repeat(65)}` },
      { account: payee.address },
      { to: owner.address },
      { note: `0x${"01".padStart(64, "0")}` },
      { kind: "spend" },
    ];
    for (const change of changes) {
      const changed = altered(header, (one) => Object.assign(one.payload, { prepared: { ...prepared, ...change } }));
      expect(await refusal(await present(`${shop.url}/report`, changed)), JSON.stringify(change)).toBeDefined();
    }
    // The price went up between the offer and the payment.
    const dear = await open(payee, { price: "0.06" });
    expect(await refusal(await present(`${dear.url}/report`, header))).toBeDefined();
    expect([await received(), shop.served, dear.served]).toEqual([before, 0, 0]);
    expect((await present(`${shop.url}/report`, header)).status).toBe(200);
    expect(await received()).toBe(before + 1);
  });

  test("the service's facilitator says neither price nor amount, and takes a payment once from any number of processes", async () => {
    const shop = await open(payee);
    const { scheme } = await purchaser(await clientFor(other));
    const asked = await scheme.fetch(`${shop.url}/report`);
    const offer = JSON.parse(atob(asked.headers.get("payment-required") ?? "")).accepts[0] as PaymentRequirements;
    const { payload } = await scheme.createPaymentPayload(2, offer);
    const { http } = await clientFor(payee);
    const json = {
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted: offer, payload },
      paymentRequirements: offer,
    };
    const ask = async (path: string) => (await http.send("POST", path, { json })).body as Record<string, unknown>;
    const before = await received();
    expect(await ask("/x402/verify")).toEqual({
      isValid: true,
      payer: other.address.toLowerCase(),
      extra: { unchecked: ["amount", "challenge"] },
    });
    expect(await received()).toBe(before);
    const all = await Promise.all(Array.from({ length: 4 }, () => ask("/x402/settle")));
    for (const one of all) expect(one).toEqual({ ...all[0], success: true, payer: other.address.toLowerCase() });
    expect(JSON.stringify(all)).not.toContain("50000");
    const elsewhere = { ...json, paymentRequirements: { ...offer, network: "eip155:1" } };
    const { body } = await http.send("POST", "/x402/settle", { json: elsewhere });
    expect(body).toMatchObject({ success: false, errorReason: "invalid_payload", network: "eip155:1" });
    expect((await http.send("GET", "/x402/supported")).body).toMatchObject({
      kinds: [{ x402Version: 2, scheme: "confidential", network: NETWORK, extra: { amounts: false } }, {}],
    });
    await expect.poll(received).toBe(before + 1);
  });

  test("an agent, and an account under a policy, pay by API key alone", async () => {
    const { createPaymentPayload } = PayingScheme.prototype;
    expect(createPaymentPayload).toBeTypeOf("function");
    const shop = await open(payee, {});
    const paidOnly = await clientFor(owner);
    const { scheme } = await purchaser(paidOnly);
    const asked = await scheme.fetch(`${shop.url}/report`);
    const offer = JSON.parse(atob(asked.headers.get("payment-required") ?? "")).accepts[0] as PaymentRequirements;
    const withoutIt = { ...offer, extra: { ...offer.extra, modes: ["paid"] } };
    await expect(scheme.createPaymentPayload(2, withoutIt)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("needs an API key"),
    });
  });
});

test("a server that is given a facilitator which sees no amounts does not open without claims", async () => {
  const scheme = new SellingScheme(await clientFor(payee), {});
  const blind = {
    ...scheme.facilitator,
    getSupported: async () => ({
      kinds: [
        {
          x402Version: 2,
          scheme: "confidential",
          network: NETWORK as `${string}:${string}`,
          extra: { amounts: false },
        },
      ],
      extensions: [],
      signers: {},
    }),
  };
  const server = new x402ResourceServer(blind).register(NETWORK, scheme);
  await expect(server.initialize()).rejects.toThrow("sees no amounts");
});

test("a payment that awaits approval says so; after it, asking again pays nothing twice", async () => {
  const { scheme } = await purchaser();
  const held = await open(payee, { price: "1.5" });
  const asked = await scheme.fetch(`${held.url}/report`);
  const offer = JSON.parse(atob(asked.headers.get("payment-required") ?? "")).accepts[0] as PaymentRequirements;
  const before = await available();
  const first = await scheme.createPaymentPayload(2, offer).catch((error: unknown) => error);
  expect(first).toBeInstanceOf(PaymentHeld);
  const { transactionId } = first as PaymentHeld;
  await expect(scheme.createPaymentPayload(2, offer)).rejects.toMatchObject({ transactionId });
  await approve(await clientFor(owner), transactionId);
  // A later offer of the same is paid by the same payment.
  const later = await scheme.fetch(`${held.url}/report`);
  const second = JSON.parse(atob(later.headers.get("payment-required") ?? "")).accepts[0] as PaymentRequirements;
  const { payload } = await scheme.createPaymentPayload(2, second);
  const header = btoa(JSON.stringify({ x402Version: 2, accepted: second, payload }));
  expect((await present(`${held.url}/report`, header)).status).toBe(200);
  expect(await available()).toBe(before - 1_500_000n);
});

test("an offer of another server, ledger or network is not paid", async () => {
  const shop = await open(payee);
  const { scheme } = await purchaser();
  const asked = await scheme.fetch(`${shop.url}/report`);
  const offer = JSON.parse(atob(asked.headers.get("payment-required") ?? "")).accepts[0] as PaymentRequirements;
  const before = await available();
  const stranger = await purchaser();
  const refused = [
    [stranger.scheme, offer],
    [scheme, { ...offer, network: "eip155:1" }],
    [scheme, { ...offer, extra: { ...offer.extra, ledger: `0x${"44".repeat(20)}` } }],
    [scheme, { ...offer, extra: { ...offer.extra, resource: "https://example.com/report" } }],
  ] as const;
  for (const [by, given] of refused) {
    await expect(by.createPaymentPayload(2, given as PaymentRequirements)).rejects.toMatchObject({
      code: "invalid_request",
    });
  }
  expect(await available()).toBe(before);
});

describe("halcyon.x402.pay", () => {
  const folder = mkdtempSync(join(tmpdir(), "halcyon-402-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  /** As a process of its own has it: what was begun before is in files alone. */
  const processOf = () => new X402Resource(buyer, folder);
  const kept = () => readdirSync(folder);

  test("shows the price and the policy's decision, and pays at most max, once", async () => {
    const shop = await open(payee);
    const url = `${shop.url}/report`;
    const before = await available();
    expect(await processOf().price(url)).toMatchObject({
      price: { amount: "0.05", asset: "USDG", resource: url },
      policy: { outcome: "allowed" },
    });
    const dear = processOf().pay(url, { max: "0.049999" });
    await expect(dear).rejects.toMatchObject({ code: "invalid_request", param: "max" });
    // A limit in one asset is none in another.
    const { payment: none, response: unpaid } = await processOf().pay(url, { max: "9", asset: "ETH" });
    expect([none, unpaid.status]).toEqual([null, 402]);
    expect([await available(), shop.served]).toEqual([before, 0]);
    const { response, payment } = await processOf().pay(url, { max: "0.05" });
    expect([response.status, await response.text(), payment?.amount]).toEqual([200, "the report", "0.05"]);
    expect([await available(), shop.served, kept()]).toEqual([before - 50_000n, 1, []]);
  });

  test("after a seller's failure, the same call of another process presents the same payment", async () => {
    const shop = await open(payee);
    shop.failures = 1;
    const before = await available();
    const failed = await processOf().pay(`${shop.url}/report`, { max: "0.05" });
    expect(failed.response.status).toBe(500);
    const request = failed.payment?.refund_request ?? "";
    const seller = new X402Resource(await clientFor(payee), folder);
    expect(await seller.checkRefundRequest(request)).toMatchObject({
      payer: agent.address.toLowerCase(),
      transaction: failed.payment?.tx_hash,
      method: "GET",
      resource: `${shop.url}/report`,
    });
    const stranger = new X402Resource(await clientFor(other), folder);
    await expect(stranger.checkRefundRequest(request)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(seller.checkRefundRequest(`${request.slice(0, -8)}AAAAAAAA`)).rejects.toMatchObject({
      code: "invalid_request",
    });
    const [file = ""] = kept();
    // Neither the price nor the key: a file of this machine may be read by more programs than its key.
    expect(readFileSync(join(folder, file), "utf8")).not.toMatch(/amount|50000|0\.05|hc_/);
    const again = await processOf().pay(`${shop.url}/report`, { max: "0.05" });
    expect([again.response.status, again.payment?.tx_hash]).toEqual([200, failed.payment?.tx_hash]);
    expect([await available(), kept()]).toEqual([before - 50_000n, []]);
  });

  test("a held payment says what to wait for; after approval, the same call of another process pays nothing twice", async () => {
    const shop = await open(payee, { price: "1.5" });
    const before = await available();
    const ask = () => processOf().pay(`${shop.url}/report`, { max: "2" });
    const held = (await ask().catch((error: unknown) => error)) as PaymentHeld;
    expect(held).toBeInstanceOf(PaymentHeld);
    expect(held.message).toContain(`halcyon approve ${held.transactionId}`);
    await expect(ask()).rejects.toMatchObject({ transactionId: held.transactionId });
    await approve(await clientFor(owner), held.transactionId);
    expect((await ask()).response.status).toBe(200);
    expect([await available(), shop.served, kept()]).toEqual([before - 1_500_000n, 1, []]);
  });

  test("no payment goes to where a redirect leads, and none over http to another machine", async () => {
    const shop = await open(payee);
    const before = await available();
    let presented = 0;
    const redirecting = createServer((request, response) => {
      if (request.headers["payment-signature"]) presented++;
      response.writeHead(307, { location: `${shop.url}/report` }).end();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => redirecting.once("listening", resolve));
    closers.push(() => new Promise((resolve) => redirecting.close(() => resolve())));
    const { port } = redirecting.address() as AddressInfo;
    const led = processOf().pay(`http://127.0.0.1:${port}/report`, { max: "1" });
    await expect(led).rejects.toMatchObject({ code: "invalid_request", param: "url" });
    const plain = processOf().pay("http://192.0.2.1/report", { max: "1" });
    await expect(plain).rejects.toMatchObject({ code: "invalid_request", param: "url" });
    expect([await available(), presented]).toEqual([before, 0]);
  });
});

describe("MPP with the published mppx on both sides", () => {
  const secretKey = "a secret of the seller's server, 32 bytes or more";

  async function mppShop(price = "50000") {
    const scheme = new SellingScheme(await clientFor(payee), { claims: memoryClaims() });
    const { address: currency } = await buyer.asset();
    const mppx = MppServer.create({
      methods: [halcyonServer(scheme, { currency, recipient: payee.address })],
      secretKey,
    });
    const shop = { url: "", served: 0 };
    const app = new Hono();
    app.get("*", async (c) => {
      const paid = await mppx.charge({ amount: price })(c.req.raw);
      if (paid.status === 402) return paid.challenge;
      shop.served++;
      return paid.withReceipt(new Response("the report"));
    });
    const http = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
    await new Promise((resolve) => http.once("listening", resolve));
    closers.push(() => new Promise((resolve) => http.close(() => resolve())));
    shop.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    return shop;
  }

  async function mppBuyer(context: Context, max: string) {
    const credentials: string[] = [];
    const recording: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const credential = request.headers.get("authorization");
      if (credential) credentials.push(credential);
      return fetch(request);
    };
    const scheme = await new PayingScheme(context, recording, memoryTexts()).ready();
    const mppx = MppClient.create({ methods: [halcyonClient(scheme, max)], fetch: scheme.fetch, polyfill: false });
    return { mppx, credentials };
  }

  test("pays once, for the price; a lost response is served again, and the receipt has no amount", async () => {
    const shop = await mppShop();
    const { mppx, credentials } = await mppBuyer(buyer, "50000");
    const before = await available();
    const response = await mppx.fetch(`${shop.url}/report`);
    expect([response.status, await response.text()]).toEqual([200, "the report"]);
    const receipt = Receipt.fromResponse(response);
    expect(receipt).toMatchObject({ status: "success", method: "halcyon" });
    expect(receipt.reference).toMatch(/^0x[0-9a-f]{64}$/);
    expect(JSON.stringify(receipt)).not.toMatch(/amount|50000/);
    const again = (path: string) => fetch(`${shop.url}${path}`, { headers: { authorization: credentials[0] ?? "" } });
    expect((await again("/report")).status).toBe(200);
    expect((await again("/other")).status).toBe(402);
    expect([await available(), shop.served]).toEqual([before - 50_000n, 2]);
  });

  test("a wallet's own payment is sent by the seller; a price above max is not paid", async () => {
    const shop = await mppShop();
    const { mppx } = await mppBuyer(await clientFor(other), "50000");
    expect((await mppx.fetch(`${shop.url}/report`)).status).toBe(200);
    const dear = await mppShop("50001");
    const { mppx: careful, credentials } = await mppBuyer(buyer, "50000");
    const before = await available();
    await expect(careful.fetch(`${dear.url}/report`)).rejects.toThrow("more than max");
    expect([await available(), credentials, dear.served]).toEqual([before, [], 0]);
  });
});

test("the seller's own facilitator checks for a server that has no claims, and its log names no price", async () => {
  const folder = mkdtempSync(join(tmpdir(), "halcyon-claims-"));
  const news: FacilitatorNews[] = [];
  const own = new SellingScheme(await clientFor(payee), { claims: fileClaims(folder), servings: 2, patience: 1 });
  const running = await serveFacilitator(own, { port: 0, host: "127.0.0.1" }, (one) => news.push(one));
  closers.push(() => running.close());
  const shop = await open(payee, { claims: undefined, facilitator: new HTTPFacilitatorClient({ url: running.url }) });
  const { paying, presented } = await purchaser();
  const before = await available();
  expect((await paying(`${shop.url}/report`)).status).toBe(200);
  expect((await present(`${shop.url}/report`, presented[0] ?? "")).status).toBe(200);
  expect(await refusal(await present(`${shop.url}/report`, presented[0] ?? ""))).toBe("payment_already_used");
  expect([await available(), shop.served]).toEqual([before - 50_000n, 2]);
  for (const body of ["", "{}", JSON.stringify({ paymentPayload: { payload: {} }, paymentRequirements: null })]) {
    expect((await fetch(`${running.url}/settle`, { method: "POST", body })).status).toBe(400);
  }
  expect((await fetch(`${running.url}/other`)).status).toBe(404);
  expect(news.length).toBeGreaterThan(5);
  expect(JSON.stringify(news)).not.toMatch(/50000|0\.05|amount|0x/);
});

test("a policy that names the seller by its handle pays no other address", async () => {
  const named = await Agent.create(owner, { allowedRecipients: [`@${payee.account.handle}`] });
  await settled(named.operationId);
  await send(await clientFor(owner), { to: `@${named.agent.account.handle}`, amount: "1", prepared: true });
  const bounded = await withKey(owner, `@${named.agent.account.handle}`);
  const [right, wrong] = [await open(payee), await open(other)];
  const { paying } = await purchaser(bounded);
  expect((await paying(`${right.url}/report`)).status).toBe(200);
  await expect(paying(`${wrong.url}/report`)).rejects.toThrow(/policy|recipient/i);
  expect(wrong.served).toBe(0);
});

describe("the servers of the guide", () => {
  const guide = readFileSync("docs/guides/pay-over-http.md", "utf8");
  const folder = mkdtempSync(join(tmpdir(), "halcyon-guide-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A block of the guide as a module, with the packages that it names; `./selling` is this seller. */
  async function load(heading: string, selling: unknown, port: number): Promise<Record<string, unknown>> {
    const [, block = ""] = new RegExp(`### ${heading}\\n[^#]*?\`\`\`js\\n([\\s\\S]*?)\`\`\``).exec(guide) ?? [];
    expect(block.split("\n").length).toBeLessThanOrEqual(20);
    const outfile = join(folder, `${heading}.cjs`);
    Object.assign(globalThis, { sellingOfGuide: selling });
    await build({
      stdin: { contents: block.replace("4000", String(port)), resolveDir: process.cwd() },
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile,
      logLevel: "error",
      plugins: [
        {
          name: "selling",
          setup(build) {
            build.onResolve({ filter: /^\.\/selling$/ }, () => ({ path: "selling", namespace: "guide" }));
            const contents = "module.exports = globalThis.sellingOfGuide";
            build.onLoad({ filter: /.*/, namespace: "guide" }, () => ({ contents }));
          },
        },
      ],
    });
    return createRequire(import.meta.url)(outfile);
  }

  async function freePort(): Promise<number> {
    const probe = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => probe.once("listening", resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }

  test.each(["Hono", "Express", "Next"])("%s sells in at most twenty lines", async (heading) => {
    const scheme = new SellingScheme(await clientFor(payee), { claims: memoryClaims() });
    const accepts = {
      scheme: "confidential",
      network: NETWORK,
      payTo: payee.address,
      price: PRICE,
      maxTimeoutSeconds: 60,
    };
    const port = await freePort();
    const { GET } = await load(heading, { selling: scheme, accepts }, port);
    if (GET) {
      const serve = GET as (request: NextRequest) => Promise<Response>;
      const http = createServer(getRequestListener((request) => serve(new NextRequest(request))));
      await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
      closers.push(() => new Promise((resolve) => http.close(() => resolve())));
    }
    const { paying } = await purchaser();
    const before = await available();
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/report`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(402);
    const response = await paying(`http://127.0.0.1:${port}/report`);
    expect([response.status, await response.text()]).toEqual([200, "Your report"]);
    expect(await available()).toBe(before - 50_000n);
  });
});

// Last: it takes blocks away that the services have seen.
test("a payment waits for the blocks that its price wants, and one in a block that was reorganised is not taken", async () => {
  const dear = await open(payee, { patience: 0, finality: (price) => (price > 0.01 ? 1_000 : "latest") });
  const cheap = await open(payee, { patience: 0, finality: (price) => (price > 1 ? 1_000 : "latest") });
  const { paying, presented } = await purchaser();
  expect(await refusal(await paying(`${dear.url}/report`))).toBe("payment_not_final");
  const second = await purchaser();
  expect((await second.paying(`${cheap.url}/report`)).status).toBe(200);
  const chain = await buyer.chain();
  const { transaction } = JSON.parse(atob(second.presented[0] ?? "")).payload as { transaction: Hex };
  const { blockNumber } = await chain.client.getTransactionReceipt({ hash: transaction });
  const depth = Number((await chain.client.getBlockNumber()) - blockNumber) + 1;
  const { request } = chain.client as unknown as {
    request(call: { method: string; params: unknown[] }): Promise<unknown>;
  };
  await request({ method: "anvil_reorg", params: [depth, []] });
  expect(await refusal(await present(`${cheap.url}/report`, second.presented[0] ?? ""))).toBe("payment_not_found");
  expect(presented).toHaveLength(1);
});
