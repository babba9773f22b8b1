import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesToBigInt, bytesToHex, type Hex, hexToBytes } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { Halcyon } from "@/sdk/client";
import { decryptOwnAccountKey, signUnlock } from "@/sdk/context/vault/vault";
import { localContext } from "@/sdk/local-context";
import { expect, test } from "./fixtures";

/** Returns the ways in which a request could write a secret. */
function spellings(secret: Uint8Array): string[] {
  const hex = bytesToHex(secret).slice(2);
  const reversed = bytesToHex(secret.toReversed()).slice(2);
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  const url = Buffer.from(secret).toString("base64url");
  return [hex, hex.toUpperCase(), reversed, base64, url, bytesToBigInt(secret).toString(), secret.join(",")];
}

const found = (haystack: string, secret: Uint8Array) => spellings(secret).some((text) => haystack.includes(text));

test("wallet key, account key, viewing key, account secret and unlock signature are in no request of a full run", async ({
  baseURL,
  network,
}) => {
  const configDir = await mkdtemp(join(tmpdir(), "halcyon-e2e-"));
  const sent: string[] = [];
  const recorded: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    sent.push([request.url, JSON.stringify([...request.headers]), body].join("\n"));
    return fetch(request);
  };
  // Where the SDK looks for a `fetch` in place of its own, for the service and the chain.
  const at = Symbol.for("halcyon.fetch");
  Object.assign(globalThis, { [at]: recorded });
  try {
    const walletKey = generatePrivateKey();
    const name = `secretive-${walletKey.slice(2, 12)}`;
    const owner = new Halcyon({ url: baseURL, walletKey, configDir });
    await owner.account.create({ handle: name });
    await owner.account.verifyIdentity();
    await owner.testHelpers.faucet({ amount: "20" });
    await owner.testHelpers.faucet({ amount: "0.1", asset: "ETH" });
    await owner.balances.makeAvailable({ amount: "10" });
    const { api_key, key_id } = await owner.keys.create({ label: "x" });
    const payer = new Halcyon({ url: baseURL, walletKey, apiKey: api_key, configDir });
    await payer.transfers.create({ to: "@demo", amount: "1", memo: "a" });
    await payer.transfers.create({ to: "@demo", amount: "1", memo: "b", clientSigned: true });
    await payer.balances.get({ prove: true });
    await owner.withdrawals.create({ to: `0x${"be".repeat(20)}`, amount: "1" });
    await owner.transfers.listDecrypted();
    await owner.recovery.run({ rpc: network.rpc_url, ledger: network.ledger, to: `0x${"be".repeat(20)}` });
    await owner.keys.revoke(key_id);

    const context = localContext({ url: baseURL, walletKey, configDir });
    const [vault, scope, account] = [await context.vault(), await context.scope(), await context.account()];
    const wallet = privateKeyToAccount(walletKey);
    const signature = hexToBytes(await signUnlock(wallet, scope));
    const secrets = {
      walletKey: hexToBytes(walletKey),
      accountKey: await decryptOwnAccountKey(wallet, scope, account.encrypted_account_key as Hex),
      viewingKey: vault.viewingKey.secret,
      accountSecret: vault.secret,
      paymentKey: hexToBytes(vault.paymentKey.privateKey),
      unlockR: signature.slice(0, 32),
      unlockS: signature.slice(32, 64),
    };
    const haystack = sent.join("\n");
    for (const [what, secret] of Object.entries(secrets)) expect(found(haystack, secret), what).toBe(false);
    // Proves that the search works: it finds a value that is meant to be sent, and each secret where it was planted.
    expect(found(haystack, vault.viewingKey.publicKey)).toBe(true);
    for (const secret of Object.values(secrets)) {
      for (const text of spellings(secret)) expect(found(`${haystack}"${text}"`, secret)).toBe(true);
    }
  } finally {
    Reflect.deleteProperty(globalThis, at);
    await rm(configDir, { recursive: true, force: true });
  }
});
