import type { Address, Hex } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { openHeld, sealHeld } from "@/lib/ledger/seal/held";
import type { Context } from "../context/context";
import { type Rotating, secretOf } from "./resalt";

interface StaleHeld {
  held: { transaction_id: string; agent: Address; asset: Address; sealed: Hex; secret_version: number }[];
  has_more: boolean;
}

/** What was encrypted again, and what can't be decrypted: it stays as it is, and keeps nothing else back. */
export interface EncryptedAgain {
  held: number;
  /** Payments awaiting approval that can't be decrypted, so no one can approve them. */
  heldUnread: string[];
}

/** The most of one request. The service takes 200. */
const AT_ONCE = 100;

/** Encrypts payments awaiting approval under the next version of the secret, a bounded piece at a time. */
export async function encryptAgain(context: Context, { scope, versions, next }: Rotating): Promise<EncryptedAgain> {
  const result: EncryptedAgain = { held: 0, heldUnread: [] };
  const session = await context.session();
  const to = deriveHeldKey(next.secret, scope).publicKey;
  for (let after: string | undefined; ; ) {
    const page = await session.get<StaleHeld>("/api/budget-secret/held", { after, limit: AT_ONCE });
    const held: { transaction_id: string; sealed: Hex }[] = [];
    for (const { transaction_id, agent, asset, sealed, secret_version } of page.held) {
      const before = versions(secret_version);
      try {
        const place = { id: transaction_id, agent: lowerCase(agent), asset };
        const secret = secretOf(context, scope, before, place.agent);
        const text = await openHeld(deriveHeldKey(before.secret, scope).secret, secret, scope, place, fromHex(sealed));
        const fresh = await sealHeld(to, secretOf(context, scope, next, place.agent), scope, text);
        held.push({ transaction_id, sealed: toHex(fresh) });
      } catch {
        result.heldUnread.push(transaction_id);
      }
    }
    if (held.length > 0) {
      const body = { secret_version: next.secretVersion, held };
      result.held += (await session.post<{ held: number }>("/api/budget-secret/sealed", body)).held;
    }
    after = page.held.at(-1)?.transaction_id;
    if (!page.has_more || after === undefined) return result;
  }
}
