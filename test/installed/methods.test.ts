import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shopOf } from "@/e2e/cli/sellers";
import { METHOD_CASES } from "./methods";
import { placeFromEnvironment, World } from "./world";

const TWICE = ["gets its circuits", "has them"];
const place = placeFromEnvironment();
/** Beside the installed package, so that it finds it as a customer's program would. */
const program = path.join(place.folder, "call-method.mjs");
let world: World;
let variables: { HALCYON_TEST_WORLD: string };
const shops: Awaited<ReturnType<typeof shopOf>>[] = [];

beforeAll(async () => {
  await build({
    entryPoints: [path.join(import.meta.dirname, "call-method.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@halcyon/sdk"],
    logLevel: "error",
  });
  world = await World.create(place);
  const { alice, bob, bot } = world;
  const seller = { address: bob.address, client: async () => bob.client };
  for (const _ of TWICE) shops.push(await shopOf(seller));
  const [shop, brokenShop] = shops;
  if (!shop || !brokenShop) throw new Error("no shop");
  brokenShop.failures = 1_000;
  variables = {
    HALCYON_TEST_WORLD: JSON.stringify({
      url: place.url,
      keys: Object.fromEntries(
        Object.entries({ alice, bob, bot }).map(([name, { walletKey, apiKey }]) => [name, { walletKey, apiKey }]),
      ),
      to: { alice: alice.handle, bob: bob.handle, bot: bot.handle },
      shop: shop.url,
      brokenShop: brokenShop.url,
      chain: { rpc: world.rpc, ledger: world.ledger },
    }),
  };
});
afterAll(() => Promise.all(shops.map((shop) => shop.close())));

test.each(Object.keys(METHOD_CASES))("%s of the installed package works, in each of two processes", async (name) => {
  for (const which of TWICE) {
    const { status, out, err } = await world.run(process.execPath, [program, name], variables);
    expect({ status, out }, `${name} of a process that ${which}: ${err}`).toEqual({ status: 0, out: "done\n" });
  }
});
