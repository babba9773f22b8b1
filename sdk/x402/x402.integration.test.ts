import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SchemeNetworkClient, SchemeNetworkServer } from "@x402/core/types";
import { decodePaymentResponseHeader } from "@x402/fetch";
import { x402ResourceServer } from "@x402/hono";
import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { apiKeys, idempotencyKeys } from "@/db/schema/keys";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { removeFolder } from "@/scripts/stack/files";
import { Owner } from "@/test/accounts/owner";
import { withoutRandom } from "@/test/attacks/without-random";
import { clientOf, keyClientOf } from "@/test/services/in-process-service";
import { clientFor, Market, offerOf, present, receivedBy, refusal, rpc, withKey } from "@/test/x402/market";
import { memoryTexts } from "@/test/x402/memory-texts";
import { NETWORK } from "@/test/x402/shop";
import { Call } from "../api/call";
import type { Context } from "../context/context";
import { approve } from "../payments/approvals/approve";
import { prepareTransfer } from "../payments/prepare-transfer";
import { send } from "../payments/send";
import { KeysResource } from "../resources/keys-resource";
import { LimitsResource } from "../resources/limits-resource";
import { X402Resource } from "../resources/x402-resource";
import { payForResource } from "./buy";
import { challengeBinding } from "./challenge";
import { clientBuyer } from "./client-buyer";
import type { PayingScheme } from "./paying-scheme";
import { PaymentHeld } from "./payment-held";
import { SellingScheme } from "./selling-scheme";
import type { PaymentRequirements } from "./wire";

/* The published x402 packages on both sides, unmodified, over real HTTP, with real payments and proofs. */

let market: Market;
let { owner, payee, other, agent, buyer, open, available, purchaser } = {} as Market;

beforeAll(async () => {
  market = await Market.start();
  ({ owner, payee, other, agent, buyer, open, available, purchaser } = market);
});
afterAll(async () => market?.stop());

/** Returns a payment header with some fields of its payload replaced. */
function altered(
  header: string,
  change: (payload: { payload: Record<string, unknown>; accepted: PaymentRequirements }) => void,
) {
  const decoded = JSON.parse(atob(header));
  change(decoded);
  return btoa(JSON.stringify(decoded));
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
  // After a lost response, the same payment gets the resource again at no cost.
  const again = await present(`${shop.url}/report`, presented[0] ?? "");
  expect(again.status).toBe(200);
  expect(await available()).toBe(before - 50_000n);
  // The payment gets no other resource, even at the same price.
  expect(await refusal(await present(`${shop.url}/other`, presented[0] ?? ""))).toBeDefined();
  expect(shop.served).toBe(2);
});

test("an agent with a blind key buys with what its own machine has built", async () => {
  const shop = await open(payee);
  const input = { label: "402", agent: agent.account.handle, blind: true };
  const { api_key: text, home_key: homeKey } = await new KeysResource(await clientFor(owner)).create(input);
  const { paying } = await purchaser(await keyClientOf({ text, homeKey }, rpc()));
  const before = await available();
  const response = await paying(`${shop.url}/report`);
  expect([response.status, await response.text()]).toEqual([200, "the report"]);
  expect(await available()).toBe(before - 50_000n);
});

