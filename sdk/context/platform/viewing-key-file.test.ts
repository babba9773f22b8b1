import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readViewingKeyFile, writeViewingKeyFile } from "./viewing-key-file";

const folder = mkdtempSync(join(tmpdir(), "halcyon-viewing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const KEY = `hcvk_test_${"1".repeat(126)}`;
const modeOf = (file: string) => statSync(file).mode & 0o777;

test("a viewing key is written where only its owner can read it, and read from nowhere else", async () => {
  const file = join(folder, "new", "shop.key");
  await writeViewingKeyFile(file, KEY);
  expect(modeOf(file)).toBe(0o600);
  expect(modeOf(join(folder, "new"))).toBe(0o700);
  expect(await readViewingKeyFile(file)).toBe(KEY);
  chmodSync(file, 0o640);
  await expect(readViewingKeyFile(file)).rejects.toMatchObject({ code: "invalid_request" });
});

test("an existing file is replaced only by force, and then as a whole: no one who could read it reads the key", async () => {
  const file = join(folder, "old.key");
  writeFileSync(file, "something else", { mode: 0o644 });
  await expect(writeViewingKeyFile(file, KEY)).rejects.toMatchObject({ code: "invalid_request" });
  expect(readFileSync(file, "utf8")).toBe("something else");
  await writeViewingKeyFile(file, KEY, true);
  expect(readFileSync(file, "utf8")).toBe(`${KEY}\n`);
  expect(modeOf(file)).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith("old.key"))).toEqual(["old.key"]);
});

test("a viewing key is never written to a device, a folder or through a link, not even by force", async () => {
  const target = join(folder, "target");
  const link = join(folder, "link");
  writeFileSync(target, "");
  symlinkSync(target, link);
  for (const path of [link, folder, "/dev/null"]) {
    await expect(writeViewingKeyFile(path, KEY, true)).rejects.toMatchObject({ code: "invalid_request" });
  }
  expect(readFileSync(target, "utf8")).toBe("");
});
