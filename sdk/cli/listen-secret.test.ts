import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { listenSecret } from "./listen-secret";

const folder = join(mkdtempSync(join(tmpdir(), "halcyon-listen-")), "listen");
afterAll(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

it("an account's secret is the same every time, also for listeners that begin at once, and another's is another", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => listenSecret("acct_1", folder)));
  expect(new Set([...all, await listenSecret("acct_1", folder)])).toEqual(new Set([all[0]]));
  expect(all[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await listenSecret("acct_2", folder)).not.toBe(all[0]);
  expect(readdirSync(folder).sort()).toEqual(["acct_1.secret", "acct_2.secret"]);
});

it("no one else can read the secret, and one that others could read is refused", async () => {
  await listenSecret("acct_3", folder);
  const file = join(folder, "acct_3.secret");
  expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  chmodSync(file, 0o644);
  await expect(listenSecret("acct_3", folder)).rejects.toMatchObject({ code: "invalid_request" });
});

it("an id never leads out of the folder, and a file without a secret is refused", async () => {
  await listenSecret("../acct_4", folder);
  expect(readdirSync(folder)).toContain("acct_4.secret");
  writeFileSync(join(folder, "acct_5.secret"), "whsec_x\n", { mode: 0o600 });
  await expect(listenSecret("acct_5", folder)).rejects.toMatchObject({ code: "invalid_request" });
});
