import { x402Client } from "@x402/core/client";
import { wrapFetchWithPayment } from "@x402/fetch";
import { expect, test } from "./fixtures";
import { example, facilitator, facilitatorAt, NETWORK, shopOf } from "./sellers";

test("the example seller sells to halcyon pay and to the stock client with our scheme", async ({
  payer,
  person,
  baseURL,
}) => {
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
    await byWallet.close();
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
    await byViewingKey.close();
  }
});

test("halcyon pay shows a price, pays it once with any method and body, and no more than --max", async ({
  payer,
  person,
}) => {
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

test("two facilitators of a seller serve a payment as often as one would, and their logs name no price", async ({
  payer,
  person,
  baseURL,
}) => {
  const [buyer, seller] = [await payer("buyer", "10"), await person("seller")];
  const env = {
    HALCYON_URL: baseURL ?? "",
    HALCYON_CONFIG_DIR: test.info().outputPath("seller"),
    HALCYON_WALLET_KEY: await seller.walletKey(),
  };
  const claims = ["--claims", test.info().outputPath("claims")];
  const both = await Promise.all([facilitator(claims, env), facilitator(claims, env)]);
  const [one, two] = both.map(({ url }) => facilitatorAt(url));
  const first = await shopOf(seller, { facilitator: one });
  const second = await shopOf(seller, { facilitator: two, origin: first.url });
  try {
    const scheme = await (await buyer.client()).x402.buyer();
    const headers: string[] = [];
    const recorded: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      const header = request.headers.get("payment-signature");
      if (header) headers.push(header);
      return scheme.fetch(request);
    };
    const stock = wrapFetchWithPayment(recorded, new x402Client().register(NETWORK, scheme));
    expect((await stock(`${first.url}/report`)).status).toBe(200);
    const again = (shop: { url: string }) =>
      fetch(`${shop.url}/report`, { headers: { "payment-signature": headers[0] ?? "" } });
    // It was served once. The two servers together serve it four more times.
    const responses = await Promise.all(Array.from({ length: 10 }, (_, i) => again(i % 2 ? first : second)));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(4).fill(200), ...Array(6).fill(402)]);
    expect((await (await seller.client()).transfers.listDecrypted()).transfers).toHaveLength(1);
    const logs = both.map(({ said }) => said()).join("");
    expect(logs).toContain("/settle 200");
    expect(logs).toContain("/verify 200 payment_already_used");
    expect(logs).not.toMatch(/50000|0\.05|amount/);
  } finally {
    await Promise.all([...both, first, second].map((each) => each.close()));
  }
  expect(await seller.processError(["facilitator", "--port", "70000"])).toMatchObject({ code: "invalid_request" });
});
