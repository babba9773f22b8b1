import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { BINARY } from "../binary";
import { expect, test } from "./fixtures";
import { example, shopOf } from "./sellers";

interface Result {
  outcome: string;
  price?: { amount: string; pay_to: string };
  policy?: { outcome: string };
  transaction_id?: string;
  status?: number;
  body?: string;
  tx_hash?: string;
  refund_request?: string;
}

test("a model sees a price, the seller and the policy's decision, and pays over stdio, once and at most max", async ({
  payer,
  person,
  baseURL,
}) => {
  const [owner, seller] = [await payer("owner", "60"), await person("seller")];
  const limits = ["--daily-limit", "40", "--per-transaction-limit", "20", "--threshold", "1"];
  await owner.json("agents", "create", "bot", ...limits, "--recipients", `@${seller.handle}`);
  await owner.json("send", "--to", `@${owner.handle}/bot`, "--amount", "20");
  const keys = ["keys", "create", "--label", "mcp", "--agent", "bot"];
  const { api_key: apiKey } = await owner.json<{ api_key: string }>(...keys);
  const urls = { HALCYON_URL: baseURL ?? "" };
  const selling = { ...urls, HALCYON_CONFIG_DIR: test.info().outputPath("seller"), HALCYON_VIEWING_KEY: "" };
  const shop = await example(["--pay-to", `@${seller.handle}`], {
    ...selling,
    HALCYON_WALLET_KEY: await seller.walletKey(),
  });
  const dear = await shopOf(seller, { price: "$1.5" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, "mcp"],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      ...urls,
      HALCYON_API_KEY: apiKey,
      HALCYON_CONFIG_DIR: test.info().outputPath("agent"),
    },
  });
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(transport);
  const call = async (args: Record<string, unknown>) =>
    (await client.callTool({ name: "pay_url", arguments: args }, { timeout: 120_000 })) as CallToolResult;
  const ok = async (args: Record<string, unknown>) => {
    const { isError, structuredContent, content } = await call(args);
    expect(isError, JSON.stringify(content)).toBeFalsy();
    return structuredContent as unknown as Result;
  };
  const received = async () =>
    (await (await seller.client()).transfers.listDecrypted()).transfers.map(({ amount }) => amount);
  try {
    // Without max, no request is sent.
    expect((await call({ url: shop.url })).isError).toBe(true);
    expect(await ok({ url: shop.url, max: "0.05" })).toMatchObject({
      outcome: "priced",
      price: { amount: "0.05", pay_to: seller.address },
      policy: { outcome: "allowed" },
    });
    const tooDear = await call({ url: shop.url, max: "0.049", confirm: true });
    expect([tooDear.isError, JSON.stringify(tooDear.content)]).toEqual([
      true,
      expect.stringContaining("more than max"),
    ]);
    expect(await received()).toEqual([]);
    const paid = await ok({ url: shop.url, max: "0.05", confirm: true });
    expect(paid).toMatchObject({ outcome: "paid", status: 200, body: "Your report" });
    expect(await received()).toEqual(["0.05"]);

    // Held for the owner. After the approval, repeating the call does not pay twice.
    const asked = { url: `${dear.url}/report`, max: "2", confirm: true };
    expect(await ok({ ...asked, confirm: false })).toMatchObject({ outcome: "priced", policy: { outcome: "held" } });
    const held = await ok(asked);
    expect(held).toMatchObject({ outcome: "held", transaction_id: expect.stringMatching(/^txn_/) });
    await owner.json("approve", held.transaction_id ?? "");
    // If the seller fails, the retry presents the same payment.
    dear.failures = 1;
    expect(await ok(asked)).toMatchObject({
      outcome: "paid",
      status: 500,
      refund_request: expect.stringMatching(/^hrr1_/),
    });
    expect(await ok(asked)).toMatchObject({ outcome: "paid", status: 200, body: "the report" });
    expect([await received(), dear.served]).toEqual([["1.5", "0.05"], 1]);
  } finally {
    await client.close();
    await Promise.all([shop.close(), dear.close()]);
  }
});
