import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { FIRST_CURSOR } from "@/sdk/api/webhooks/first-cursor";
import { Halcyon } from "@/sdk/client";
import { installPackage } from "@/test/sdk/install-package";
import { freePort } from "@/test/services/free-port";
import { newAccount, productURL } from "../account";
import { settled } from "../api/fixtures";
import { packedSdk } from "../packed-sdk";
import { expect, test } from "./fixtures";

const ROOT = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), "halcyon-shop-"));
const data = path.join(folder, "data");
const source = readFileSync(path.join(ROOT, "examples/shop-server/server.ts"), "utf8");

test.beforeAll(async () => {
  await installPackage(await packedSdk(), folder);
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the shop and waits until it is open. */
async function open(env: Record<string, string>): Promise<ChildProcess> {
  const shop = spawn(process.execPath, ["server.mjs"], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env } as never,
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk;
      if (said.includes("The shop is open.")) resolve();
    };
    shop.stdout?.on("data", hear);
    shop.stderr?.on("data", hear);
    shop.once("exit", (status) => reject(new Error(`the shop ended with ${status}: ${said}`)));
  });
  return shop;
}

/** Kills the shop, as a crash would. */
async function crash(shop: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => shop.once("exit", resolve));
  shop.kill("SIGKILL");
  await gone;
}

interface Book {
  orders: Record<string, { payments: { transfer_id: string; amount: string }[]; shipped: boolean }>;
  leftovers: { transfer_id: string; amount: string; asset: string; reason: string }[];
  cursor: string | null;
}
const book = (): Book => JSON.parse(readFileSync(path.join(data, "orders.json"), "utf8"));
const shipped = () => readdirSync(path.join(data, "shipments")).sort();

