import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { build } from "esbuild";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "@/scripts/stack/files";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { freePort } from "@/test/services/free-port";
import { clientOf, type Meddle } from "@/test/services/in-process-service";
import { clientFor, Market, present, receivedBy, refusal, rpc, withKey } from "@/test/x402/market";
import { NETWORK } from "@/test/x402/shop";
import { send } from "../payments/send";
import { memoryClaims } from "./claims";
import { earnings } from "./earnings";
import { fileClaims } from "./file-claims";
import { SellingScheme } from "./selling-scheme";
import { type FacilitatorNews, serveFacilitator } from "./serve-facilitator";

/* Sellers that use the published packages unmodified, with their own facilitator and as the guide shows. */

let market: Market;
let { owner, payee, other, open, available, purchaser } = {} as Market;

beforeAll(async () => {
  market = await Market.start();
  ({ owner, payee, other, open, available, purchaser } = market);
});
afterAll(async () => market?.stop());

test("the seller's own facilitator checks for a server that has no claims, and its log names no price", async () => {
  const folder = mkdtempSync(join(tmpdir(), "halcyon-claims-"));
  const changes: FacilitatorNews[] = [];
  const own = new SellingScheme(await clientFor(payee), { claims: fileClaims(folder), servings: 2, patience: 1 });
  const running = await serveFacilitator(own, { port: 0, host: "127.0.0.1" }, (one) => void changes.push(one));
  market.closing(() => running.close());
  const shop = await open(payee, { claims: undefined, facilitator: new HTTPFacilitatorClient({ url: running.url }) });
  const { paying, presented } = await purchaser();
  const before = await available();
  expect((await paying(`${shop.url}/report`)).status).toBe(200);
  expect((await present(`${shop.url}/report`, presented[0] ?? "")).status).toBe(200);
  expect(await refusal(await present(`${shop.url}/report`, presented[0] ?? ""))).toBe("payment_already_used");
  expect([await available(), shop.served]).toEqual([before - 50_000n, 2]);
  const long = JSON.stringify({ paymentPayload: { payload: { more: "x".repeat(300_000) } } });
  for (const body of ["", "{}", long, JSON.stringify({ paymentPayload: { payload: {} }, paymentRequirements: null })]) {
    expect((await fetch(`${running.url}/settle`, { method: "POST", body })).status).toBe(400);
  }
  // Paths and queries chosen by a caller aren't logged.
  expect((await fetch(`${running.url}/50000?amount=0.05`)).status).toBe(404);
  expect(changes.length).toBeGreaterThan(5);
  expect(JSON.stringify(changes)).not.toMatch(/50000|0\.05|amount|0x/);
});

/** The price below: in whole tokens, in units, and in hex. */
const PRICE_FORMS = /\b829173\b|\b0x0*ca6f5\b/i;

/** Joins the texts and everything base64-encoded in them. */
function decoded(texts: readonly string[]): string {
  const encoded = texts.flatMap((text) => text.match(/[A-Za-z0-9+/_-]{8,}={0,2}/g) ?? []);
  return [...texts, ...encoded.map((run) => Buffer.from(run, "base64").toString("latin1"))].join("\n");
}

/** Returns the payment in a payment header, without the seller's own offer that the header repeats. */
function presentedIn(headers: Headers): string {
  const { payload } = JSON.parse(atob(headers.get("payment-signature") ?? btoa("{}"))) as { payload?: unknown };
  return JSON.stringify(payload ?? null);
}

test.each([
  ["an agent's", "paid"],
  ["a wallet's", "client_signed"],
] as const)(
  "no header, response or log of buyer, seller, facilitator and service has the amount of %s payment",
  async (_, mode) => {
    const said: string[] = [];
    const headersOf = (headers: Headers, but: string) => JSON.stringify([...headers].filter(([name]) => name !== but));
    /** Records all requests and responses, except the body of a buyer's payment, which is the payment order itself. */
    const overheard =
      (isSeller: boolean): Meddle =>
      async (request, honest) => {
        said.push(request.url, headersOf(request.headers, ""));
        if (isSeller) said.push(await request.clone().text());
        const response = await honest();
        said.push(headersOf(response.headers, ""), await response.clone().text());
        return response;
      };
    const seller = await clientOf(payee.walletKey, rpc(), { meddle: overheard(true) });
    const folder = mkdtempSync(join(tmpdir(), "halcyon-claims-"));
    const own = new SellingScheme(seller, { claims: fileClaims(folder) });
    const running = await serveFacilitator(
      own,
      { port: 0, host: "127.0.0.1" },
      (one) => void said.push(JSON.stringify(one)),
    );
    market.closing(() => running.close());
    const shop = await open(payee, {
      price: "0.829173",
      context: seller,
      claims: undefined,
      facilitator: new HTTPFacilitatorClient({ url: running.url }),
      watch: (request, response) => {
        said.push(request.url, headersOf(request.headers, "payment-signature"), presentedIn(request.headers));
        // The seller's 402 may contain its own price.
        said.push(headersOf(response.headers, response.status === 402 ? "payment-required" : ""));
      },
    });
    const buyer = await clientOf(mode === "paid" ? owner.walletKey : other.walletKey, rpc(), {
      meddle: overheard(false),
      ...(mode === "paid" && { apiKey: market.buyer.apiKey }),
    });
    const { paying, presented } = await purchaser(buyer);
    expect((await paying(`${shop.url}/report`)).status).toBe(200);
    expect(JSON.parse(atob(presented[0] ?? "")).payload.mode).toBe(mode);
    expect((await present(`${shop.url}/report`, presented[0] ?? "")).status).toBe(200);
    const again = await present(`${shop.url}/other`, presented[0] ?? "");
    expect(again.status).toBe(402);
    expect((await receivedBy(payee))[0]?.amount).toBe("0.829173");
    // Proves that the search does find the price where it is allowed to be.
    expect(decoded([presented[0] ?? ""])).toMatch(PRICE_FORMS);
    expect(decoded([again.headers.get("payment-required") ?? ""])).toMatch(PRICE_FORMS);
    expect(said.length).toBeGreaterThan(20);
    expect(decoded(said)).not.toMatch(PRICE_FORMS);
  },
);

