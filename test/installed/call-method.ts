/*
 * Calls one method of the installed package: node call-method.mjs METHOD. It runs beside the package, and reads from the
 * environment whose keys it uses (`methods.test.ts`).
 */
import { randomBytes } from "node:crypto";
import { METHOD_CASES, type MethodWorld } from "./methods";

const { Halcyon, memoryClaims } = (await import("@halcyon/sdk" as string)) as typeof import("@/sdk/package/node");
const { url, keys, ...given } = JSON.parse(process.env.HALCYON_TEST_WORLD ?? "") as Pick<
  MethodWorld,
  "to" | "shop" | "brokenShop" | "chain"
> & { url: string; keys: Record<"alice" | "bob" | "bot", { walletKey?: `0x${string}`; apiKey: string }> };
const clientOf = (who: keyof typeof keys) => new Halcyon({ url, ...keys[who] });
const name = () => `m${randomBytes(8).toString("hex")}`;

const world: MethodWorld = {
  ...given,
  alice: clientOf("alice"),
  bob: clientOf("bob"),
  bot: clientOf("bot"),
  memoryClaims,
  name,
  async newcomer({ gas } = {}) {
    const walletKey = `0x${randomBytes(32).toString("hex")}` as const;
    const wallet = new Halcyon({ url, walletKey });
    await wallet.account.create({ handle: name() });
    await wallet.testHelpers.faucet({ amount: "5" });
    if (gas) await wallet.testHelpers.faucet({ asset: "ETH", amount: "0.01" });
    await wallet.balances.makeAvailable();
    const { api_key: apiKey } = await wallet.keys.create({ label: "installed" });
    return { client: new Halcyon({ url, walletKey, apiKey }), wallet };
  },
  async get(path) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${keys.alice.apiKey}` } });
    return response.json();
  },
};

await METHOD_CASES[process.argv[2] ?? ""]?.(world);
console.log("done");
process.exit(0);
