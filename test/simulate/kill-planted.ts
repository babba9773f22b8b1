/*
 * People who pay while the worker is killed, and then the tests of the installed package of one method that proves.
 * Prints what is found to be wrong: with PLANTED_CODE in the product's code, each of its faults.
 */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkLoad } from "@/scripts/kill/check-load";
import { Load } from "@/scripts/kill/load";
import { KillableProduct } from "@/scripts/kill/product";
import { seeLoad } from "@/scripts/kill/see-load";
import { ROOT } from "@/scripts/stack/config";
import { removeFolder } from "@/scripts/stack/files";
import { installPackage, packSdk } from "../sdk/install-package";

/** Enough that some of their deliveries are refused at first. */
const PAYMENTS = 25;
/** Longer than until a refused delivery is tried again. */
const PATIENCE_MS = 20_000;
const METHOD = "transfers.create of the installed package";

const say = (line: string) => console.error(line);
const folder = mkdtempSync(path.join(tmpdir(), "halcyon-planted-"));
const product = await KillableProduct.start({ data: ".halcyon-kill", say });
let load: Load | undefined;
try {
  load = await Load.start(product.url, path.join(product.data, "clients"), say);
  await load.progress(PAYMENTS);
  await product.kill("worker");
  await product.whole();
  await load.stop();
  for (const line of checkLoad(await seeLoad(load, PATIENCE_MS))) console.log(line);
  await asInstalled();
} finally {
  await load?.end();
  await product.stop();
  removeFolder(folder);
}
process.exit(0);

async function asInstalled(): Promise<void> {
  const packed = path.join(folder, "packed");
  await packSdk(packed);
  const env = {
    ...process.env,
    HALCYON_TEST_BINARY: await installPackage(packed, folder),
    HALCYON_TEST_FOLDER: folder,
    HALCYON_URL: product.url,
    RPC_URL_46630: `http://127.0.0.1:${product.env.HALCYON_RPC_PORT_46630}`,
  };
  const tests = ["--project", "installed", "test/installed/methods.test.ts", "-t", METHOD];
  const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...tests], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  await new Promise((resolve) => child.once("close", resolve));
}
