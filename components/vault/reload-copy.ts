/*
 * What lets a page read on after a reload: the viewing key, and no other. It lies in IndexedDB encrypted twice: under a
 * WebCrypto key that scripts can use and not read, and under a share that the service hands out to the session alone,
 * for 15 minutes at most. A copy of the disk, an ended session or a browser that was left opens nothing. The root, the
 * account secret and the spending key are never here (docs/decisions/0161-unlock-once-per-browser.md).
 */
import { x25519 } from "@noble/curves/ed25519.js";
import type { Address, Hex } from "viem";
import { browserStore, nameOf, type ReloadRecord, type ReloadStore } from "@/components/browser/reload-store";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { Context } from "@/sdk/context/context";
import { requireOwnViewer, type Viewer } from "@/sdk/viewing/viewer";
import { IDLE_MS } from "./idle-lock";
import type { VaultOwner } from "./protocol";

/** How often the time of the last input is written. */
const NOTE_MS = 30_000;
/** How often the share is renewed: the service counts windows of three minutes. */
const RENEW_MS = 180_000;

interface Share {
  window: number;
  share: Hex;
  /** Of a service that rotates its secret: the copy may be under this one. */
  other_share?: Hex;
}

async function shareOf(context: Context, window?: number): Promise<Share> {
  return (await context.session()).get<Share>("/api/sessions/reload-share", { window });
}

/** The key that the service's share makes, bound to whose copy it is. */
async function shareKey(share: Hex, owner: VaultOwner): Promise<CryptoKey> {
  const bytes = new Uint8Array(fromHex(share));
  const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode(`halcyon/1/reload copy/${nameOf(owner)}`);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** The copy of one account's viewing key in this browser. */
export class ReloadCopy {
  private renew: ((lastInput: number) => Promise<void>) | undefined;
  private record: ReloadRecord | undefined;
  private notedAt = 0;
  private renewedAt = 0;
  private closed = false;

  constructor(private readonly store: ReloadStore = browserStore) {}

  /** Encrypts the viewing key and keeps it. */
  async keep(owner: VaultOwner, context: Context, secret: Uint8Array, lastInput: number): Promise<void> {
    const own = new Uint8Array(secret);
    this.renew = async (at) => {
      const { window, share } = await shareOf(context);
      const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
      // One for both: each is used under a key of its own.
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const inner = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await shareKey(share, owner), own);
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, inner);
      await this.write({ owner, lastInput: at, window, key, iv, sealed });
      this.renewedAt = at;
    };
    await this.renew(lastInput);
  }

  /** The next input makes the copy again: its share was another session's. */
  renewNext(): void {
    this.renewedAt = 0;
  }

  /** Someone is still there. */
  async touch(lastInput: number): Promise<void> {
    if (this.renew && lastInput - this.renewedAt >= RENEW_MS) {
      this.renewedAt = lastInput;
      await this.renew(lastInput);
    } else if (this.record && lastInput - this.notedAt >= NOTE_MS) {
      await this.write({ ...this.record, lastInput });
    }
  }

  private async write(record: ReloadRecord): Promise<void> {
    // Locked meanwhile: nothing is written any more.
    if (this.closed) return;
    this.record = record;
    this.notedAt = record.lastInput;
    await this.store.write(record);
  }

  /**
   * Decrypts the copy and compares it with the ledger; null where there is none, or its time is over. What is over is
   * deleted; without a response it stays for the next try.
   */
  async open(owner: VaultOwner, context: Context): Promise<{ viewer: Viewer; lastInput: number } | null> {
    const record = await this.store.read(owner);
    if (!record) return null;
    const idle = Date.now() - record.lastInput;
    // A clock that was set back must not lengthen it.
    if (idle >= IDLE_MS || idle < 0) {
      await this.store.delete(owner);
      return null;
    }
    try {
      const viewer = await this.decrypt(record, owner, context);
      await this.keep(owner, context, viewer.viewingKey.secret, record.lastInput);
      return { viewer, lastInput: record.lastInput };
    } catch (error) {
      const silent = error instanceof Error && "code" in error && error.code === "unavailable";
      if (!silent) await this.store.delete(owner);
      throw error;
    }
  }

  private async decrypt({ window, iv, key, sealed }: ReloadRecord, owner: VaultOwner, context: Context) {
    const [shares, chain] = await Promise.all([shareOf(context, window), context.chain(), context.scope()]);
    const inner = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed);
    const under = async (share: Hex) =>
      crypto.subtle.decrypt({ name: "AES-GCM", iv }, await shareKey(share, owner), inner);
    const plain = await under(shares.share).catch((error) => {
      if (shares.other_share) return under(shares.other_share);
      throw error;
    });
    const secret = new Uint8Array(plain);
    const viewingKey = { secret, publicKey: x25519.getPublicKey(secret) };
    const viewer: Viewer = { account: owner.address.toLowerCase() as Address, viewingKey };
    await requireOwnViewer(chain, viewer, undefined);
    return viewer;
  }

  /** Takes it away for good. */
  async forget(owner: VaultOwner): Promise<void> {
    this.closed = true;
    await this.store.delete(owner);
  }
}