test("a payment of someone else's, an observer's copy and changed challenges are refused", async () => {
  const shop = await open(payee);
  const { paying, presented } = await purchaser();
  expect((await paying(`${shop.url}/report`)).status).toBe(200);
  const [header = ""] = presented;
  const unpaid = await fetch(`${shop.url}/report`);
  const offer = offerOf(unpaid);
  const { nonce, expires, proof } = offer.extra;
  // An observer of the chain knows the transaction and has its own challenge.
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

/** Pays from the agent a payment bound to an offer, whatever its amount, and returns its transaction. */
async function paidFor(
  { extra, asset, payTo, amount }: PaymentRequirements,
  payment: { to: string; amount: string; idempotencyKey?: string },
) {
  const { method, resource, nonce, expires } = extra as {
    method: string;
    resource: string;
    nonce: Hex;
    expires: number;
  };
  const lower = (address: string) => address.toLowerCase() as Hex;
  const terms = { method, resource, nonce, expires: BigInt(expires), amount: BigInt(amount) };
  const challenge = { scope: await buyer.scope(), payTo: lower(payTo), asset: lower(asset), ...terms };
  const sent = await send(buyer, { ...payment, binding: toHex(challengeBinding(challenge)) });
  if (sent.status !== "confirmed") throw new Error("not paid");
  return sent.tx_hash;
}

/** Returns the header that presents a transaction for an offer. */
function paidIn(transaction: string, accepted: PaymentRequirements): string {
  const { nonce, expires, proof } = accepted.extra;
  return btoa(
    JSON.stringify({ x402Version: 2, accepted, payload: { mode: "paid", transaction, nonce, expires, proof } }),
  );
}

test("a seller refuses too little, the wrong asset, another payee's note, a late payment and one that no block has", async () => {
  const shop = await open(payee);
  const accepted = offerOf(await fetch(`${shop.url}/report`));
  const little = await paidFor(accepted, { to: payee.address, amount: "0.049999" });
  expect(await refusal(await present(`${shop.url}/report`, paidIn(little, accepted)))).toBe("amount_too_low");
  const misdirected = await paidFor(accepted, { to: other.address, amount: "0.05" });
  expect(await refusal(await present(`${shop.url}/report`, paidIn(misdirected, accepted)))).toBe("wrong_payee");
  // The price is in ETH, but the payment is the same number of units of USDG.
  const { address: asset, unit } = await buyer.asset("ETH");
  const inEther = await open(payee, { price: { asset, amount: String(50_000n * unit) } });
  const asked = offerOf(await fetch(`${inEther.url}/report`));
  const wrong = await paidFor(asked, { to: payee.address, amount: "0.05" });
  expect(await refusal(await present(`${inEther.url}/report`, paidIn(wrong, asked)))).toBe("wrong_asset");
  const impatient = await open(payee, { patience: 0 });
  const one = offerOf(await fetch(`${impatient.url}/report`));
  const missing = paidIn(`0x${"33".repeat(32)}`, one);
  expect(await refusal(await present(`${impatient.url}/report`, missing))).toBe("payment_not_found");
  const brief = await open(payee, { validFor: -3_600 });
  const over = offerOf(await fetch(`${brief.url}/report`));
  const late = await paidFor(over, { to: payee.address, amount: "0.05" });
  expect(await refusal(await present(`${brief.url}/report`, paidIn(late, over)))).toBe("payment_too_late");
  expect([shop, inEther, impatient, brief].map(({ served }) => served)).toEqual([0, 0, 0, 0]);
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
  const received = async () => (await receivedBy(payee)).length;

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
      const [newest] = await receivedBy(payee);
      expect([newest?.amount, newest?.memo]).toEqual(["0.05", expect.stringContaining(`GET ${shop.url}/report 402:`)]);
      // The seller can't use it to be paid twice, nor for another resource.
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
    // The payment wasn't sent, but the buyer only knows that the seller could have sent it.
    expect(failed.payment).toMatchObject({ outcome: "unknown", tx_hash: null });
    expect([failed.response.status, await received()]).toEqual([500, before]);
    const served = await ask();
    expect([served.response.status, served.payment?.tx_hash, await received()]).toEqual([
      200,
      expect.stringMatching(/^0x/),
      before + 1,
    ]);
    removeFolder(folder);
  });

  test("that can't be made leaves no record: the same request pays at another price", async () => {
    const shop = await open(payee);
    const { scheme } = await purchaser(await clientFor(other));
    const offer = offerOf(await scheme.fetch(`${shop.url}/report`));
    const dear = scheme.createPaymentPayload(2, { ...offer, amount: "1000000000000" });
    await expect(dear).rejects.toMatchObject({ code: "insufficient_balance" });
    expect((await scheme.createPaymentPayload(2, offer)).payload).toMatchObject({ mode: "client_signed" });
  });

  test("changed by anyone on the way, or of too little, is not sent", async () => {
    const shop = await open(payee);
    const { scheme } = await purchaser(await clientFor(other));
    const asked = await scheme.fetch(`${shop.url}/report`);
    const offer = offerOf(asked);
    const { payload } = await scheme.createPaymentPayload(2, offer);
    const before = await received();
    const header = btoa(JSON.stringify({ x402Version: 2, accepted: offer, payload }));
    const { client_signed: document } = payload as { client_signed: Record<string, unknown> };
    const changes = [
      { proof: `0x${"00".repeat(256)}` },
      { signature: `0x${"11".repeat(65)}` },
      { account: payee.address },
      { to: owner.address },
      { note: `0x${"01".padStart(64, "0")}` },
      { kind: "spend" },
    ];
    for (const change of changes) {
      const changed = altered(header, (one) =>
        Object.assign(one.payload, { client_signed: { ...document, ...change } }),
      );
      expect(await refusal(await present(`${shop.url}/report`, changed)), JSON.stringify(change)).toBeDefined();
    }
    // The price went up between offer and payment.
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
    const offer = offerOf(asked);
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
    expect(withoutRandom(JSON.stringify(all))).not.toContain("50000");
    const elsewhere = { ...json, paymentRequirements: { ...offer, network: "eip155:1" } };
    const { body } = await http.send("POST", "/x402/settle", { json: elsewhere });
    expect(body).toMatchObject({ success: false, errorReason: "invalid_payload", network: "eip155:1" });
    expect((await http.send("GET", "/x402/supported")).body).toMatchObject({
      kinds: [{ x402Version: 2, scheme: "confidential", network: NETWORK, extra: { amounts: false } }, {}],
    });
    await expect.poll(received).toBe(before + 1);
  });

  test("is none of an account under a policy: its client does not sign one, and no one sends one", async () => {
    const shop = await open(payee);
    const limited = await Owner.funded(46630, 1_000_000n);
    const wallet = await clientFor(limited);
    const limits = { daily_limit_usdg: 10, per_transaction_limit_usdg: 1, allowed_recipients: ["*"] };
    await new LimitsResource(wallet).set(limits);
    const { scheme } = await purchaser(wallet);
    const offer = offerOf(await scheme.fetch(`${shop.url}/report`));
    await expect(scheme.createPaymentPayload(2, offer)).rejects.toMatchObject({
      code: "policy_violation",
      message: expect.stringContaining("Use an API key"),
    });
    // A seller tries to use the order that the wallet signed for the service.
    const before = (await receivedBy(payee)).length;
    const { client_signed: document } = await prepareTransfer(wallet, { to: payee.address, amount: "0.05" });
    expect(document.kind).toBe("spend");
    const { nonce, expires, proof } = offer.extra;
    const payload = { mode: "client_signed", client_signed: document, nonce, expires, proof };
    const header = btoa(JSON.stringify({ x402Version: 2, accepted: offer, payload }));
    expect(await refusal(await present(`${shop.url}/report`, header))).toBe("invalid_payload");
    const json = { x402Version: 2, paymentPayload: { payload }, paymentRequirements: offer };
    for (const path of ["/x402/verify", "/x402/settle"]) {
      const { body } = await wallet.http.send("POST", path, { json });
      expect(Object.values(body as object)).toContain("invalid_payload");
    }
    expect([shop.served, (await receivedBy(payee)).length]).toEqual([0, before]);
  });

  test("is not signed where the seller takes only what was paid before", async () => {
    const shop = await open(payee);
    const { scheme } = await purchaser(await clientFor(owner));
    const offer = offerOf(await scheme.fetch(`${shop.url}/report`));
    const paidOnly = { ...offer, extra: { ...offer.extra, modes: ["paid"] } };
    await expect(scheme.createPaymentPayload(2, paidOnly)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("needs an API key"),
    });
  });
});

