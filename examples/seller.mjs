// Sells a report over HTTP 402: node examples/seller.mjs --port 4000 --pay-to @bob --price 0.05
// Reads from the environment: HALCYON_URL, and the wallet of --pay-to (HALCYON_WALLET_KEY) or its viewing key
// (HALCYON_VIEWING_KEY, with --pay-to 0x…). Outside this repository, replace the next lines by an import from
// "@halcyon/sdk".
import { parseArgs } from "node:util";
import { prepare } from "../scripts/install.mjs";

await prepare();
const { Halcyon } = await import("../sdk/client.ts");
const { memoryClaims } = await import("../sdk/x402/claims.ts");
const { serve } = await import("@hono/node-server");
const { paymentMiddleware, x402ResourceServer } = await import("@x402/hono");
const { Hono } = await import("hono");

const options = { port: { type: "string" }, "pay-to": { type: "string" }, price: { type: "string" } };
const { port = "4000", "pay-to": named = "", price = "0.05" } = parseArgs({ options }).values;
const { HALCYON_URL: url, HALCYON_WALLET_KEY: walletKey, HALCYON_VIEWING_KEY: viewingKey } = process.env;
const halcyon = new Halcyon({ url, walletKey, viewingKey });

async function addressOf(handle) {
  if (!walletKey) throw new Error("With a viewing key, give --pay-to the account's address: 0x…");
  const account = await halcyon.account.getByWallet();
  if (account.handle === handle) return account.public_key;
  throw new Error(`The wallet is of ${account.handle}, not of ${handle || "--pay-to"}.`);
}

const payTo = named.startsWith("0x") ? named : await addressOf(named);
// In memory, for the example only: a real shop keeps claims in its database (postgresClaims).
const selling = await halcyon.x402.seller({ claims: memoryClaims() });
const server = new x402ResourceServer(selling.facilitator).register("eip155:46630", selling);
const accepts = { scheme: "confidential", network: "eip155:46630", payTo, price, maxTimeoutSeconds: 60 };

const app = new Hono();
app.use(paymentMiddleware({ "GET /report": { accepts } }, server));
app.get("/report", (c) => c.text("Your report"));
serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" }, (at) => {
  console.log(`Selling http://127.0.0.1:${at.port}/report`);
});
