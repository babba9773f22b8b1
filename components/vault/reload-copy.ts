/*
 * Lets a page keep reading after a reload. The copy contains only the viewing key and the balances that were shown
 * last. IndexedDB stores it encrypted twice: under a WebCrypto key that scripts can use but not read, and under a share
 * that the service gives only to the session, for at most 15 minutes. A copy of the disk, an ended session or an
 * abandoned browser decrypts nothing. The account key, the account secret and the payment key are never in it
 * (docs/design/keys.md).
 */
import { x25519 } from "@noble/curves/ed25519.js";
import type { Address, Hex } from "viem";
import { browserStore, copyName, type ReloadRecord, type ReloadStore } from "@/components/api/browser/reload-store";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { Context } from "@/sdk/context/context";
import { requireOwnViewer, type Viewer } from "@/sdk/context/viewing/viewer";
import { IDLE_MS } from "./idle-lock";
import type { ShownFunds, VaultOwner } from "./protocol";

/** How often to store the time of the last input, in milliseconds. */
const NOTE_MS = 30_000;
/** How often to renew the share, in milliseconds: the service's windows last three minutes. */
const RENEW_MS = 180_000;
/** The length of a viewing key, which the copy begins with, in bytes. */
const KEY_BYTES = 32;
/** The copy's length is a multiple of this, in bytes, so that it shows nothing about amounts. */
const PADDED_TO = 2_048;

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

/** The two keys that a copy is encrypted under, for one window of the service's shares. */
interface CopyKeys {
  window: number;
  inner: CryptoKey;
  outer: CryptoKey;
}

/** Writes the copy's content: the viewing key, then the balances as JSON, padded with spaces. */
function contentOf(secret: Uint8Array, shown: ShownFunds | undefined): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(shown ?? null));
  const length = Math.ceil((KEY_BYTES + json.length) / PADDED_TO) * PADDED_TO;
  const content = new Uint8Array(length).fill(" ".charCodeAt(0));
  content.set(secret);
  content.set(json, KEY_BYTES);
  return content;
}

/** The copy of one account's viewing key in this browser, with the balances that were shown last. */
export class ReloadCopy {
  private renew: ((lastInput: number) => Promise<void>) | undefined;
  private rewrite: ((lastInput: number) => Promise<void>) | undefined;
  private record: ReloadRecord | undefined;
  private shown: ShownFunds | undefined;
  /** The write under way. The next one waits for it, so that an older copy never replaces a newer one. */
  private writing: Promise<unknown> = Promise.resolve();
  private notedAt = 0;
  private renewedAt = 0;
  private closed = false;

  constructor(private readonly store: ReloadStore = browserStore) {}

  /** Encrypts and stores the viewing key. */
  async keep(owner: VaultOwner, context: Context, secret: Uint8Array, lastInput: number): Promise<void> {
    const own = new Uint8Array(secret);
    const encrypt = async ({ window, inner, outer }: CopyKeys, at: number) => {
      // One nonce for both is safe, because each encryption uses its own key.
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const once = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, inner, contentOf(own, this.shown));
      const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, outer, once);
      await this.write({ owner, lastInput: at, window, key: outer, iv, encrypted });
    };
    this.renew = (lastAt) =>
      this.inTurn(async () => {
        const { window, share } = await shareOf(context);
        const inner = await shareKey(share, owner);
        const outer = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
        const keys = { window, inner, outer };
        await encrypt(keys, lastAt);
        this.renewedAt = lastAt;
        this.rewrite = (at) => encrypt(keys, at);
      });
    await this.renew(lastInput);
  }

  /** Puts into the copy what the page shows of the account's balances, in place of what it had. */
  async keepFunds(shown: ShownFunds, lastInput: number): Promise<void> {
    this.shown = shown;
    // Without a copy yet, the next one has it.
    await this.inTurn(async () => this.rewrite?.(lastInput));
  }

  private inTurn(write: () => Promise<void>): Promise<void> {
    const done = this.writing.then(write);
    this.writing = done.catch(() => {});
    return done;
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
      this.notedAt = lastInput;
      await this.inTurn(async () => this.record && this.write({ ...this.record, lastInput }));
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
   *
   * @param decrypted called before the comparison: the chain may not respond
   */
  async open(
    owner: VaultOwner,
    context: Context,
    decrypted?: (copy: { shown: ShownFunds | undefined; lastInput: number }) => void,
  ): Promise<{ viewer: Viewer; shown: ShownFunds | undefined; lastInput: number } | null> {
    const record = await this.store.read(owner);
    if (!record) return null;
    const idle = Date.now() - record.lastInput;
    // Setting the clock back must not extend the time.
    if (idle >= IDLE_MS || idle < 0) {
      await this.store.delete(owner);
      return null;
    }
    try {
      // In the meantime, because on a slow line each of them takes long.
      const reading = Promise.all([context.chain(), context.scope()]);
      reading.catch(() => {});
      const { viewer, shown } = await this.decrypt(record, owner, context);
      decrypted?.({ shown, lastInput: record.lastInput });
      const [chain] = await reading;
      await requireOwnViewer(chain, viewer, undefined);
      this.shown = shown;
      await this.keep(owner, context, viewer.viewingKey.secret, record.lastInput);
      return { viewer, shown, lastInput: record.lastInput };
    } catch (error) {
      const silent = error instanceof Error && "code" in error && error.code === "unavailable";
      if (!silent) await this.store.delete(owner);
      throw error;
    }
  }

  private async decrypt({ window, iv, key, encrypted }: ReloadRecord, owner: VaultOwner, context: Context) {
    const shares = await shareOf(context, window);
    const inner = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, encrypted);
    const under = async (share: Hex) =>
      crypto.subtle.decrypt({ name: "AES-GCM", iv }, await shareKey(share, owner), inner);
    const plain = await under(shares.share).catch((error) => {
      if (shares.other_share) return under(shares.other_share);
      throw error;
    });
    const secret = new Uint8Array(plain.slice(0, KEY_BYTES));
    const shown: ShownFunds | null = JSON.parse(new TextDecoder().decode(plain.slice(KEY_BYTES)));
    const viewingKey = { secret, publicKey: x25519.getPublicKey(secret) };
    const viewer: Viewer = { account: owner.address.toLowerCase() as Address, viewingKey };
    return { viewer, shown: shown ?? undefined };
  }

  /** Deletes the copy for good. */
  async forget(owner: VaultOwner): Promise<void> {
    this.closed = true;
    await this.store.delete(owner);
  }
}