test("a server that is given a facilitator which sees no amounts does not start without claims", async () => {
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
  const offer = offerOf(asked);
  const before = await available();
  const first = await scheme.createPaymentPayload(2, offer).catch((error: unknown) => error);
  expect(first).toBeInstanceOf(PaymentHeld);
  const { transactionId } = first as PaymentHeld;
  await expect(scheme.createPaymentPayload(2, offer)).rejects.toMatchObject({ transactionId });
  await approve(await clientFor(owner), transactionId);
  // A later offer for the same resource is paid by the same payment.
  const later = await scheme.fetch(`${held.url}/report`);
  const second = offerOf(later);
  const { payload } = await scheme.createPaymentPayload(2, second);
  const header = btoa(JSON.stringify({ x402Version: 2, accepted: second, payload }));
  expect((await present(`${held.url}/report`, header)).status).toBe(200);
  expect(await available()).toBe(before - 1_500_000n);
});

test("an offer of another server, ledger or network, or one that came another way, is not paid", async () => {
  const shop = await open(payee);
  const { scheme } = await purchaser();
  const asked = await scheme.fetch(`${shop.url}/report`);
  const offer = offerOf(asked);
  const before = await available();
  const stranger = await purchaser();
  const refused = [
    // Asked for by a client that does not use the buyer's `fetch`.
    [stranger.scheme, offer, /did not come by this buyer's `fetch`/],
    [scheme, { ...offer, network: "eip155:1" }, /not of this network/],
    [scheme, { ...offer, extra: { ...offer.extra, ledger: `0x${"44".repeat(20)}` } }, /another ledger/],
    [scheme, { ...offer, extra: { ...offer.extra, resource: "https://example.com/report" } }, /another server/],
  ] as const;
  for (const [by, given, message] of refused) {
    await expect(by.createPaymentPayload(2, given as PaymentRequirements)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(message),
    });
  }
  expect(await available()).toBe(before);
});

