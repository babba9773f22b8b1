import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StackError } from "./config";
import { loadSecrets, type Secrets, saveSecrets } from "./secrets";

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
  ["of the migrations before the present one", (former: Secrets) => ({ ...former, format: 3 })],
  ["of a later format", (later: Secrets) => ({ ...later, format: later.format + 1 })],
])("a folder of another version is refused, by one sentence that says what to do: %s", (_, other) => {
  const secrets = JSON.stringify(other(loadSecrets(data)));
  writeFileSync(path.join(data, "secrets.json"), secrets);
  expect(() => loadSecrets(data)).toThrow(
    new StackError(
      `${data} holds the accounts and money of another version of Halcyon, which this one cannot read: move or delete that folder, then start again.`,
    ),
  );
  expect(readFileSync(path.join(data, "secrets.json"), "utf8")).toBe(secrets);
});

test("a key that is being replaced is kept beside the new one", () => {
  const created = loadSecrets(data);
  saveSecrets(data, { ...created, secretsKey: "ab".repeat(32), secretsKeyPrevious: created.secretsKey });
  expect(loadSecrets(data).secretsKeyPrevious).toBe(created.secretsKey);
  expect(JSON.parse(readFileSync(path.join(data, "secrets.json"), "utf8")).relayerSeed).toBe(created.relayerSeed);
});
