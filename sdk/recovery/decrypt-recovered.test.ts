import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { newRecoveryCode } from "@/lib/ledger/crypto/recovery-code";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import { encryptBackup } from "@/lib/ledger/encrypted/account-key-backup";
import type { Chain } from "../chain/chain";
import { vaultOf } from "../context/vault/vault";
import { decryptRecovered } from "./decrypt-recovered";

const SCOPE: Scope = { chainId: 46630, ledger: `0x${"1e".repeat(20)}`, domainSalt: `0x${"5a".repeat(32)}` };
const ROOT = new Uint8Array(32).fill(7);
const account = privateKeyToAccount(generatePrivateKey()).address;
const second = privateKeyToAccount(generatePrivateKey());
const none = () => {
  throw new Error("no wallet is at hand");
};

/** The keys of an account whose account secret was rotated twice. */
const now = vaultOf(ROOT, SCOPE, 3);
const all = { ...now, authorities: [3, 2, 1].map((version) => vaultOf(ROOT, SCOPE, version).authority) };
const record = { viewingKey: toHex(now.viewingKey.publicKey), signer: now.paymentKey.address };
const chain = { account: async () => record } as unknown as Chain;

it("a backup opens to the keys that may spend now, by its code without any wallet and by its wallet", async () => {
  const recoveryCode = newRecoveryCode();
  const byCode = toHex(encryptBackup(ROOT, SCOPE, account, { recoveryCode }));
  expect(await decryptRecovered(chain, SCOPE, none, { account, recoveryCode, backup: byCode }, 0n)).toEqual(all);

  const signature = await second.signTypedData(unlockTypedData(SCOPE, account));
  const byWallet = toHex(encryptBackup(ROOT, SCOPE, account, { wallet: second.address, signature }));
  expect(await decryptRecovered(chain, SCOPE, () => second, { account, backup: byWallet }, 0n)).toEqual(all);
});

it("a copy of another account key, another code and another wallet open nothing", async () => {
  const recoveryCode = newRecoveryCode();
  const other = toHex(encryptBackup(new Uint8Array(32).fill(8), SCOPE, account, { recoveryCode }));
  const refused = { code: "invalid_request" };
  const open = (wallet: () => typeof second, key: object) =>
    decryptRecovered(chain, SCOPE, wallet, { account, backup: other, ...key }, 0n);
  await expect(open(none, { recoveryCode })).rejects.toMatchObject(refused);
  await expect(open(none, { recoveryCode: newRecoveryCode() })).rejects.toMatchObject(refused);
  await expect(open(() => second, {})).rejects.toMatchObject(refused);
});
