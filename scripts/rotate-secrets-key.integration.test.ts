import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import { env } from "@/lib/base/env";
import { decryptSecret, encryptSecret, newSecret } from "@/lib/events/webhooks/secrets";
import { startLocalDatabase } from "@/test/services/local-database";
import { type Endpoint, endpointRow, makeEndpoint } from "@/test/webhooks/endpoint";
import { program } from "./stack/program";

let database: { stop(): Promise<void> };

beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());

/** Runs the command as a separate process, in an environment with these keys. */
async function rotate(key: string, previous?: string): Promise<string> {
  const keys = { SECRETS_KEY: key, ...(previous ? { SECRETS_KEY_PREVIOUS: previous } : {}) };
  const args = [await program("scripts/rotate-secrets-key.ts")];
  return (await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...keys } })).stdout;
}

const open = async (endpoint: Endpoint, key: Uint8Array) => {
  const { secret, previousSecret } = await endpointRow(endpoint);
  return [secret, previousSecret].map((encrypted) => encrypted && decryptSecret(endpoint.id, encrypted, [key]));
};

test("npm run rotate-secrets-key encrypts every secret again: the new key opens all of them, the old one none", async () => {
  const before = env().secretsKey;
  const after = new Uint8Array(randomBytes(32));
  const hex = (key: Uint8Array) => Buffer.from(key).toString("hex");
  const plain = await makeEndpoint("https://hooks.example.com/");
  const rotating = await makeEndpoint("https://hooks.example.com/");
  const previous = newSecret();
  const previousSecret = encryptSecret(rotating.id, previous);
  await db().update(webhooks).set({ previousSecret }).where(eq(webhooks.id, rotating.id));
  // Before the two keys are exchanged there is nothing to encrypt, and the new key must not be removed.
  expect(await rotate(hex(before), hex(after))).toMatch(/0 webhooks .* If it is still the old one, exchange the two/);
  const already = await makeEndpoint("https://hooks.example.com/");
  const secret = encryptSecret(already.id, already.secret, [after]);
  await db().update(webhooks).set({ secret }).where(eq(webhooks.id, already.id));

  await expect(rotate(hex(after))).rejects.toThrow("Set SECRETS_KEY_PREVIOUS");

  expect(await rotate(hex(after), hex(before))).toMatch(/^The secrets of 2 webhooks/);
  expect(await open(plain, after)).toEqual([plain.secret, null]);
  expect(await open(rotating, after)).toEqual([rotating.secret, previous]);
  expect(await open(already, after)).toEqual([already.secret, null]);
  await expect(open(plain, before)).rejects.toThrow();
  expect(await rotate(hex(after), hex(before))).toMatch(/^The secrets of 0 webhooks/);
});

test("in each step of a rotation, what one process encrypts is opened by one that is a step behind or ahead", () => {
  const [before, after] = [0, 1].map(() => new Uint8Array(randomBytes(32))) as [Uint8Array, Uint8Array];
  // The key that encrypts, and the other one that is accepted (docs/guides/self-hosting.md).
  const steps: [Uint8Array, ...Uint8Array[]][] = [[before], [before, after], [after, before], [after]];
  const opens = steps.flatMap((by, at) =>
    [steps[at - 1], steps[at + 1]].flatMap((other) => {
      const secret = newSecret();
      return other ? [decryptSecret("wh_1", encryptSecret("wh_1", secret, by), other) === secret] : [];
    }),
  );
  // The last step comes once nothing is encrypted under the old key.
  expect(opens).toEqual(Array(6).fill(true));
});

test("an encrypted secret opens for its own endpoint only", async () => {
  const [one, other] = [
    await makeEndpoint("https://hooks.example.com/"),
    await makeEndpoint("https://hooks.example.com/"),
  ];
  const { secret } = await endpointRow(one);
  expect(decryptSecret(one.id, secret ?? "0x")).toBe(one.secret);
  expect(() => decryptSecret(other.id, secret ?? "0x")).toThrow();
  expect(Buffer.from((secret ?? "0x").slice(2), "hex").includes(one.secret)).toBe(false);
});