describe("halcyon.x402.pay", () => {
  const folder = mkdtempSync(join(tmpdir(), "halcyon-402-"));
  afterAll(() => removeFolder(folder));
  /** Simulates a new process, which knows earlier payments only from files. */
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
    // A limit in one asset doesn't allow payments in another.
    const { payment: none, response: unpaid } = await processOf().pay(url, { max: "9", asset: "ETH" });
    expect([none, unpaid.status]).toEqual([null, 402]);
    expect([await available(), shop.served]).toEqual([before, 0]);
    const { response, payment } = await processOf().pay(url, { max: "0.05" });
    expect([response.status, await response.text(), payment?.amount]).toEqual([200, "the report", "0.05"]);
    expect([await available(), shop.served, kept()]).toEqual([before - 50_000n, 1, []]);
  });

  test("a seller that sends 100 Continue unasked is paid once, and serves at once", async () => {
    const shop = await open(payee);
    let presented = 0;
    const self = await market.listen(
      createServer(async ({ headers }, response) => {
        response.writeContinue();
        if (headers["payment-signature"]) {
          presented++;
          return response.end("the report");
        }
        const offer = offerOf(await fetch(`${shop.url}/report`));
        const accepts = [{ ...offer, extra: { ...offer.extra, resource: `${self}/report` } }];
        const header = btoa(JSON.stringify({ x402Version: 2, resource: { url: self }, accepts }));
        return response.writeHead(402, { "payment-required": header }).end();
      }),
    );
    const before = await available();
    const { response, payment } = await processOf().pay(`${self}/report`, { max: "0.05" });
    expect([response.status, await response.text(), payment?.amount]).toEqual([200, "the report", "0.05"]);
    expect([await available(), presented, kept()]).toEqual([before - 50_000n, 1, []]);
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
    // No file holds the price or the API key, because more programs may read it than may use the key.
    for (const file of kept()) {
      const text = readFileSync(join(folder, file), "utf8");
      expect(text).not.toMatch(/amount|0\.05|hc_test/);
      expect(withoutRandom(text)).not.toContain("50000");
    }
    const again = await processOf().pay(`${shop.url}/report`, { max: "0.05" });
    expect([again.response.status, again.payment?.tx_hash]).toEqual([200, failed.payment?.tx_hash]);
    expect([await available(), kept()]).toEqual([before - 50_000n, []]);
  });

  test("a 200 that is lost is asked for again, and paid once; when all are, the next call of another process gets it", async () => {
    const shop = await open(payee);
    const before = await available();
    shop.lost = 2;
    const third = await processOf().pay(`${shop.url}/report`, { max: "0.05" });
    expect([third.response.status, await third.response.text()]).toEqual([200, "the report"]);
    expect([await available(), shop.served, kept()]).toEqual([before - 50_000n, 3, []]);
    shop.lost = 3;
    const lost = processOf().pay(`${shop.url}/report`, { max: "0.05" });
    await expect(lost).rejects.toMatchObject({
      code: "outcome_unknown",
      message: expect.stringMatching(/^It was paid \(0x[0-9a-f]{64}\)/),
    });
    const found = await processOf().pay(`${shop.url}/report`, { max: "0.05" });
    expect([found.response.status, await available(), shop.served, kept()]).toEqual([200, before - 100_000n, 7, []]);
  });

  /** Returns a client of the buyer that gets no response to a payment. The service makes it. */
  const losing = () =>
    clientOf(owner.walletKey, rpc(), {
      apiKey: buyer.apiKey,
      meddle: async (request, honest) => {
        const response = await honest();
        if (request.method === "POST") throw new TypeError("no response");
        return response;
      },
    });

  test("a repeat that is refused before the service looks for the earlier payment forgets nothing, and pays nothing twice", async () => {
    const shop = await open(payee);
    const url = `${shop.url}/report`;
    const before = await available();
    await expect(new X402Resource(await losing(), folder).pay(url, { max: "0.05" })).rejects.toMatchObject({
      code: "outcome_unknown",
    });
    const records = kept();
    const ask = () => processOf().pay(url, { max: "0.05" });
    const only = (allowedIps: string[] | null) =>
      db().update(apiKeys).set({ allowedIps }).where(eq(apiKeys.agentId, agent.account.id));
    await only(["192.0.2.1"]);
    await expect(ask()).rejects.toMatchObject({ code: "key_forbidden" });
    expect(kept()).toEqual(records);
    await only(null);
    expect((await ask()).response.status).toBe(200);
    expect([await available(), kept()]).toEqual([before - 50_000n, []]);
  });

  test.each([
    [
      "names another resource",
      (offer: PaymentRequirements, n: number) => ({
        extra: { ...offer.extra, resource: `${offer.extra.resource}?n=${n}` },
      }),
    ],
    [
      "asks for one unit more",
      ({ amount }: PaymentRequirements, n: number) => ({ amount: String(Number(amount) + n) }),
    ],
    ["wants it for another account", () => ({ payTo: other.address })],
  ] as [string, (offer: PaymentRequirements, n: number) => Partial<PaymentRequirements>][])(
    "a seller that %s each time and serves nothing is paid once; again pays again",
    async (_, change) => {
      const shop = await open(payee);
      let [asked, presented] = [0, 0];
      const self = await market.listen(
        createServer(async (request, response) => {
          if (request.headers["payment-signature"]) {
            presented++;
            return response.writeHead(500).end();
          }
          const offer = offerOf(await fetch(`${shop.url}/report`));
          const ours = { ...offer, extra: { ...offer.extra, resource: `${self}/report` } };
          const accepts = [{ ...ours, ...(asked++ > 0 && change(ours, asked)) }];
          const header = btoa(JSON.stringify({ x402Version: 2, resource: { url: self }, accepts }));
          return response.writeHead(402, { "payment-required": header }).end();
        }),
      );
      const before = await available();
      const ask = (again = false) => processOf().pay(`${self}/report`, { max: "1", again });
      expect((await ask()).payment).toMatchObject({ outcome: "paid" });
      for (let time = 0; time < 2; time++) {
        await expect(ask()).rejects.toMatchObject({
          code: "policy_violation",
          message: expect.stringContaining("asks for something else"),
        });
      }
      expect([await available(), presented, kept().length]).toEqual([before - 50_000n, 1, 1]);
      // Nothing is enrolled under the other accounts.
      expect((await ask(true)).payment).toMatchObject({ outcome: "paid" });
      expect(presented).toBe(2);
      for (const file of kept()) rmSync(join(folder, file));
    },
  );

  test("a payment is presented for as long as its offer lasts, also when the service has forgotten the request's key", async () => {
    const shop = await open(payee, { validFor: 7 * 86_400 });
    shop.failures = 2;
    const before = await available();
    const ask = () => processOf().pay(`${shop.url}/report`, { max: "0.05" });
    const first = await ask();
    await db()
      .update(idempotencyKeys)
      .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) });
    const second = await ask();
    expect([first.response.status, second.response.status]).toEqual([500, 500]);
    expect(second.payment?.tx_hash).toBe(first.payment?.tx_hash);
    expect((await ask()).response.status).toBe(200);
    expect([await available(), kept()]).toEqual([before - 50_000n, []]);
  });

  test("a payment whose response was lost is not sent again once the service may have forgotten its key", async () => {
    const shop = await open(payee, { validFor: 7 * 86_400 });
    const url = `${shop.url}/report`;
    const before = await available();
    const lost = new X402Resource(await losing(), folder).pay(url, { max: "0.05" });
    await expect(lost).rejects.toMatchObject({ code: "outcome_unknown" });
    for (const file of kept().map((name) => join(folder, name))) {
      const record = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...record, begun: record.begun - 23 * 3_600_000 }));
    }
    const late = processOf().pay(url, { max: "0.05" });
    await expect(late).rejects.toMatchObject({ code: "policy_violation", message: expect.stringContaining("`again`") });
    for (const file of kept()) rmSync(join(folder, file));
    await expect.poll(available).toBe(before - 50_000n);
  });

  test("another API key of the same payer presents the payment that the first one made", async () => {
    const shop = await open(payee);
    shop.failures = 1;
    const before = await available();
    const place = { offers: memoryTexts() };
    const second = await withKey(owner, `@${agent.account.handle}`);
    const payWith = (context: Context) => {
      const plain = clientBuyer(context, place, async () => expect.unreachable());
      const ofAgent = { ...plain, recordsOf: async () => agent.address };
      return payForResource(ofAgent, `${shop.url}/report`, { max: "0.05" });
    };
    const [failed, served] = [await payWith(buyer), await payWith(second)];
    expect([failed.response.status, served.response.status]).toEqual([500, 200]);
    expect([served.payment?.tx_hash, await available()]).toEqual([failed.payment?.tx_hash, before - 50_000n]);
  });

  test("identical requests at once share one payment, which a later one presents if the seller served none of them", async () => {
    const shop = await open(payee);
    shop.failures = 2;
    const before = await available();
    // Both look for an earlier payment before either has begun one.
    const offers = memoryTexts();
    let looks = 0;
    let resolve = () => {};
    const bothLooked = new Promise<void>((looked) => {
      resolve = looked;
    });
    const get: typeof offers.get = async (name) => {
      const text = await offers.get(name);
      if (++looks === 2) resolve();
      await bothLooked;
      return text;
    };
    const retrying = await clientOf(owner.walletKey, rpc(), { apiKey: buyer.apiKey, call: new Call({}) });
    const ask = () =>
      new X402Resource(retrying, { offers: { ...offers, get } }).pay(`${shop.url}/report`, { max: "0.05" });
    const both = await Promise.all([ask(), ask()]);
    expect(both.map(({ response }) => response.status)).toEqual([500, 500]);
    const third = await ask();
    expect([third.response.status, await available()]).toEqual([200, before - 50_000n]);
    expect(new Set([...both, third].map(({ payment }) => payment?.tx_hash)).size).toBe(1);
    // It was served, so the next one is paid.
    expect((await ask()).response.status).toBe(200);
    expect(await available()).toBe(before - 100_000n);
  });

  test("a payment that replaced another is the one that a later call presents", async () => {
    const shop = await open(payee);
    shop.failures = 2;
    const before = await available();
    const offers = memoryTexts();
    const ask = (again = false) =>
      new X402Resource(buyer, { offers }).pay(`${shop.url}/report`, { max: "0.05", again });
    const { payment: first } = await ask();
    const { payment: second } = await ask(true);
    expect(second?.tx_hash).not.toBe(first?.tx_hash);
    const { response, payment } = await ask();
    expect([response.status, payment?.tx_hash]).toEqual([200, second?.tx_hash]);
    expect(await available()).toBe(before - 100_000n);
  });

  test.each([-3_600, 30])("an offer that ends in %s seconds is not paid", async (validFor) => {
    const shop = await open(payee, { validFor });
    const before = await available();
    await expect(processOf().pay(`${shop.url}/report`, { max: "0.05" })).rejects.toMatchObject({
      code: "invalid_request",
      message: "The offer is over. Nothing was paid.",
    });
    expect([await available(), kept()]).toEqual([before, []]);
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
    const redirecting = await market.listen(
      createServer((request, response) => {
        if (request.headers["payment-signature"]) presented++;
        response.writeHead(307, { location: `${shop.url}/report` }).end();
      }),
    );
    const led = processOf().pay(`${redirecting}/report`, { max: "1" });
    await expect(led).rejects.toMatchObject({ code: "invalid_request", param: "url" });
    const plain = processOf().pay("http://192.0.2.1/report", { max: "1" });
    await expect(plain).rejects.toMatchObject({ code: "invalid_request", param: "url" });
    expect([await available(), presented]).toEqual([before, 0]);
  });
});

