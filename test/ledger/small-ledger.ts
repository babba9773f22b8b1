import { type Address, keccak256, stringToHex } from "viem";
import { fromHex, randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import {
  type AvailableOpening,
  availableCommitment,
  EMPTY_AVAILABLE_OPENING,
  EMPTY_NOTE,
  type NoteOpening,
} from "@/lib/ledger/crypto/commitments";
import { deriveAgentHalf, deriveKnowledge, deriveViewingKey } from "@/lib/ledger/crypto/keys";
import { NO_LIMIT, policyCommitment } from "@/lib/ledger/crypto/policy-commitment";
import { packTerms, type SpendMode } from "@/lib/ledger/crypto/terms";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import type { CopyEpoch } from "@/lib/ledger/encrypted/payer-copy";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import type { HistoryEntry } from "@/lib/ledger/history/account-history";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import { dayWindow } from "@/lib/ledger/policy/day-window";
import { planFund } from "@/lib/ledger/prepare/plan-fund";
import { planMakeAvailable } from "@/lib/ledger/prepare/plan-make-available";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planSpend } from "@/lib/ledger/prepare/plan-spend";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";

export const scope = { chainId: 46630, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
const at = (byte: string) => `0x${byte.repeat(20)}` as Address;
/** Alice (no policy), her agent (with a policy), a third party, and one asset. */
export const [alice, agent, bob, asset] = [at("a1"), at("a9"), at("b0"), at("cc")];

const accountKey = (byte: number) => new Uint8Array(32).fill(byte);
const aliceSecret = deriveKnowledge(accountKey(1), scope, 1);
const secrets = new Map([
  [alice, aliceSecret],
  [agent, deriveAgentHalf(aliceSecret, agent, scope)],
]);
/** Alice's viewing keys, which her agent shares. */
export const aliceKeys = deriveViewingKey(accountKey(1), scope);
export const bobKeys = deriveViewingKey(accountKey(2), scope);
const keysOf = (who: Address) => (who === bob ? bobKeys : aliceKeys);

const POLICY = { perPayment: NO_LIMIT, daily: NO_LIMIT, threshold: NO_LIMIT, salt: 77n };

/** The terms of a payment under a policy. `poisoned`: the signer writes copies that no one can decrypt. */
interface Options {
  mode?: SpendMode;
  day?: bigint;
  poisoned?: boolean;
  memo?: string;
  /** Of a client with a home key. */
  marks?: { seed: Uint8Array; tag: Uint8Array; epoch: CopyEpoch };
}

/**
 * A miniature ledger of one asset. From the same drafts it writes the events that the contract would, and it knows the
 * true balances.
 */
export class SmallLedger {
  readonly events: MoneyEvent[] = [];
  readonly entries: { who: Address; type: HistoryEntry["type"]; amount: bigint }[] = [];
  readonly availableBalances = new Map<Address, AvailableOpening>();
  readonly notes = new Map<Address, NoteOpening[]>();
  deposited = 0n;
  #block = 0n;
  #logIndex = 0;

  availableOf(who: Address): AvailableOpening {
    return this.availableBalances.get(who) ?? EMPTY_AVAILABLE_OPENING;
  }

  #transaction(): void {
    this.#block += 1n;
    this.#logIndex = 0;
  }

  #emit(event: Pick<MoneyEvent, "eventName" | "args">): void {
    const transactionHash = keccak256(stringToHex(String(this.#block)));
    const position = { blockNumber: this.#block, logIndex: this.#logIndex++, transactionHash };
    this.events.push({ ...event, ...position } as MoneyEvent);
  }

  #entry(who: Address, type: HistoryEntry["type"], amount: bigint): void {
    this.entries.push({ who, type, amount });
  }

  #common(account: Address, day = 0n) {
    const available = this.availableOf(account);
    const deadline = day === 0n ? 9n : dayWindow(day).until - 1n;
    const secret = secrets.get(account) ?? accountKey(0);
    const keys = { payerViewingKey: aliceKeys.publicKey, secret };
    return { scope, account, asset, available, deadline, policyVersion: 1n, ...keys };
  }

  /** Applies a draft's next state after decrypting it, as the owner would. */
  #move(account: Address, draft: { new_available: `0x${string}`; next_state: { encrypted: `0x${string}` } }): void {
    const ref = { scope, account, asset, commitment: BigInt(draft.new_available) };
    this.availableBalances.set(
      account,
      decryptAvailableState(secrets.get(account) ?? accountKey(0), ref, fromHex(draft.next_state.encrypted)),
    );
  }

  async #receive(to: Address, note: `0x${string}`, copy: `0x${string}`): Promise<void> {
    const ref = { scope, account: to, asset, commitment: BigInt(note) };
    const opened = await decryptRecipientCopy(keysOf(to).secret, ref, fromHex(copy));
    if (!opened) throw new Error("the recipient can't open its copy");
    this.notes.set(to, [...(this.notes.get(to) ?? []), { amount: opened.amount, salt: opened.salt }]);
    this.#entry(to, "received", opened.amount);
  }

  deposit(units: bigint): void {
    this.#transaction();
    this.deposited += units;
    this.#emit({ eventName: "Deposited", args: { account: alice, asset, units } });
    this.#entry(alice, "deposit", units);
  }

  /** Makes all of Alice's notes and deposited money available. */
  async makeAvailable(newLimit: bigint): Promise<void> {
    this.#transaction();
    const notes = (this.notes.get(alice) ?? []).slice(0, 8);
    const { deposited } = this;
    const oldAvailable = availableCommitment(this.availableOf(alice));
    const plan = await planMakeAvailable({ ...this.#common(alice), notes, deposited, newLimit, nonce: 0n });
    const { draft, input } = plan;
    this.deposited = 0n;
    this.notes.set(alice, (this.notes.get(alice) ?? []).slice(8));
    const changeNote = BigInt(draft.change_note);
    if (changeNote !== EMPTY_NOTE) {
      const change = { amount: input.change as bigint, salt: input.changeSalt as bigint };
      this.notes.set(alice, [...(this.notes.get(alice) ?? []), change]);
    }
    this.#move(alice, draft);
    const commitments = {
      oldAvailable,
      newAvailable: BigInt(draft.new_available),
      notes: draft.notes.map(BigInt),
      changeNote,
    };
    const args = { account: alice, asset, ...commitments, deposited, ciphertext: draft.ciphertext };
    this.#emit({ eventName: "MadeAvailable", args: args as never });
    this.#entry(alice, "make_available", newLimit);
  }

  /** Pays by `transfer` from Alice, by `spend` from her agent. */
  async pay(account: Address, to: Address, amount: bigint, options: Options = {}): Promise<void> {
    this.#transaction();
    const { mode = 0, poisoned = false, memo, marks } = options;
    const limited = account === agent;
    const day = limited && mode !== 2 ? (options.day ?? 1n) : 0n;
    const recipientViewingKey = keysOf(to).publicKey;
    const request = { ...this.#common(account, day), ...marks, to, amount, recipientViewingKey };
    const asked = memo === undefined ? request : { ...request, memo };
    const terms = { mode, day };
    const under = { terms, policy: POLICY, policyCommitment: policyCommitment(POLICY) };
    const { draft } = limited ? await planSpend({ ...asked, ...under }) : await planTransfer(asked);
    this.#move(account, draft);
    const newAvailable = BigInt(draft.new_available);
    const payerCiphertext = poisoned ? toHex(randomBytes(124)) : draft.payer_ciphertext;
    const commitments = { oldAvailable: BigInt(draft.old_available), newAvailable, note: BigInt(draft.note) };
    const copies = { recipientCiphertext: draft.recipient_ciphertext, payerCiphertext };
    this.#emit({ eventName: "Transferred", args: { account, to, asset, ...commitments, ...copies } });
    if (draft.kind === "spend") {
      const encryptedAmount = BigInt(draft.encrypted_amount);
      this.#emit({
        eventName: "Limited",
        args: { account, asset, newAvailable, terms: packTerms(terms), encryptedAmount },
      });
    }
    this.#entry(account, "sent", amount);
    await this.#receive(to, draft.note, draft.recipient_ciphertext);
  }

  /** Pays by `release` from Alice, by `spendPublic` from her agent. */
  async release(account: Address, to: Address, amount: bigint, options: Options = {}): Promise<void> {
    this.#transaction();
    const { mode = 0, poisoned = false, marks } = options;
    const limited = account === agent;
    const day = limited && mode !== 2 ? (options.day ?? 1n) : 0n;
    const request = { ...this.#common(account, day), ...marks, to, amount };
    const terms = { mode, day };
    const under = { terms, policy: POLICY, policyCommitment: policyCommitment(POLICY) };
    const { draft } = limited ? await planSpendPublic({ ...request, ...under }) : await planRelease(request);
    this.#move(account, draft);
    const newAvailable = BigInt(draft.new_available);
    const payerCiphertext = poisoned ? toHex(randomBytes(124)) : draft.payer_ciphertext;
    const paid = { oldAvailable: BigInt(draft.old_available), newAvailable, amount, paymentId: draft.payment_id };
    this.#emit({ eventName: "Released", args: { account, to, asset, ...paid, payerCiphertext } });
    if (draft.kind === "spend_public") {
      const args = { account, asset, newAvailable, terms: packTerms(terms), encryptedAmount: 0n };
      this.#emit({ eventName: "Limited", args });
    }
    this.#entry(account, "released", amount);
  }

  async payMany(
    account: Address,
    to: readonly Address[],
    amounts: readonly bigint[],
    epoch?: CopyEpoch,
  ): Promise<void> {
    this.#transaction();
    const payments = amounts.map((amount, index) => {
      const payee = to[index % to.length] ?? bob;
      return { to: payee, amount, recipientViewingKey: keysOf(payee).publicKey };
    });
    const { draft } = await planTransferMany({ ...this.#common(account), payments, ...(epoch && { epoch }) });
    this.#move(account, draft);
    const commitments = { oldAvailable: BigInt(draft.old_available), newAvailable: BigInt(draft.new_available) };
    const payerCiphertext = draft.payer_ciphertext;
    this.#emit({ eventName: "BatchTransferred", args: { account, asset, ...commitments, payerCiphertext } });
    for (const [index, { to: payee, note, recipient_ciphertext }] of draft.payments.entries()) {
      const args = { account, to: payee, asset, note: BigInt(note), recipientCiphertext: recipient_ciphertext };
      this.#emit({ eventName: "Paid", args });
      this.#entry(account, "sent", amounts[index] ?? 0n);
      await this.#receive(payee, note, recipient_ciphertext);
    }
  }

  async fund(from: Address, to: Address, amount: bigint, options: Pick<Options, "poisoned"> = {}): Promise<void> {
    this.#transaction();
    const receiving = { toAvailable: this.availableOf(to), toSecret: secrets.get(to) ?? accountKey(0) };
    const { draft } = await planFund({ ...this.#common(from), to, amount, ...receiving });
    this.#move(from, draft);
    this.#move(to, { new_available: draft.to_new_available, next_state: draft.to_next_state });
    const args = {
      from,
      to,
      asset,
      fromOldAvailable: BigInt(draft.old_available),
      fromNewAvailable: BigInt(draft.new_available),
      toOldAvailable: BigInt(draft.to_old_available),
      toNewAvailable: BigInt(draft.to_new_available),
      paymentId: draft.payment_id,
      fromCiphertext: draft.payer_ciphertext,
      toCiphertext: options.poisoned ? toHex(randomBytes(124)) : draft.to_ciphertext,
    };
    this.#emit({ eventName: "Funded", args });
    this.#entry(from, "funded_out", amount);
    this.#entry(to, "funded_in", amount);
  }

  abandon(account: Address): void {
    this.#transaction();
    const oldAvailable = availableCommitment(this.availableOf(account));
    this.#emit({ eventName: "Abandoned", args: { account, asset, oldAvailable } });
    this.#entry(account, "abandoned", this.availableOf(account).limit);
    this.availableBalances.set(account, EMPTY_AVAILABLE_OPENING);
  }
}
