import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { x402Client } from "@x402/core/client";
import { wrapFetchWithPayment } from "@x402/fetch";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { memoryClaims } from "@/sdk/x402/claims";
import { expect, type Person, test } from "./fixtures";

const NETWORK = "eip155:46630";

/** A stock Hono server, with the stock middleware, that sells what it is sent in capitals. */
async function shopOf(seller: Person) {
  const selling = await (await seller.client()).x402.seller({ claims: memoryClaims() });
  const server = new x402ResourceServer(selling.facilitator).register(NETWORK, selling);
  const terms = { scheme: "confidential", network: NETWORK, payTo: seller.address, maxTimeoutSeconds: 60 } as const;
  const accepts = { ...terms, price: "$0.05" };
  const app = new Hono();
  app.use(paymentMiddleware({ "POST /shout": { accepts }, "GET /report": { accepts } }, server));
  app.get("/report", (c) => c.text("the report"));
  app.get("/free", (c) => c.text("for nothing"));
  app.post("/shout", async (c) => c.text(`${c.req.header("x-tone")}: ${(await c.req.text()).toUpperCase()}`));
  const http = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => http.close(resolve)) };
}

/** Runs the example; resolves to what it sells once it is open. */
async function example(args: string[], env: Record<string, string>): Promise<{ shop: ChildProcess; url: string }> {
  const all = ["examples/seller.mjs", "--port", "0", "--price", "0.05", ...args];
  const shop = spawn(process.execPath, all, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk;
      const [, sold] = /Selling (\S+)\n/.exec(said) ?? [];
      if (sold) resolve(sold);
    };
    shop.stdout.on("data", hear);
    shop.stderr.on("data", hear);
    shop.once("exit", (status) => reject(new Error(`the seller ended with ${status}: ${said}`)));
  });
  return { shop, url };
}

test("the example seller sells to halcyon pay and to the stock client with our scheme", async ({
  payer,
  person,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const [buyer, seller] = [await payer("buyer", "10"), await person("seller")];
  const owner = await seller.client();
  const { viewing_key: viewingKey } = await owner.viewingKeys.export();
  const urls = { HALCYON_URL: baseURL ?? "", HALCYON_CONFIG_DIR: test.info().outputPath("seller") };
  const received = async () => (await owner.transfers.listDecrypted()).transfers.map(({ amount }) => amount);
  const byWallet = await example(["--pay-to", `@${seller.handle}`], {
    ...urls,
    HALCYON_WALLET_KEY: await seller.walletKey(),
    HALCYON_VIEWING_KEY: "",
  });
  try {
    const paid = await buyer.json("pay", byWallet.url, "--max", "0.05");
    expect(paid).toMatchObject({ paid: true, status: 200, body: "Your report" });
    expect(await received()).toEqual(["0.05"]);
  } finally {
    byWallet.shop.kill();
  }
  const byViewingKey = await example(["--pay-to", seller.address], {
    ...urls,
    HALCYON_WALLET_KEY: "",
    HALCYON_VIEWING_KEY: viewingKey,
  });
  try {
    const scheme = await (await buyer.client()).x402.buyer();
    const stock = wrapFetchWithPayment(scheme.fetch, new x402Client().register(NETWORK, scheme));
    const response = await stock(byViewingKey.url);
    expect([response.status, await response.text()]).toEqual([200, "Your report"]);
    expect(await received()).toEqual(["0.05", "0.05"]);
  } finally {
    byViewingKey.shop.kill();
  }
});

test("halcyon pay shows a price, pays it once with any method and body, and no more than --max", async ({
  payer,
  person,
}) => {
  test.setTimeout(240_000);
  const [buyer, seller] = [await payer("buyer", "10"), await person("seller")];
  const shop = await shopOf(seller);
  const received = async () => (await (await seller.client()).transfers.listDecrypted()).transfers;
  try {
    const price = { paid: false, amount: "0.05", asset: "USDG", resource: `${shop.url}/report` };
    expect(await buyer.json("pay", `${shop.url}/report`)).toMatchObject(price);
    expect(await buyer.json("pay", `${shop.url}/report`, "--max", "1", "--dry-run")).toMatchObject(price);
    const dear = await buyer.error(["pay", `${shop.url}/report`, "--max", "0.04"]);
    expect(dear).toMatchObject({ code: "invalid_request", message: expect.stringContaining("more than max") });
    const plain = await buyer.error(["pay", "http://192.0.2.1/report", "--max", "1"]);
    expect(plain).toMatchObject({ code: "invalid_request", message: expect.stringContaining("https://") });
    expect(await buyer.json("pay", `${shop.url}/free`, "--max", "1")).toEqual({
      paid: false,
      status: 200,
      body: "for nothing",
    });
    expect(await received()).toEqual([]);

    const tone = ["--header", "x-tone: loud", "--data", "hello"];
    const paid = await buyer.json("pay", `${shop.url}/shout`, "--max", "0.05", ...tone);
    expect(paid).toMatchObject({ paid: true, amount: "0.05", status: 200, body: "loud: HELLO" });
    expect((await received()).map(({ amount, tx_hash: hash }) => [amount, hash])).toEqual([
      ["0.05", (paid as { tx_hash: string }).tx_hash],
    ]);
  } finally {
    await shop.close();
  }
});
