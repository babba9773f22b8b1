import type { Address, Hex } from "viem";
import { makeAvailable } from "@/lib/balances/make-available";
import { readLedger } from "@/lib/balances/read-ledger";
import type { SessionContext } from "@/lib/base/context/context";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { type AvailableOpening, EMPTY_AVAILABLE_OPENING, type NoteOpening } from "@/lib/ledger/crypto/commitments";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import type { X25519Keys } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { AvailableWindow } from "@/lib/ledger/crypto/window";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { decryptPayerCopy, noteOfCopy } from "@/lib/ledger/encrypted/payer-copy";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { planMakeAvailable } from "@/lib/ledger/prepare/plan-make-available";
import { processProver } from "@/lib/prover/process-prover";

/** Returns a Unix time this many seconds ahead. */
export const seconds = (ahead: number) => BigInt(Math.floor(Date.now() / 1000) + ahead);

/**
 * An account or agent with its owner's keys. Decrypts and makes its available balance as the owner's client does
 * available.
 */
export abstract class AvailableHolder {
  abstract readonly scope: Scope;
  /** The key of the owner's wallet. */
  abstract readonly walletKey: Hex;
  abstract get address(): Address;
  /** The owner's session, acting for the holder. */
  abstract get session(): SessionContext;
  /** k, or an agent's k_i. */
  abstract get secret(): Uint8Array;
  /** The owner's viewing keys. */
  abstract get viewing(): X25519Keys;

  /** Decrypts the newest available balance state as the owner's client does. */
  async decryptAvailable(): Promise<AvailableOpening> {
    const { available, asset_address } = await readLedger(this.session, { asset: "USDG" });
    if (available.encrypted === null) return EMPTY_AVAILABLE_OPENING;
    const commitment = hexToCommitment(available.newest_commitment);
    const ref = { scope: this.scope, account: this.address, asset: asset_address, commitment };
    return decryptAvailableState(this.secret, ref, fromHex(available.encrypted));
  }

  /** Decrypts every open note with the viewing key. */
  async openNotes(): Promise<NoteOpening[]> {
    const { notes, asset_address } = await readLedger(this.session, { asset: "USDG" });
    const common = { scope: this.scope, account: this.address, asset: asset_address };
    const opened = await Promise.all(
      notes.map(async (note) => {
        if (note.source === "transfer") {
          const ref = { ...common, commitment: hexToCommitment(note.note) };
          return decryptRecipientCopy(this.viewing.secret, ref, fromHex(note.ciphertext));
        }
        const ref = { ...common, commitment: hexToCommitment(note.new_available ?? "0x") };
        const copy = await decryptPayerCopy(this.viewing.secret, ref, fromHex(note.ciphertext));
        return copy && noteOfCopy(copy, { ...ref, commitment: hexToCommitment(note.note) });
      }),
    );
    return opened.filter((note) => note !== null);
  }

  /**
   * Waits until it has a note of this many units. A payment's receipt also confirms it, possibly before the index has
   * it.
   *
   * @throws if none arrives
   */
  async untilReceived(units: bigint): Promise<void> {
    for (const end = performance.now() + 120_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const amounts = (await this.openNotes()).map(({ amount }) => amount);
      if (amounts.includes(units)) return;
      if (performance.now() > end) throw new Error(`no note of ${units} units among ${amounts.join(", ")}`);
    }
  }

  /**
   * Prepares a move to the available balance of all deposited money and up to 8 notes, with `newLimit` as the new
   * available balance. Keeps the counters unless `window` replaces them.
   */
  async prepareMakeAvailable(newLimit?: bigint, window?: AvailableWindow) {
    const ledger = await readLedger(this.session, { asset: "USDG" });
    const available = await this.decryptAvailable();
    const notes = (await this.openNotes()).slice(0, 8);
    const deposited = BigInt(ledger.deposited);
    const all = notes.reduce((sum, { amount }) => sum + amount, deposited + available.limit);
    const prover = await processProver();
    const plan = await planMakeAvailable({
      scope: this.scope,
      account: this.address,
      asset: ledger.asset_address,
      available,
      notes,
      deposited,
      newLimit: newLimit ?? all,
      window,
      nonce: BigInt(ledger.nonce),
      deadline: seconds(3_600),
      payerViewingKey: this.viewing.publicKey,
      secret: this.secret,
    });
    return completePlan(plan, (circuit, input) => prover.prove(circuit, input), keySigner(this.walletKey));
  }

  /** Makes all deposited money available and up to 8 notes. Returns the operation. */
  async makeAvailable(newLimit?: bigint, window?: AvailableWindow): Promise<string> {
    return (await makeAvailable(this.session, { client_signed: await this.prepareMakeAvailable(newLimit, window) })).id;
  }
}
