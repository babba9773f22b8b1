import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSecrets, saveSecrets } from "./secrets";

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

test("an installation older than webhooks gets the key it lacks, once, and keeps all others", () => {
  const { secretsKey: _, ...older } = loadSecrets(data);
  writeFileSync(path.join(data, "secrets.json"), JSON.stringify(older));
  const upgraded = loadSecrets(data);
  expect(upgraded).toEqual({ ...older, secretsKey: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(loadSecrets(data)).toEqual(upgraded);
});

test("a key that is being replaced is kept beside the new one", () => {
  const created = loadSecrets(data);
  saveSecrets(data, { ...created, secretsKey: "ab".repeat(32), secretsKeyPrevious: created.secretsKey });
  expect(loadSecrets(data).secretsKeyPrevious).toBe(created.secretsKey);
  expect(JSON.parse(readFileSync(path.join(data, "secrets.json"), "utf8")).relayerSeed).toBe(created.relayerSeed);
});
