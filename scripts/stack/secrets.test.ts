import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StackError } from "./config";
import { loadSecrets, moveAside, type Secrets, saveSecrets } from "./secrets";

let data: string;
beforeEach(() => {
  data = mkdtempSync("/tmp/halcyon-test-");
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test("an installation's secrets are made once", () => {
  const created = loadSecrets(data);
  expect(created.secretsKey).toMatch(/^[0-9a-f]{64}$/);
  expect(loadSecrets(data)).toEqual(created);
});

test.each([
  ["without a format", ({ format: _, ...earlier }: Secrets) => earlier],
  ["with other fields", ({ secretsKey }: Secrets) => ({ secretsKey })],
  ["of other migrations or another ledger", ({ format, ...of }: Secrets) => ({ ...of, format: `${format}0` })],
  ["of another format", ({ format, ...of }: Secrets) => ({ ...of, format: `1${format}` })],
])("a folder of another version is not read, and npm start moves all of it aside: %s", (_, other) => {
  const secrets = JSON.stringify(other(loadSecrets(data)));
  writeFileSync(path.join(data, "secrets.json"), secrets);
  expect(() => loadSecrets(data)).toThrow(
    new StackError(
      `${data} holds the accounts and money of another version of Halcyon, which this one cannot read: use that version, or npm start, which moves them aside.`,
    ),
  );
  expect(readFileSync(path.join(data, "secrets.json"), "utf8")).toBe(secrets);
  mkdirSync(path.join(data, "postgres/base"), { recursive: true });
  mkdirSync(path.join(data, "logs"));
  const aside = moveAside(data) ?? "";
  try {
    expect(readdirSync(aside).sort()).toEqual(["postgres", "secrets.json"]);
    expect(readFileSync(path.join(aside, "secrets.json"), "utf8")).toBe(secrets);
    expect(readdirSync(data)).toEqual(["logs"]);
    expect(moveAside(data)).toBeUndefined();
    expect(loadSecrets(data).secretsKey).not.toBe(JSON.parse(secrets).secretsKey);
    expect(moveAside(data)).toBeUndefined();
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
});

test("a key that is being replaced is kept beside the new one", () => {
  const created = loadSecrets(data);
  saveSecrets(data, { ...created, secretsKey: "ab".repeat(32), secretsKeyPrevious: created.secretsKey });
  expect(loadSecrets(data).secretsKeyPrevious).toBe(created.secretsKey);
  expect(JSON.parse(readFileSync(path.join(data, "secrets.json"), "utf8")).relayerSeed).toBe(created.relayerSeed);
});
