import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { apiKeys } from "@/db/schema/keys";
import { createAccount } from "@/lib/accounts/create-account";
import { enroll } from "@/lib/accounts/enroll";
import { assetBySymbol } from "@/lib/assets";
import type { ContextAccount, KeyContext, SessionContext } from "@/lib/auth/context";
import { allocate } from "@/lib/budgets/allocate";
import { readLedger } from "@/lib/budgets/read-ledger";
import { lowerAddress } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope";
import { createDeposit } from "@/lib/deposits/create-deposit";
import { requestFaucet } from "@/lib/faucet/request-faucet";
import { newId } from "@/lib/ids";
import { openBudgetState } from "@/lib/ledger/budget-state";
import { fromHex, toHex } from "@/lib/ledger/bytes";
import { type BudgetOpening, EMPTY_BUDGET_OPENING, type NoteOpening } from "@/lib/ledger/commitments";
import { openPayerCopy, openRecipientCopy } from "@/lib/ledger/copies";
import { enrollMessage, signRequestOf } from "@/lib/ledger/enrollment";
import { hexToWord } from "@/lib/ledger/field";
import { deriveBudgetSecret, deriveFlagKey, deriveSpender, deriveViewingKey, newRoot } from "@/lib/ledger/keys";
import { completePlan } from "@/lib/ledger/plan";
import { planAllocation } from "@/lib/ledger/prepare-allocation";
import type { Scope } from "@/lib/ledger/scope";
import { sealRoot, unlockTypedData } from "@/lib/ledger/seal-root";
import { keySigner } from "@/lib/ledger/sign";
import { type ChainId, networkOf } from "@/lib/network";
import { processProver } from "@/lib/prover/process-prover";

const DAY = 24 * 3_600;
const seconds = (ahead: number) => BigInt(Math.floor(Date.now() / 1000) + ahead);

/** An account's owner in a test: holds wallet and root as a client does, and calls the verbs that its routes call. */
export class Owner {
  readonly wallet = privateKeyToAccount(generatePrivateKey());
  readonly walletKey: Hex;
  readonly root = newRoot();

  private constructor(
    readonly chainId: ChainId,
    readonly scope: Scope,
    readonly account: ContextAccount,
    walletKey: Hex,
    wallet: ReturnType<typeof privateKeyToAccount>,
  ) {
    this.wallet = wallet;
    this.walletKey = walletKey;
  }

