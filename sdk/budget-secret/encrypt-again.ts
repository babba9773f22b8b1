import type { Address, Hex } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { openAgentWallet, sealAgentWallet } from "@/lib/ledger/seal/agent-wallet";
import { openHeld, sealHeld } from "@/lib/ledger/seal/held";
import type { Context } from "../context/context";
import { type Rotating, secretOf } from "./resalt";

interface StaleAgents {
  agents: { account_id: string; public_key: Address; wallet: Hex; secret_version: number }[];
  has_more: boolean;
}

interface StaleHeld {
  held: { transaction_id: string; agent: Address; asset: Address; sealed: Hex; secret_version: number }[];
  has_more: boolean;
}

/** What was encrypted again, and what can't be decrypted: it stays as it is, and keeps nothing else back. */
export interface EncryptedAgain {
  agents: number;
  held: number;
  /** Addresses of agents whose wallet key can't be decrypted: their own keys cannot pay. */
  agentsUnread: Address[];
  /** Payments awaiting approval that can't be decrypted, so no one can approve them. */
  heldUnread: string[];
}

/** The most of one request. The service takes 200. */
const AT_ONCE = 100;

/** Encrypts under the next version of the secret what is still under earlier ones, a bounded piece at a time. */
export async function encryptAgain(context: Context, rotating: Rotating): Promise<EncryptedAgain> {
  const result: EncryptedAgain = { agents: 0, held: 0, agentsUnread: [], heldUnread: [] };
  await sealAgents(context, rotating, result);
  await sealHeldPayments(context, rotating, result);
  return result;
}

async function sealAgents(
  context: Context,
  { scope, versions, next }: Rotating,
  result: EncryptedAgain,
): Promise<void> {
  const session = await context.session();
  for (let after: string | undefined; ; ) {
    const page = await session.get<StaleAgents>("/api/budget-secret/agents", { after, limit: AT_ONCE });
    const agents = page.agents.flatMap(({ account_id, public_key, wallet, secret_version }) => {
      const agent = lowerCase(public_key);
      try {
        const before = secretOf(context, scope, versions(secret_version), agent);
        const key = openAgentWallet(before, { scope, agent }, fromHex(wallet));
        const fresh = sealAgentWallet(secretOf(context, scope, next, agent), { scope, agent }, key);
        return [{ account_id, wallet: toHex(fresh) }];
      } catch {
        result.agentsUnread.push(agent);
        return [];
      }
    });
    if (agents.length > 0) {
      const body = { secret_version: next.secretVersion, agents, held: [] };
      result.agents += (await session.post<{ agents: number }>("/api/budget-secret/sealed", body)).agents;
    }
    after = page.agents.at(-1)?.account_id;
    if (!page.has_more || after === undefined) return;
  }
}

async function sealHeldPayments(context: Context, rotating: Rotating, result: EncryptedAgain): Promise<void> {
  const { scope, versions, next } = rotating;
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
      const body = { secret_version: next.secretVersion, agents: [], held };
      result.held += (await session.post<{ held: number }>("/api/budget-secret/sealed", body)).held;
    }
    after = page.held.at(-1)?.transaction_id;
    if (!page.has_more || after === undefined) return;
  }
}
