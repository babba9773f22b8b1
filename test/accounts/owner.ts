import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { apiKeys } from "@/db/schema/keys";
import { availableStates } from "@/db/schema/ledger";
import { createAccount } from "@/lib/accounts/create-account";
import { enroll } from "@/lib/accounts/enroll";
import { createDeposit } from "@/lib/balances/deposits/create-deposit";
import { requestFaucet } from "@/lib/balances/faucet/request-faucet";
import { assetBySymbol } from "@/lib/base/assets";
import type { ContextAccount, KeyContext, SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { type ChainId, networkOf } from "@/lib/base/network";
import { lowerAddress } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import {
  deriveAuthority,
  deriveFlagKey,
  deriveHeldKey,
  deriveKnowledge,
  derivePaymentKey,
  deriveViewingKey,
  newAccountKey,
  type X25519Keys,
} from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { encryptAccountKey, unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import { enrollMessage, signRequestOf } from "@/lib/ledger/enrollment";
import { AvailableHolder, seconds } from "./available-holder";
import { type PreparedOwner, takePrepared } from "./prepared-owners";

const DAY = 24 * 3_600;

/**
 * An account's owner in a test. Holds wallet and account key as a client does, and calls the verbs that its routes
 * call.
 */
export class Owner extends AvailableHolder {
  private viewingKey?: X25519Keys;

  private constructor(
    readonly chainId: ChainId,
    readonly scope: Scope,
    readonly account: ContextAccount,
    readonly walletKey: Hex,
    readonly wallet = privateKeyToAccount(walletKey),
    readonly accountKey = newAccountKey(),
  ) {
    super();
  }

  /**
   * Creates an account with a random handle.
   *
   * @param contractOf deploys the contract that is the wallet, for which the key then signs
   */
  static async create(chainId: ChainId, contractOf?: (key: Address) => Promise<Address>): Promise<Owner> {
    const walletKey = generatePrivateKey();
    const wallet = privateKeyToAccount(walletKey);
    const address = contractOf ? await contractOf(wallet.address) : lowerAddress(wallet.address);
    const handle = `t${randomBytes(6).toString("hex")}`;
    const { account } = await createAccount({ address }, { handle, type: "personal" });
    const { id, type, createdAt } = account;
    const own = { id, handle, address, type, rootId: id, rootAddress: address, createdAt };
    return new Owner(chainId, await scopeOf(chainId), own, walletKey, wallet);
  }

  get address(): Address {
    return this.account.address;
  }

  get session(): SessionContext {
    const { chainId, account } = this;
    const request = { requestId: "test", clientAddress: null };
    return { actor: "session", sessionId: "test", network: networkOf(chainId), chainId, account, ...request };
  }

  /** Knowledge, the half of the account secret that decrypts. */
  get secret(): Uint8Array {
    return deriveKnowledge(this.accountKey, this.scope, 1);
  }

  /** The half that signs. */
  get authority(): Uint8Array {
    return deriveAuthority(this.accountKey, this.scope, 1);
  }

  get viewing(): X25519Keys {
    this.viewingKey ??= deriveViewingKey(this.accountKey, this.scope);
    return this.viewingKey;
  }

  /** Returns the context of a request with a key of this account, registered in the database. */
  async key(): Promise<KeyContext> {
    const keyId = newId("key");
    const hash = toHex(randomBytes(32));
    const row = {
      id: keyId,
      accountId: this.account.id,
      chainId: this.chainId,
      hash,
      label: "test",
      prefix: "hc_test_",
    };
    await db()
      .insert(apiKeys)
      .values({ ...row, lastFour: "0000", secretVersion: 1, createdAt: new Date() });
    return {
      ...this.session,
      actor: "key",
      scopes: null,
      keyId,
      unwrap: async () => ({
        secret: this.secret,
        authority: this.authority,
        heldPublicKey: deriveHeldKey(this.secret, this.scope).publicKey,
        secretVersion: 1,
      }),
      unwrapFlagKey: async () => deriveFlagKey(this.secret, this.scope),
    };
  }

  /** Relays the enrollment. */
  async enroll(): Promise<string> {
    const { scope, address, accountKey } = this;
    const signature = await this.wallet.signTypedData(unlockTypedData(scope, address));
    const encryptedAccountKey = encryptAccountKey(accountKey, scope, address, [{ signature }]);
    const request = {
      account: address,
      accountKey,
      encryptedAccountKey,
      paymentKeyUntil: seconds(365 * DAY),
      deadline: seconds(3_600),
    };
    const message = enrollMessage(scope, request);
    const { digest } = signRequestOf(scope, "Enroll", message);
    const operation = await enroll(this.session, {
      viewing_key: message.viewingKey,
      payment_key: lowerAddress(derivePaymentKey(this.authority, scope).address),
      payment_key_until: message.paymentKeyUntil.toString(),
      encrypted_account_key: toHex(encryptedAccountKey),
      deadline: message.deadline.toString(),
      signature: await this.wallet.sign({ hash: digest }),
    });
    return operation.id;
  }

  /** Mints USDG to the wallet. Returns the operation. */
  async mint(amount: string): Promise<string> {
    const { address, session } = this;
    const wallet = { ...session, actor: "wallet", address, sessionId: "test" } as const;
    return (await requestFaucet(wallet, { asset: "USDG", amount })).operation.id;
  }

  /** Deposits minted USDG by authorization. Returns the operation. */
  async deposit(units: bigint): Promise<string> {
    const { chainId, wallet, scope } = this;
    const asset = assetBySymbol(chainId);
    const message = {
      from: this.address,
      to: scope.ledger,
      value: units,
      validAfter: 0n,
      validBefore: seconds(3_600),
      nonce: toHex(randomBytes(32)),
    };
    const types = [
      ["from", "address"],
      ["to", "address"],
      ["value", "uint256"],
      ["validAfter", "uint256"],
      ["validBefore", "uint256"],
      ["nonce", "bytes32"],
    ].map(([name = "", type = ""]) => ({ name, type }));
    const signature = await wallet.signTypedData({
      domain: { name: "Global Dollar", version: "1", chainId, verifyingContract: asset.address },
      types: { ReceiveWithAuthorization: types },
      primaryType: "ReceiveWithAuthorization",
      message,
    });
    const operation = await createDeposit(this.session, {
      asset: "USDG",
      from: this.address,
      value: units.toString(),
      valid_after: "0",
      valid_before: message.validBefore.toString(),
      nonce: message.nonce,
      signature,
    });
    return operation.id;
  }

  /** Returns one that was created when this process's services were prepared (prepared-people.ts). */
  private static async prepared(chainId: ChainId, { account, walletKey, accountKey }: PreparedOwner): Promise<Owner> {
    const own = { ...account, createdAt: new Date(account.createdAt) };
    return new Owner(chainId, await scopeOf(chainId), own, walletKey, undefined, fromHex(accountKey));
  }

  /**
   * Creates an enrolled owner with an available balance of `units`, all final, or takes one that was prepared. Needs a
   * running worker.
   */
  static async funded(chainId: ChainId, units: bigint): Promise<Owner> {
    const prepared = takePrepared(chainId, units);
    if (prepared) return Owner.prepared(chainId, prepared);
    const owner = await Owner.create(chainId);
    await settled(await owner.enroll(), await owner.mint((units / 1_000_000n + 1n).toString()));
    await settled(await owner.deposit(units));
    await settled(await owner.makeAvailable());
    return owner;
  }
}

/** Waits until operations are no longer pending. Returns their statuses. */
export async function settled(...ids: string[]): Promise<string[]> {
  for (const end = endOfPatience(); ; await sleep(50)) {
    const { id, status } = operations;
    const rows = await db().select({ id, status }).from(operations).where(inArray(id, ids));
    const states = ids.map((one) => rows.find((row) => row.id === one)?.status ?? "missing");
    if (!states.includes("pending")) {
      await indexed(ids);
      return states;
    }
    if (performance.now() > end) throw new Error(`operations do not settle: ${await standing(ids)}`);
  }
}

/** Says where operations are held up: what was sent of them, and of the nonces before. */
async function standing(ids: readonly string[]): Promise<string> {
  const rows = await db().execute(sql`
    select o.id, o.status, o.attempts, o.resend_at, o.created_at, now() as now, t.relayer, t.nonce, t.status as sent,
      t.sent_at, (select json_agg(json_build_array(b.nonce, b.status, b.sent_at, b.created_at)) from outgoing_transactions b
        where b.relayer = t.relayer and b.chain_id = t.chain_id and b.status in ('signed', 'sent')) as open
    from operations o left join outgoing_transactions t on t.operation_id = o.id
    where o.id in ${ids}`);
  return JSON.stringify(rows);
}

/** Not by the date, which some tests set. */
const endOfPatience = () => performance.now() + 120_000;

/** Waits until the index has what operations changed: a receipt may confirm a payment before. */
async function indexed(ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const open = and(inArray(availableStates.operationId, ids), eq(availableStates.status, "pending"));
  for (const end = endOfPatience(); (await db().$count(availableStates, open)) > 0; await sleep(20)) {
    if (performance.now() > end) throw new Error(`confirmed, and not in the index: ${ids.join(", ")}`);
  }
}
