import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { keccak256, parseTransaction, recoverMessageAddress, recoverTransactionAddress, toHex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { parseEnv } from "@/lib/base/env";
import { EnvError } from "@/lib/base/env-secrets";
import { kmsEnv } from "@/lib/base/kms-env";
import { anchorAccount, setAnchorAccount } from "@/lib/chain/anchor-account";
import { ACCESS_KEY, type KmsDouble, startKms } from "@/test/services/kms-double";
import { secretOf } from "@/test/services/local-env";
import { callKms, KmsFailed } from "./aws-kms";
import { kmsAccount } from "./kms-account";
import { decryptSecretVariables } from "./open-secrets";

const KEY = "alias/halcyon-anchors";
let kms: KmsDouble;
beforeAll(async () => {
  kms = await startKms(KEY);
});
afterEach(() => {
  kms.before = () => {};
  kms.calls.length = 0;
  setAnchorAccount(undefined);
});
afterAll(() => kms?.stop());

const complete = {
  DATABASE_URL: "postgres://app:pw@127.0.0.1:5432/app",
  RELAYER_SEED: secretOf("RELAYER_SEED"),
  SECRETS_KEY: secretOf("SECRETS_KEY"),
  RPC_URL_46630: "http://127.0.0.1:8545",
  RPC_URL_4663: "https://rpc.example",
  LEDGER_ADDRESS_46630: `0x${"ab".repeat(20)}`,
  LEDGER_ADDRESS_4663: `0x${"cd".repeat(20)}`,
};

describe("an account of a KMS", () => {
  it("signs transactions that the chain takes: in the lower half, with the parity that recovers its address", async () => {
    const account = await kmsAccount(KEY, kmsEnv(kms.env));
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    for (let nonce = 0; nonce < 24; nonce++) {
      const call = { type: "eip1559", chainId: 46630, nonce, to: account.address, gas: 21_000n } as const;
      const raw = await account.signTransaction({ ...call, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n });
      expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(account.address);
      const { s } = parseTransaction(raw);
      expect(BigInt(s ?? 0) <= order / 2n).toBe(true);
    }
    expect(kms.calls.filter((action) => action === "Sign")).toHaveLength(24);
  });

  it("signs messages, and digests of any value", async () => {
    const account = await kmsAccount(KEY, kmsEnv(kms.env));
    const signature = await account.signMessage({ message: "x" });
    expect(await recoverMessageAddress({ message: "x", signature })).toBe(account.address);
    for (const text of ["", "a", "b"]) await account.sign?.({ hash: keccak256(toHex(text)) });
  });

  it("is none where the key is missing, of another curve, or the KMS away, and says which call failed", async () => {
    await expect(kmsAccount("alias/other", kmsEnv(kms.env))).rejects.toThrow("GetPublicKey (NotFoundException)");
    await expect(kmsAccount("of-another-curve", kmsEnv(kms.env))).rejects.toBeInstanceOf(KmsFailed);
    const wrongKey = { ...kms.env, AWS_SECRET_ACCESS_KEY: "another" };
    await expect(kmsAccount(KEY, kmsEnv(wrongKey))).rejects.toThrow("(InvalidSignatureException)");
    await expect(kmsAccount(KEY, kmsEnv({ ...kms.env, AWS_SESSION_TOKEN: undefined }))).rejects.toBeInstanceOf(
      KmsFailed,
    );
  });

  it("is asked for no encoding, and an encoded response is refused", async () => {
    const asked: unknown[] = [];
    const credentials = { AccessKeyId: ACCESS_KEY.id, SecretAccessKey: ACCESS_KEY.secret };
    let encodes = "/credentials";
    const server = createServer((request, response) => {
      asked.push(request.headers["accept-encoding"]);
      const body = JSON.stringify(request.url === "/credentials" ? credentials : {});
      if (request.url !== encodes) return response.end(body);
      return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(body));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const own = { accessKeyId: undefined, secretAccessKey: undefined, credentialsUri: `${url}/credentials` };
      const away = { ...kmsEnv(kms.env), ...own, url };
      await expect(callKms("GetPublicKey", {}, z.object({}), away)).rejects.toThrow("not asked for");
      encodes = "/";
      await expect(callKms("GetPublicKey", {}, z.object({}), away)).rejects.toBeInstanceOf(KmsFailed);
      expect(asked).toEqual(["identity", "identity", "identity"]);
    } finally {
      server.close();
    }
  });

  it("takes no signature of another key", async () => {
    const settings = kmsEnv(kms.env);
    const account = await kmsAccount(KEY, settings);
    const other = await startKms(KEY);
    try {
      settings.url = other.url;
      await expect(account.signMessage({ message: "x" })).rejects.toThrow("a signature of another key");
    } finally {
      other.stop();
    }
  });
});

describe("secrets that a KMS decrypts", () => {
  it("are read like those of the environment, and are in no variable", async () => {
    const { RELAYER_SEED, ...rest } = complete;
    const variables: Record<string, string> = {
      ...rest,
      ...kms.env,
      RELAYER_SEED_KMS: kms.encrypt("RELAYER_SEED", RELAYER_SEED),
    };
    expect(() => parseEnv(variables)).toThrow("RELAYER_SEED_KMS was not decrypted");
    await decryptSecretVariables(variables);
    expect(Buffer.from(parseEnv(variables).relayerSeed).toString("hex")).toBe(RELAYER_SEED);
    expect(JSON.stringify(variables)).not.toContain(RELAYER_SEED);
    expect(kms.calls).toEqual(["Decrypt"]);
    for (const twice of [{ RELAYER_SEED }, { RELAYER_SEED_FILE: "/x" }]) {
      expect(() => parseEnv({ ...variables, ...twice })).toThrow(/no two of them/);
    }
  });

  it("open for the variable that they were encrypted for alone", async () => {
    const ofAnother = {
      ...complete,
      ...kms.env,
      SERVER_PEPPER_KMS: kms.encrypt("RELAYER_SEED", complete.RELAYER_SEED),
    };
    await expect(decryptSecretVariables(ofAnother)).rejects.toThrow("SERVER_PEPPER_KMS can't be used");
    await expect(decryptSecretVariables(ofAnother)).rejects.toBeInstanceOf(EnvError);
  });

  it("are asked for again while the KMS is busy", async () => {
    let refusals = 1;
    kms.before = () => {
      if (refusals-- > 0) throw new Error("ThrottlingException");
    };
    const variables = { ...kms.env, SECRETS_KEY_KMS: kms.encrypt("SECRETS_KEY", complete.SECRETS_KEY) };
    await decryptSecretVariables(variables);
    expect(refusals).toBe(-1);
  });

  it("weak ones are refused as well, and nothing is asked where there are none", async () => {
    const { RELAYER_SEED: _, ...rest } = complete;
    const weak = { ...rest, ...kms.env, RELAYER_SEED_KMS: kms.encrypt("RELAYER_SEED", "00".repeat(32)) };
    await decryptSecretVariables(weak);
    expect(() => parseEnv(weak)).toThrow(/RELAYER_SEED is not random/);
    kms.calls.length = 0;
    await decryptSecretVariables(complete);
    expect(kms.calls).toEqual([]);
    await expect(decryptSecretVariables({ SECRETS_KEY_KMS: "AA==" })).rejects.toThrow("AWS_REGION");
  });

  it("keys come from the container where it has them", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "halcyon-kms-"));
    const token = path.join(folder, "token");
    writeFileSync(token, "of-the-pod\n");
    const given: (string | undefined)[] = [];
    const agent = createServer((request, response) => {
      given.push(request.headers.authorization);
      const keys = { AccessKeyId: ACCESS_KEY.id, SecretAccessKey: ACCESS_KEY.secret, Token: ACCESS_KEY.token };
      response.end(JSON.stringify(keys));
    }).listen(0, "127.0.0.1");
    await once(agent, "listening");
    try {
      const { AWS_REGION, AWS_KMS_URL } = kms.env;
      const uri = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/v1/credentials`;
      const own = {
        AWS_REGION,
        AWS_KMS_URL,
        AWS_CONTAINER_CREDENTIALS_FULL_URI: uri,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: token,
      };
      await decryptSecretVariables({ ...own, ANCHOR_KMS_KEY: KEY });
      expect(given).toEqual(["of-the-pod"]);
      expect(anchorAccount()?.address).toBe((await kmsAccount(KEY, kmsEnv(kms.env))).address);
    } finally {
      agent.close();
      rmSync(folder, { recursive: true });
    }
  });
});
