/*
 * Lets a page keep reading after a reload. The copy contains only the viewing key. IndexedDB stores it encrypted twice:
 * under a WebCrypto key that scripts can use but not read, and under a share that the service gives only to the
 * session, for at most 15 minutes. A copy of the disk, an ended session or an abandoned browser decrypts nothing. The
 * root, the account secret and the payment key are never in it
 * (docs/design/keys.md).
 */
import { x25519 } from "@noble/curves/ed25519.js";
import type { Address, Hex } from "viem";
import { browserStore, copyName, type ReloadRecord, type ReloadStore } from "@/components/api/browser/reload-store";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { Context } from "@/sdk/context/context";
import { requireOwnViewer, type Viewer } from "@/sdk/context/viewing/viewer";
import { IDLE_MS } from "./idle-lock";
import type { VaultOwner } from "./protocol";

/** How often to store the time of the last input, in milliseconds. */
const NOTE_MS = 30_000;
/** How often to renew the share, in milliseconds: the service's windows last three minutes. */
const RENEW_MS = 180_000;

interface Share {
  window: number;
  share: Hex;
  /** Set while the service rotates its secret: the copy may be encrypted under this share. */
  other_share?: Hex;
}

async function shareOf(context: Context, window?: number): Promise<Share> {
  return (await context.session()).get<Share>("/api/sessions/reload-share", { window });
}

/** Derives a key from the service's share, bound to the copy's owner. */
async function shareKey(share: Hex, owner: VaultOwner): Promise<CryptoKey> {
  const bytes = new Uint8Array(fromHex(share));
  const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode(`halcyon/1/reload copy/${copyName(owner)}`);
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

  /** Encrypts and stores the viewing key. */
  async keep(owner: VaultOwner, context: Context, secret: Uint8Array, lastInput: number): Promise<void> {
    const own = new Uint8Array(secret);
    this.renew = async (at) => {
      const { window, share } = await shareOf(context);
      const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
      // One nonce for both is safe, because each encryption uses its own key.
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const inner = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await shareKey(share, owner), own);
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, inner);
      await this.write({ owner, lastInput: at, window, key, iv, sealed });
      this.renewedAt = at;
    };
    await this.renew(lastInput);
  }

  /** Makes the next input write the copy again, because its share belongs to an earlier session. */
  renewNext(): void {
    this.renewedAt = 0;
  }

  /** Records that someone is still using the page. */
  async touch(lastInput: number): Promise<void> {
    if (this.renew && lastInput - this.renewedAt >= RENEW_MS) {
      this.renewedAt = lastInput;
      await this.renew(lastInput);
    } else if (this.record && lastInput - this.notedAt >= NOTE_MS) {
      await this.write({ ...this.record, lastInput });
    }
  }

  private async write(record: ReloadRecord): Promise<void> {
    // Locked in the meantime: write nothing more.
    if (this.closed) return;
    this.record = record;
    this.notedAt = record.lastInput;
    await this.store.write(record);
  }

  /**
   * Decrypts the copy and compares it with the ledger. Returns null if there is none or it has expired. Deletes an
   * expired or invalid copy. If service or chain do not respond, keeps it for the next try.
   */
  async open(owner: VaultOwner, context: Context): Promise<{ viewer: Viewer; lastInput: number } | null> {
    const record = await this.store.read(owner);
    if (!record) return null;
    const idle = Date.now() - record.lastInput;
    // Setting the clock back must not extend the time.
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

  /** Deletes the copy for good. */
  async forget(owner: VaultOwner): Promise<void> {
    this.closed = true;
    await this.store.delete(owner);
  }
}