test("a policy that names the seller by its handle pays no other address", async () => {
  const named = await Agent.create(owner, { allowedRecipients: [`@${payee.account.handle}`] });
  await settled(named.operationId);
  await send(await clientFor(owner), { to: `@${named.agent.account.handle}`, amount: "1", clientSigned: true });
  const bounded = await withKey(owner, `@${named.agent.account.handle}`);
  const [right, wrong] = [await open(payee), await open(other)];
  const { paying } = await purchaser(bounded);
  expect((await paying(`${right.url}/report`)).status).toBe(200);
  await expect(paying(`${wrong.url}/report`)).rejects.toThrow(/policy|recipient/i);
  expect(wrong.served).toBe(0);
});

test("a seller's earnings are summed by resource, and a memo that names another one counts nowhere", async () => {
  const seller = await Owner.funded(46630, 1_000_000n);
  const shop = await open(seller);
  const { paying } = await purchaser();
  for (const path of ["/report?day=1", "/report?day=2", "/other"]) {
    expect((await paying(`${shop.url}${path}`)).status).toBe(200);
  }
  const received = await receivedBy(seller);
  // A memo that a buyer could write to deposited money its payment to another resource.
  const memo = received[0]?.memo?.replace("/other", "/report") ?? "";
  await send(market.buyer, { to: seller.address, amount: "0.05", memo });
  await send(market.buyer, { to: seller.address, amount: "0.25", memo: "thanks" });
  const today = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000), timeZone: "UTC" };
  await expect
    .poll(async () => earnings(await clientFor(seller), today))
    .toEqual({
      resources: [
        { method: "GET", resource: `${shop.url}/report`, asset: "USDG", payments: 2, amount: "0.1" },
        { method: "GET", resource: `${shop.url}/other`, asset: "USDG", payments: 1, amount: "0.05" },
      ],
      unconfirmed: 1,
    });
});

describe("the servers of the guide", () => {
  const guide = readFileSync("docs/guides/pay-over-http.md", "utf8");
  const folder = mkdtempSync(join(tmpdir(), "halcyon-guide-"));
  afterAll(() => removeFolder(folder));

  /** Loads a block of the guide as a module, with the packages it names. `./selling` is this seller. */
  async function load(heading: string, selling: unknown, port: number): Promise<Record<string, unknown>> {
    const [, block = ""] =
      new RegExp(`### ${heading}\\n[^#]*?\`\`\`ts norun: .*\\n([\\s\\S]*?)\`\`\``).exec(guide) ?? [];
    expect(block.split("\n").length).toBeLessThanOrEqual(20);
    const outfile = join(folder, `${heading}.cjs`);
    Object.assign(globalThis, { sellingOfGuide: selling });
    await build({
      stdin: { contents: block.replace("4000", String(port)), resolveDir: process.cwd(), loader: "ts" },
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

  test.each(["Hono", "Express", "Next"])("%s sells in at most twenty lines", async (heading) => {
    const scheme = new SellingScheme(await clientFor(payee), { claims: memoryClaims() });
    const accepts = {
      scheme: "confidential",
      network: NETWORK,
      payTo: payee.address,
      price: "$0.05",
      maxTimeoutSeconds: 60,
    };
    const port = await freePort();
    const { GET } = await load(heading, { selling: scheme, accepts }, port);
    if (GET) {
      // For requests to 127.0.0.1, Next reports the host as `localhost`.
      const serve = GET as (request: NextRequest) => Promise<Response>;
      const http = createServer(
        getRequestListener(({ url, method, headers }) => serve(new NextRequest(url, { method, headers }))),
      );
      await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
      market.closing(() => new Promise((resolve) => http.close(() => resolve())));
    }
    const { paying } = await purchaser();
    const before = await available();
    await expect
      .poll(() =>
        fetch(`http://localhost:${port}/report`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(402);
    const response = await paying(`http://localhost:${port}/report`);
    expect([response.status, await response.text()]).toEqual([200, "Your report"]);
    expect(await available()).toBe(before - 50_000n);
  });
});