  /** A new account with a random handle. */
  static async create(chainId: ChainId): Promise<Owner> {
    const walletKey = generatePrivateKey();
    const wallet = privateKeyToAccount(walletKey);
    const address = lowerAddress(wallet.address);
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

  get secret(): Uint8Array {
    return deriveBudgetSecret(this.root, this.scope, 1);
  }

  get viewing() {
    return deriveViewingKey(this.root, this.scope);
  }

  /** The context of a request with a key of this account, registered in the database. */
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
      keyId,
      unwrap: async () => ({ secret: this.secret, heldPublicKey: new Uint8Array(32), secretVersion: 1 }),
      unwrapFlagKey: async () => deriveFlagKey(this.secret, this.scope),
    };
  }

  /** Relays the enrolment. */
  async enroll(): Promise<string> {
    const { scope, address, root } = this;
    const signature = await this.wallet.signTypedData(unlockTypedData(scope, address));
    const sealedRoot = sealRoot(root, scope, address, [{ signature }]);
    const request = { account: address, root, sealedRoot, spenderUntil: seconds(365 * DAY), deadline: seconds(3_600) };
    const message = enrollMessage(scope, request);
    const { digest } = signRequestOf(scope, "Enroll", message);
    const operation = await enroll(this.session, {
      viewing_key: message.viewingKey,
      spender: lowerAddress(deriveSpender(this.secret, scope).address),
      spender_until: message.spenderUntil.toString(),
      sealed_root: toHex(sealedRoot),
      deadline: message.deadline.toString(),
      signature: await this.wallet.sign({ hash: digest }),
    });
    return operation.id;
  }

  /** Mints USDG to the wallet; answers the operation. */
  async mint(amount: string): Promise<string> {
    const { address, session } = this;
    const wallet = { ...session, actor: "wallet", address, sessionId: "test" } as const;
    return (await requestFaucet(wallet, { asset: "USDG", amount })).operation.id;
  }

  /** Deposits minted USDG by authorization; answers the operation. */
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

  /** The newest budget state as the owner's client opens it. */
  async openBudget(): Promise<BudgetOpening> {
    const { budget, asset_address } = await readLedger(this.session, { asset: "USDG" });
    if (budget.sealed === null) return EMPTY_BUDGET_OPENING;
    const commitment = hexToWord(budget.newest_word);
    const place = { scope: this.scope, account: this.address, asset: asset_address, commitment };
    return openBudgetState(this.secret, place, fromHex(budget.sealed));
  }

  /** Every open note, opened with the viewing key. */
  async openNotes(): Promise<NoteOpening[]> {
    const { notes, asset_address } = await readLedger(this.session, { asset: "USDG" });
    const common = { scope: this.scope, account: this.address, asset: asset_address };
    const opened = await Promise.all(
      notes.map(async (note) => {
        if (note.source === "transfer") {
          const place = { ...common, commitment: hexToWord(note.note) };
          return openRecipientCopy(this.viewing.secret, place, fromHex(note.ciphertext));
        }
        const place = { ...common, commitment: hexToWord(note.new_budget ?? "0x") };
        const copy = await openPayerCopy(this.viewing.secret, place, fromHex(note.ciphertext));
        return copy && { amount: copy.amount, salt: copy.noteSalt };
      }),
    );
    return opened.filter((note) => note !== null);
  }

  /** A prepared allocation of all credit and up to 8 notes, of which `newLimit` becomes the budget. */
  async prepareAllocation(newLimit?: bigint) {
    const ledger = await readLedger(this.session, { asset: "USDG" });
    const budget = await this.openBudget();
    const notes = (await this.openNotes()).slice(0, 8);
    const credit = BigInt(ledger.credit);
    const all = notes.reduce((sum, { amount }) => sum + amount, credit + budget.limit);
    const prover = await processProver();
    const plan = await planAllocation({
      scope: this.scope,
      account: this.address,
      asset: ledger.asset_address,
      budget,
      notes,
      credit,
      newLimit: newLimit ?? all,
      nonce: BigInt(ledger.nonce),
      deadline: seconds(3_600),
      payerViewingKey: this.viewing.publicKey,
      secret: this.secret,
    });
    return completePlan(plan, (circuit, input) => prover.prove(circuit, input), keySigner(this.walletKey));
  }

  /** Allocates all credit and up to 8 notes; answers the operation. */
  async allocate(newLimit?: bigint): Promise<string> {
    return (await allocate(this.session, { prepared: await this.prepareAllocation(newLimit) })).id;
  }

  /** Enrolled, with a budget of `units`, all final. Needs a running worker. */
  static async funded(chainId: ChainId, units: bigint): Promise<Owner> {
    const owner = await Owner.create(chainId);
    await settled(await owner.enroll(), await owner.mint((units / 1_000_000n + 1n).toString()));
    await settled(await owner.deposit(units));
    await settled(await owner.allocate());
    return owner;
  }
}

/** Waits until operations are no longer pending; answers how they ended. */
export async function settled(...ids: string[]): Promise<string[]> {
  for (const end = Date.now() + 30_000; ; await sleep(30)) {
    const rows = await Promise.all(
      ids.map((id) => db().select({ status: operations.status }).from(operations).where(eq(operations.id, id))),
    );
    const states = rows.map(([row]) => row?.status ?? "missing");
    if (!states.includes("pending")) return states;
    if (Date.now() > end) throw new Error(`operations do not settle: ${states.join(", ")}`);
  }
}
