import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { privateKeyToAccount } from "viem/accounts";
import { createAccount } from "@/lib/accounts/create-account";
import { enroll } from "@/lib/accounts/enroll";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { type ChainId, networkOf } from "@/lib/base/network";
import { CHAIN_IDS, chainEnv } from "@/lib/chain/clients";
import { registerRelayers } from "@/lib/chain/operations/register-relayers";
import { lowerAddress, readRecord } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope-of";
import { toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { encryptAccountKey, unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import { enrollMessage, signRequestOf } from "@/lib/ledger/enrollment";
import { FAILING_HANDLE } from "@/lib/payments/fails-always";

/** The accounts to create. `fails` belongs to a test helper. */
const SEEDED = [
  { handle: "demo", secrets: "", says: "is there to be paid" },
  { handle: FAILING_HANDLE, secrets: "fails ", says: "is there to fail" },
];
const YEAR = 365 * 86_400;

/** Derives a secret of the local stack, which protects no one's money. */
function demoSecret(label: string): Uint8Array {
  return hkdf(sha256, env().serverPepper, undefined, utf8(`halcyon/1/demo ${label}`), 32);
}

/**
 * Creates enrolled accounts on the local networks: `@demo`, so that a new user has someone to pay, and the recipient
 * whose payments fail. Uses the same functions as for everyone. Does nothing if they exist, or on public networks.
 */
export async function makeDemoAccounts(say: (line: string) => void = () => {}): Promise<void> {
  if (!CHAIN_IDS.some((chainId) => chainEnv(chainId).local)) return;
  for (const one of SEEDED) {
    await makeAccount(one, say).catch((error: unknown) => {
      // An account from an earlier version of the stack has the handle. Create the others all the same.
      if (!(error instanceof ApiError && error.code === "handle_taken")) throw error;
      say(`@${one.handle} is someone else's`);
    });
  }
}

async function makeAccount({ handle, secrets, says }: (typeof SEEDED)[number], say: (line: string) => void) {
  const local = CHAIN_IDS.filter((chainId) => chainEnv(chainId).local);
  const wallet = privateKeyToAccount(toHex(demoSecret(`${secrets}wallet`)));
  const address = lowerAddress(wallet.address);
  const { account } = await createAccount({ address }, { handle, type: "business" });
  const enrolled = await Promise.all(local.map((chainId) => enrollDemo(chainId, account.id, address)));
  if (enrolled.includes(true)) say(`@${handle} ${says}`);

  async function enrollDemo(chainId: ChainId, id: string, address: `0x${string}`): Promise<boolean> {
    if (await readRecord(chainId, address)) return false;
    await registerRelayers(chainId);
    const scope = await scopeOf(chainId);
    const accountKey = demoSecret(`${secrets}account key`);
    const unlock = await wallet.signTypedData(unlockTypedData(scope, address));
    const encryptedAccountKey = encryptAccountKey(accountKey, scope, address, [{ signature: unlock }]);
    const now = Math.floor(Date.now() / 1000);
    const paymentKeyUntil = BigInt(now + YEAR);
    const message = enrollMessage(scope, {
      account: address,
      accountKey,
      encryptedAccountKey,
      paymentKeyUntil,
      deadline: BigInt(now + 3_600),
    });
    const { digest } = signRequestOf(scope, "Enroll", message);
    const { handle, type, createdAt } = account;
    const context = {
      actor: "session",
      network: networkOf(chainId),
      chainId,
      requestId: "seed",
      sessionId: "seed",
      clientAddress: null,
      account: { id, handle, address, type, rootId: id, rootAddress: address, createdAt },
    } as const;
    await enroll(context, {
      viewing_key: message.viewingKey,
      payment_key: lowerAddress(message.paymentKey),
      payment_key_until: paymentKeyUntil.toString(),
      encrypted_account_key: toHex(encryptedAccountKey),
      deadline: message.deadline.toString(),
      signature: await wallet.sign({ hash: digest }),
    });
    return true;
  }
}
