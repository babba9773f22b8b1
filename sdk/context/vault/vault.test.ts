import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { newAccountKey } from "@/lib/ledger/crypto/keys";
import { encryptAccountKey } from "@/lib/ledger/encrypted/account-key";
import { keyWallet } from "../../chain/key-wallet";
import { sendWith, type Wallet } from "../../chain/wallet";
import { decryptOwnAccountKey, signUnlock } from "./vault";

const key = generatePrivateKey();
const scope = { chainId: 46630, ledger: `0x${"11".repeat(20)}`, domainSalt: `0x${"22".repeat(32)}` } as const;

/** Wraps a wallet to count its signatures. */
function counting(inner: Wallet) {
  const wallet = {
    ...inner,
    signed: 0,
    signTypedData: (data: Parameters<Wallet["signTypedData"]>[0]) => {
      wallet.signed += 1;
      return inner.signTypedData(data);
    },
  };
  return wallet;
}

/** Simulates wallets that add randomness to each signature, so `r` differs each time. */
const moody = (): Wallet => ({
  ...keyWallet(key),
  signTypedData: () => keyWallet(generatePrivateKey()).signMessage({ message: "any" }),
});

async function encryptedFor(wallet: Wallet): Promise<{ accountKey: Uint8Array; encrypted: Hex }> {
  const accountKey = newAccountKey();
  return {
    accountKey,
    encrypted: toHex(
      encryptAccountKey(accountKey, scope, wallet.address, [{ signature: await signUnlock(wallet, scope) }]),
    ),
  };
}

test("an account key is encrypted under a signature made twice and decrypted with one", async () => {
  const wallet = counting(keyWallet(key));
  const { accountKey, encrypted } = await encryptedFor(wallet);
  expect(wallet.signed).toBe(2);
  await expect(decryptOwnAccountKey(wallet, scope, encrypted)).resolves.toEqual(accountKey);
  expect(wallet.signed).toBe(3);
});

test("a wallet that signs differently each time encrypts nothing, and is not taken for a wrong wallet", async () => {
  await expect(signUnlock(moody(), scope)).rejects.toThrow("differently each time");
  const { encrypted } = await encryptedFor(keyWallet(key));
  await expect(decryptOwnAccountKey(moody(), scope, encrypted)).rejects.toThrow("differently each time");
  await expect(decryptOwnAccountKey(keyWallet(generatePrivateKey()), scope, encrypted)).rejects.toThrow(
    DecryptionFailed,
  );
});

test("a contract of one signer, whose 65 bytes are the same each time, encrypts no account key under them", async () => {
  const signer = keyWallet(key);
  // Simulates a node that says the address has no code, for example before deployment.
  const safe: Wallet = { ...signer, address: "0x00000000000000000000000000000000000c0de5", isContract: false };
  await expect(signUnlock(safe, scope)).rejects.toMatchObject({ code: "invalid_request", param: "recoveryCode" });
});

test("viem's local accounts are wallets; they only sign", async () => {
  const wallet: Wallet = privateKeyToAccount(key);
  const { accountKey, encrypted } = await encryptedFor(wallet);
  await expect(decryptOwnAccountKey(keyWallet(key), scope, encrypted)).resolves.toEqual(accountKey);
  await expect(sendWith(wallet, { to: scope.ledger }, "http://127.0.0.1:1")).rejects.toThrow("sends no transactions");
});