test("the stock client pays no offer that came over plain http from another machine", async () => {
  const shop = await open(payee);
  // Simulates a proxy in between: the client requests 192.0.2.1 and gets this shop's offer with that origin.
  const between = { offers: memoryTexts(), fetch: () => fetch(`${shop.url}/report`) };
  const scheme = await new X402Resource(buyer, between).buyer();
  const offer = offerOf(await scheme.fetch("http://192.0.2.1/report"));
  const theirs = { ...offer, extra: { ...offer.extra, resource: "http://192.0.2.1/report" } };
  await expect(scheme.createPaymentPayload(2, theirs)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("plain HTTP"),
  });
});

// Must run last because it removes blocks that the services have seen.
test("a payment waits for the blocks that its price wants, and one in a block that was reorganised is not taken", async () => {
  const dear = await open(payee, { patience: 0, finality: (price) => (price > 0.01 ? 1_000 : "latest") });
  const cheap = await open(payee, { patience: 0, finality: (price) => (price > 1 ? 1_000 : "latest") });
  const { paying, presented } = await purchaser();
  expect(await refusal(await paying(`${dear.url}/report`))).toBe("payment_not_final");
  const second = await purchaser();
  expect((await second.paying(`${cheap.url}/report`)).status).toBe(200);
  const chain = await buyer.chain();
  const { transaction } = JSON.parse(atob(second.presented[0] ?? "")).payload as { transaction: Hex };
  const { request } = chain.client as unknown as {
    request(call: { method: string; params: unknown[] }): Promise<unknown>;
  };
  // A worker would send the payment again.
  await market.withoutWorker(async () => {
    const { blockNumber } = await chain.client.getTransactionReceipt({ hash: transaction });
    const depth = Number((await chain.client.getBlockNumber({ cacheTime: 0 })) - blockNumber) + 1;
    // The chain mines empty blocks too: some more than the payment's.
    await request({ method: "anvil_reorg", params: [depth + 3, []] });
    expect(await refusal(await present(`${cheap.url}/report`, second.presented[0] ?? ""))).toBe("payment_not_found");
  });
  expect(presented).toHaveLength(1);
});
