import { createHmac } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { openOffers } from "@/db/schema/connections";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { scopeOf } from "@/lib/chain/scope-of";
import { decrypt, encrypt } from "@/lib/ledger/crypto/aead";
import { concat, fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { hkdf } from "@/lib/ledger/crypto/hkdf";

/**
 * Stores an agent's payments to sellers that have not delivered yet, shared by all its tokens and all processes. Names
 * and texts contain prices and addresses, so they are protected with keys that only the agent's tokens can derive.
 */
export class OpenOffers {
  private made: Promise<{ names: Uint8Array; texts: Uint8Array }> | undefined;

  constructor(private readonly ctx: KeyContext) {}

  /** Returns the text stored under a name, or undefined if there is none. */
  async get(name: string): Promise<string | undefined> {
    const at = await this.at(name);
    const [row] = await db()
      .select({ encrypted: openOffers.encrypted })
      .from(openOffers)
      .where(and(eq(openOffers.agentId, this.ctx.account.id), eq(openOffers.name, at)));
    if (!row) return undefined;
    const { texts } = await this.keys();
    return new TextDecoder().decode(decrypt(texts, this.aad(at), fromHex(row.encrypted), "open offer"));
  }

  /** Stores a text under a name. Resolves once the text is durable. */
  async set(name: string, text: string): Promise<void> {
    const { agentId, name: at, ...row } = await this.row(name, text);
    await db()
      .insert(openOffers)
      .values({ agentId, name: at, ...row })
      .onConflictDoUpdate({ target: [openOffers.agentId, openOffers.name], set: row });
  }

  /** Like `set`, for a name without a text. Resolves with `false`, changing nothing, if it has one. */
  async add(name: string, text: string): Promise<boolean> {
    const stored = await db()
      .insert(openOffers)
      .values(await this.row(name, text))
      .onConflictDoNothing()
      .returning({ name: openOffers.name });
    return stored.length > 0;
  }

  async delete(name: string): Promise<void> {
    const mine = and(eq(openOffers.agentId, this.ctx.account.id), eq(openOffers.name, await this.at(name)));
    await db().delete(openOffers).where(mine);
  }

  private async row(name: string, text: string) {
    const at = await this.at(name);
    const { texts } = await this.keys();
    const encrypted = toHex(encrypt(texts, this.aad(at), utf8(text)));
    return { agentId: this.ctx.account.id, name: at, encrypted, createdAt: new Date() };
  }

  private async at(name: string) {
    const { names } = await this.keys();
    return toHex(createHmac("sha256", names).update(name).digest());
  }

  private aad(at: `0x${string}`): Uint8Array {
    return concat(fromHex(this.ctx.account.address), fromHex(at));
  }

  private keys() {
    this.made ??= this.derive();
    return this.made;
  }

  private async derive() {
    const [flagKey, scope] = await Promise.all([this.ctx.unwrapFlagKey(), scopeOf(this.ctx.chainId)]);
    if (!flagKey) throw new ApiError("unauthorized", "Connect the application again.");
    return { names: hkdf(flagKey, "open offer names", scope), texts: hkdf(flagKey, "open offers", scope) };
  }
}