test("the shop of the guide ships each order once: for its amount and asset, late, repeated, and over a crash", async ({
  alice,
}) => {
  const name = `shop-${Date.now().toString(36)}`;
  const owner = await newAccount(name);
  await alice.client.testHelpers.faucet({ amount: "10", asset: "ETH" });
  await alice.client.balances.makeAvailable({ asset: "ETH" });

  // Runs the guide's commands with the installed command line.
  const cli = async (...args: string[]) => {
    const env = {
      ...process.env,
      HALCYON_URL: productURL,
      HALCYON_WALLET_KEY: owner.walletKey,
      HALCYON_API_KEY: owner.apiKey,
      HALCYON_CONFIG_DIR: folder,
    };
    return (await run("npx", ["--no", "--", "halcyon", ...args], { cwd: folder, env })).stdout.trim();
  };
  const warning = await cli("viewing-key", "export", "--out", "shop.hcvk");
  expect(warning).toContain("no one can revoke it");
  const viewingKey = readFileSync(path.join(folder, "shop.hcvk"), "utf8").trim();
  expect(warning).not.toContain(viewingKey);
  const port = await freePort();
  const endpoint = `http://localhost:${port}/webhooks/halcyon`;
  const secret = await cli("webhooks", "create", endpoint, "--events", "transfer.confirmed", "--field", "secret");
  const apiKey = await cli("keys", "create", "--label", "shop", "--scope", "read-only", "--field", "api_key");

  writeFileSync(path.join(folder, "server.mjs"), transformSync(source, { loader: "ts" }).code);
  mkdirSync(data);
  const order = (amount: string) => ({ amount, asset: "USDG", payments: [], shipped: false });
  const orders = { 1042: order("25"), 1043: order("10.5"), 1044: order("5") };
  writeFileSync(path.join(data, "orders.json"), JSON.stringify({ orders, leftovers: [], cursor: null }));
  const { rpc_url: rpcUrl } = await (await fetch(`${productURL}/api/network?network=test`)).json();
  const env = {
    HALCYON_URL: productURL,
    HALCYON_API_KEY: apiKey,
    HALCYON_VIEWING_KEY: viewingKey,
    HALCYON_WEBHOOK_SECRET: secret,
    HALCYON_RPC_URL: rpcUrl,
    HALCYON_CONFIG_DIR: folder,
    PORT: String(port),
  };
  const pay = async (amount: string, memo: string, asset = "USDG"): Promise<string> => {
    const { json } = await alice.call("POST", "/v1/transfers", { to: owner.handle, amount, memo, asset });
    expect(await settled(alice, String(json.transfer_id))).toMatchObject({ status: "confirmed" });
    return String(json.transfer_id);
  };

  let shop = await open(env);
  try {
    const exact = await pay("25", "order 1042");
    await expect.poll(shipped).toEqual(["1042.json"]);
    await pay("10", "Order 1043");
    await pay("5", "order 1044", "ETH");
    const stray = await pay("5", "hello");
    const again = await pay("25", "order 1042");
    await expect.poll(() => book().leftovers.length).toBe(3);
    expect(book().leftovers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ asset: "ETH", reason: "another asset" }),
        expect.objectContaining({ transfer_id: stray, reason: "no such order" }),
        expect.objectContaining({ transfer_id: again, reason: "paid already" }),
      ]),
    );
    await expect.poll(() => book().orders[1043]?.payments.length).toBe(1);
    expect(shipped()).toEqual(["1042.json"]);
    await pay("0.5", "order 1043");
    await expect.poll(shipped).toEqual(["1042.json", "1043.json"]);

    // Deliver one event again, and a forged one.
    const { webhooks } = new Halcyon({ url: productURL, apiKey: owner.apiKey, configDir: folder });
    const list = await webhooks.list();
    const webhookId = list.webhooks[0]?.webhook_id ?? "";
    const keyed = async (path: string) =>
      (await fetch(`${productURL}${path}`, { headers: { authorization: `Bearer ${owner.apiKey}` } })).json();
    const { events } = await keyed("/v1/events?type=transfer.confirmed&limit=100");
    const event = events.find(({ transfer_id }: { transfer_id: string }) => transfer_id === exact);
    await webhooks.replay(webhookId, event.event_id);
    await expect
      .poll(async () => {
        const { deliveries } = await keyed(`/v1/webhooks/${webhookId}/deliveries?event_id=${event.event_id}`);
        return deliveries.map(({ status }: { status: string }) => status);
      })
      .toEqual(["succeeded", "succeeded"]);
    const forged = await fetch(endpoint, { method: "POST", body: JSON.stringify({ ...event, event_id: "evt_x" }) });
    expect(forged.status).toBe(400);
    expect(book().orders[1042]?.payments).toEqual([{ transfer_id: exact, amount: "25" }]);

    // A payment while the shop is down after a crash.
    await crash(shop);
    const missed = await pay("5", "order 1044");
    // The stream shows an event once no older change is in progress, which on a busy service is seconds after the
    // payment.
    const stream = `/v1/events?type=transfer.confirmed&limit=100&after=${book().cursor ?? FIRST_CURSOR}`;
    await expect.poll(async () => JSON.stringify(await keyed(stream))).toContain(missed);
    shop = await open(env);
    expect(shipped()).toEqual(["1042.json", "1043.json", "1044.json"]);
    expect(book().orders[1044]).toMatchObject({ payments: [{ transfer_id: missed, amount: "5" }], shipped: true });

    // A key that can pay is refused at the start.
    const wide = run(process.execPath, ["server.mjs"], {
      cwd: folder,
      env: { ...env, HALCYON_API_KEY: owner.apiKey } as never,
    });
    await expect(wide).rejects.toThrow(/should only read/);
    // The command line reads with the same two credentials.
    const listed = await run(
      "npx",
      ["--no", "--", "halcyon", "transfers", "--viewing-key-file", "shop.hcvk", "--json"],
      {
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? "",
          HALCYON_URL: productURL,
          HALCYON_API_KEY: apiKey,
          HALCYON_CONFIG_DIR: folder,
        } as never,
      },
    );
    expect(JSON.parse(listed.stdout).transfers[0]).toMatchObject({ amount: "5", memo: "order 1044" });
    expect(existsSync(path.join(folder, "wallet.key"))).toBe(false);
  } finally {
    await crash(shop);
  }
});
