import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseEnv, requireWebSecrets } from "@/lib/base/env";
import { EnvError } from "@/lib/base/env-secrets";
import { secretOf } from "@/test/services/local-env";

const complete = {
  NODE_ENV: "production",
  DATABASE_URL: "postgres://app:pw@127.0.0.1:5432/app",
  RELAYER_SEED: secretOf("RELAYER_SEED"),
  SERVER_PEPPER: secretOf("SERVER_PEPPER"),
  SECRETS_KEY: secretOf("SECRETS_KEY"),
  NEXTAUTH_SECRET: secretOf("NEXTAUTH_SECRET"),
  RPC_URL_46630: "http://127.0.0.1:8545",
  RPC_URL_4663: "https://rpc.example",
  LEDGER_ADDRESS_46630: `0x${"ab".repeat(20)}`,
  LEDGER_ADDRESS_4663: `0x${"cd".repeat(20)}`,
  FAUCET_KEY: `0x${"33".repeat(32)}`,
};

describe("the environment", () => {
  it("waits for `safe` on the public test chain and for `finalized` on the public live chain", () => {
    const { chains } = parseEnv(complete);
    expect([chains.test.finality, chains.live.finality]).toEqual(["safe", "finalized"]);
  });

  it("takes one block as final on local chains only", () => {
    const { chains } = parseEnv({ ...complete, HALCYON_LOCAL_CHAINS: "46630" });
    expect([chains.test.finality, chains.live.finality]).toEqual(["latest", "finalized"]);
    expect([chains.test.local, chains.live.local]).toEqual([true, false]);
  });

  it("lets FINALITY_<chain> decide", () => {
    expect(parseEnv({ ...complete, FINALITY_4663: "safe" }).chains.live.finality).toBe("safe");
  });

  it("has no faucet without a local chain", () => {
    expect(parseEnv(complete).faucetKey).toBeUndefined();
    expect(parseEnv({ ...complete, HALCYON_LOCAL_CHAINS: "46630,4663" }).faucetKey).toBe(complete.FAUCET_KEY);
  });

  it("refuses a local chain without the key that pays its fees", () => {
    const without = { ...complete, HALCYON_LOCAL_CHAINS: "46630", FAUCET_KEY: undefined };
    expect(() => parseEnv(without)).toThrow(/FAUCET_KEY is not set/);
  });

  it("asks a web process alone for the pepper and next-auth's secret", () => {
    const worker = parseEnv({ ...complete, SERVER_PEPPER: "", NEXTAUTH_SECRET: undefined });
    expect(() => worker.serverPepper).toThrow(/SERVER_PEPPER is not set/);
    expect(() => requireWebSecrets(worker)).toThrow(EnvError);
    requireWebSecrets(parseEnv(complete));
  });

  it("takes a secret from the file that <name>_FILE names, and shows neither when it cannot", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "halcyon-env-"));
    try {
      const file = path.join(folder, "seed");
      const seed = secretOf("mounted");
      writeFileSync(file, `${seed}\n`);
      const mounted = { ...complete, RELAYER_SEED: undefined, RELAYER_SEED_FILE: file };
      expect(parseEnv(mounted).relayerSeed).toEqual(Uint8Array.from(Buffer.from(seed, "hex")));
      expect(() => parseEnv({ ...complete, RELAYER_SEED_FILE: file })).toThrow(/RELAYER_SEED, RELAYER_SEED_FILE or/);
      expect(() => parseEnv({ ...mounted, RELAYER_SEED_FILE: `${file}x` })).toThrow(/RELAYER_SEED_FILE names a file/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ["RELAYER_SEED", "00".repeat(32)],
    ["SERVER_PEPPER", "deadbeef".repeat(8)],
    ["SERVER_PEPPER_PREVIOUS", secretOf("SERVER_PEPPER")],
    ["SECRETS_KEY", `0x${"0123456789abcdef".repeat(4)}`],
    ["SECRETS_KEY", secretOf("RELAYER_SEED").toUpperCase()],
    ["NEXTAUTH_SECRET", "x".repeat(43)],
    ["NEXTAUTH_SECRET", "change-me-to-something-of-your-own-2026"],
    ["NEXTAUTH_SECRET_PREVIOUS", secretOf("SERVER_PEPPER")],
  ])("refuses a %s that can be guessed or is used twice, and does not show it", (name, value) => {
    const weak = { ...complete, [name]: value };
    expect(() => parseEnv(weak)).toThrow(new RegExp(`can be guessed:\\n  ${name} is `));
    expect(() => parseEnv(weak)).not.toThrow(new RegExp(value, "i"));
    // A local stack has both chains.
    expect(() => parseEnv({ ...weak, HALCYON_LOCAL_CHAINS: "46630" })).toThrow(EnvError);
    expect(parseEnv({ ...weak, HALCYON_LOCAL_CHAINS: "46630,4663" }).port).toBe(3000);
  });

  it("takes the secrets that openssl makes, in hex and in base64", () => {
    for (let n = 0; n < 500; n++) {
      // Derived, so that every run tests the same secrets: with random ones, about one in a million contains an
      // example's word.
      const [seed, secret] = [secretOf(`seed ${n}`), Buffer.from(secretOf(`secret ${n}`), "hex").toString("base64")];
      parseEnv({ ...complete, RELAYER_SEED: seed, NEXTAUTH_SECRET: secret });
    }
  });

  describe("of email", () => {
    const mail = { SMTP_URL: "smtps://user:p%40ss@smtp.example.com", MAIL_FROM: "Halcyon <notifications@example.com>" };
    const mailOf = (change: Record<string, string | undefined>) => parseEnv({ ...complete, ...mail, ...change }).mail;

    it("goes out encrypted, with the name and password of its address", () => {
      const from = mail.MAIL_FROM;
      const login = { user: "user", password: "p@ss" };
      expect(mailOf({})).toMatchObject({ ...login, from, port: 465, implicitTls: true, plain: false });
      const upgraded = mailOf({ SMTP_URL: "smtp://smtp.example.com", OPERATOR_EMAIL: "ops@example.com" });
      expect(upgraded).toMatchObject({ port: 587, implicitTls: false, plain: false, operator: "ops@example.com" });
      expect(mailOf({ SMTP_URL: "smtp://smtp.example.com:2525/" })).toMatchObject({ port: 2525 });
      expect(parseEnv(complete).mail).toBeUndefined();
    });

    it("goes out in plain text to this machine alone, and only beside a local chain", () => {
      const isPlain = (host: string, chains: string) =>
        mailOf({ SMTP_URL: `smtp://${host}:1025`, HALCYON_LOCAL_CHAINS: chains })?.plain;
      expect(isPlain("127.0.0.1", "46630")).toBe(true);
      expect(isPlain("127.0.0.1", "")).toBe(false);
      expect(isPlain("localhost.example.com", "46630")).toBe(false);
      expect(isPlain("smtp.example.com", "46630,4663")).toBe(false);
    });

    it.each([
      [{ SMTP_URL: "http://smtp.example.com" }, /SMTP_URL must be an address such as smtps:/],
      [{ SMTP_URL: "smtps://smtp.example.com?tls.rejectUnauthorized=false" }, /names a server and nothing else/],
      [{ SMTP_URL: "smtps://smtp.example.com/pool" }, /names a server and nothing else/],
      [{ SMTP_URL: "smtps://smtp.example.com#x" }, /names a server and nothing else/],
      [{ MAIL_FROM: undefined }, /MAIL_FROM must be too/],
      [{ MAIL_FROM: "Halcyon" }, /MAIL_FROM must hold an email address/],
      [{ MAIL_FROM: "a@example.com\r\nBcc: b@example.com" }, /MAIL_FROM must be an email address/],
      [{ OPERATOR_EMAIL: "ops" }, /OPERATOR_EMAIL must hold an email address/],
      [{ SMTP_URL: undefined, OPERATOR_EMAIL: "ops@example.com" }, /SMTP_URL must be too/],
      [{ VAPID_PRIVATE_KEY: "short" }, /VAPID_PRIVATE_KEY must be a P-256 private key/],
    ])("refuses %o and shows no password", (change, why) => {
      expect(() => mailOf(change)).toThrow(EnvError);
      expect(() => mailOf(change)).toThrow(why);
      expect(() => mailOf(change)).not.toThrow(/p(%40|@)ss/);
    });
  });

  it.each(["DATABASE_REPLICA_URL", "PROVER_TLS_KEY_FILE", "PROVER_SIGNING_KEY_KMS"])(
    "refuses %s, which names what has left, and says to remove it",
    (name) => {
      expect(() => parseEnv({ ...complete, [name]: "x" })).toThrow(`Remove ${name}:`);
      expect(parseEnv({ ...complete, [name]: "", PROVER_WORKERS: "2" }).proverWorkers).toBe(2);
    },
  );

  it("names every missing or malformed variable and shows no value", () => {
    const broken = { ...complete, DATABASE_URL: undefined, RELAYER_SEED: "sesame", HALCYON_LOCAL_CHAINS: "1" };
    expect(() => parseEnv(broken)).toThrow(EnvError);
    expect(() => parseEnv(broken)).toThrow(/DATABASE_URL is not set/);
    expect(() => parseEnv(broken)).toThrow(/RELAYER_SEED must be 32 bytes/);
    expect(() => parseEnv(broken)).toThrow(/HALCYON_LOCAL_CHAINS lists chain ids/);
    expect(() => parseEnv(broken)).not.toThrow(/sesame/);
  });
});
