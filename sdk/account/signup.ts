import { type Hex, keccak256 } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { newAccountKey } from "@/lib/ledger/crypto/keys";
import { type AccountKeyUnlock, decryptAccountKey, encryptAccountKey } from "@/lib/ledger/encrypted/account-key";
import { enrollMessage, signRequestOf } from "@/lib/ledger/enrollment";
import type { OwnAccount } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { Operation } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { confirmed, poll } from "../context/operation";
import { FIRST_SECRET, NEEDS_CODE, paymentKeyUntilFrom, signUnlock, vaultOf } from "../context/vault/vault";

/** The input for a new account. */
export interface SignupInput {
  /** With or without @. */
  handle: string;
  type?: "personal" | "business" | undefined;
  /**
   * A generated code (`newRecoveryCode`) that also decrypts the account key: a second way to recover, besides the
   * wallet. Required for a contract wallet, where it is the only way.
   */
  recoveryCode?: string | undefined;
}

/** The account, enrolled on its network. */
export interface SignupResult {
  account_id: string;
  handle: string;
  public_key: string;
  network: string;
}

/**
 * Creates the account key on this machine, enrolls with it, and verifies the encrypted account key on chain: without
 * that copy, money sent to the account would be lost.
 */
async function enroll(context: Context, recoveryCode?: string): Promise<void> {
  const [session, scope, chain] = await Promise.all([context.session(), context.scope(), context.chain()]);
  const { wallet } = context;
  const accountKey = newAccountKey();
  const byCode = recoveryCode === undefined ? [] : [{ recoveryCode }];
  const isContract = await context.isContract();
  if (isContract && byCode.length === 0) {
    throw new HalcyonError("invalid_request", `${NEEDS_CODE}: create one first.`, { param: "recoveryCode" });
  }
  const unlocks: AccountKeyUnlock[] = isContract ? byCode : [{ signature: await signUnlock(wallet, scope) }, ...byCode];
  const encrypted = encryptAccountKey(accountKey, scope, wallet.address, unlocks);
  const message = enrollMessage(scope, {
    account: wallet.address,
    accountKey,
    encryptedAccountKey: encrypted,
    paymentKeyUntil: paymentKeyUntilFrom(),
    deadline: await chain.deadline(),
  });
  const operation = await session.post<Operation>("/api/enrollments", {
    viewing_key: message.viewingKey,
    payment_key: message.paymentKey,
    payment_key_until: message.paymentKeyUntil.toString(),
    encrypted_account_key: toHex(encrypted),
    deadline: message.deadline.toString(),
    signature: await context.signer()(signRequestOf(scope, "Enroll", message)),
  });
  const done = await confirmed(context, operation, "The enrollment");
  const onChain = await chain.encryptedAccountKeyIn(done.tx_hash, wallet.address);
  const intact = onChain !== null && keccak256(onChain) === message.encryptedAccountKeyHash;
  if (!intact || (await chain.viewingKey(wallet.address)) !== message.viewingKey) {
    throw new HalcyonError(
      "internal",
      "The chain does not hold the account key that was enrolled. Do not deposit; use a new wallet.",
    );
  }
  for (const way of unlocks) decryptAccountKey(fromHex(onChain as Hex), scope, wallet.address, way);
  context.keepVault(vaultOf(accountKey, scope, FIRST_SECRET));
}

/**
 * Creates the account and enrolls it on the network. Safe to repeat: it continues where an earlier call stopped. For a
 * complete account, it only checks that this wallet decrypts its keys.
 *
 * @example
 * await halcyon.account.create({ handle: "alice" });
 * // { account_id: "acct_…", handle: "@alice", public_key: "0x…", network: "test" }
 * @throws HalcyonError `handle_taken`, `invalid_request`
 */
export async function signup(context: Context, input: SignupInput): Promise<SignupResult> {
  const session = await context.session();
  const handle = input.handle.replace(/^@/, "");
  await session.post<OwnAccount>("/api/accounts", { handle, type: input.type ?? "personal" });
  let account = await context.account();
  await context.pins.checkOwnHandle(await context.info(), context.wallet.address, account.handle);
  if (account.enrolled === "none") await enroll(context, input.recoveryCode ?? context.recoveryCode);
  account = await poll(context, "The enrollment", async () => {
    const now = await context.account();
    return now.enrolled === "enrolled" ? now : undefined;
  });
  await context.vault();
  return {
    account_id: account.account_id,
    handle: account.handle,
    public_key: account.public_key,
    network: context.network,
  };
}
