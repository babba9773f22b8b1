import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import { readPolicy } from "@/lib/agents/pending-policy";
import { policyOfRow } from "@/lib/agents/policy-row";
import { pauseAgent, resumeAgent } from "@/lib/agents/set-status";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { approve } from "@/lib/payments/approve";
import { createTransfer } from "@/lib/payments/create-transfer";
import type { Owner } from "@/test/accounts/owner";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { asOwner } from "@/test/services/as-owner";
import type { Attack } from "../findings";
import { allSettled, CHAIN, enrolled, noOnesKey, type Victim, victim } from "../site";

const WRITTEN = ["accounts", "spend_policies", "agents", "ledger_accounts"];

/**
 * Someone who can write any row and has no key. The service itself is honest and is asked to pay what the rows now
 * allow.
 */
export const databaseWriter: Attack = {
  who: "A writer of the database, no more",
  holds: "every row, to write as it likes",
  shows: "invariant 21",
  async attack(findings) {
    const it = await victim();
    const { owner, agent, payee } = it;
    const [stranger, key] = [await enrolled(), await agent.key()];
    const holder = agent.account.id;
    const at = ({ address }: Owner) => `'\\x${address.slice(2)}'`;
    const pays = (amount: string, to = payee) => paid(key, to.account.handle, amount);
    const policy = (change: string) => `update spend_policies set ${change} where holder_id = '${holder}'`;
    const refused = "policy_not_in_force";

    const loose = "per_transaction_limit = 900000000, daily_limit = 900000000, hitl_threshold = 900000000";
    await findings.cannot(
      "raise the agent's limits",
      writing(policy(loose), () => pays("30")),
      refused,
    );
    const anyone = `allowed_recipients = '["*"]', any_recipient = true`;
    await findings.cannot(
      "let it pay anyone",
      writing(policy(anyone), () => pays("1", stranger)),
      refused,
    );
    const more = `allowed_recipients = allowed_recipients || '["@${stranger.account.handle}"]'`;
    await findings.cannot(
      "add a recipient",
      writing(policy(more), () => pays("1", stranger)),
      refused,
    );
    const known = `resolved = resolved || '["${stranger.address}"]'`;
    await findings.cannot(
      "add the address of one",
      writing(policy(known), () => pays("1", stranger)),
      "policy_violation",
    );
    const handle = `update accounts set address = ${at(stranger)} where id = '${payee.account.id}'`;
    const swapped = `delete from accounts where id = '${stranger.account.id}'; ${handle}`;
    await findings.cannot(
      "move a recipient's handle to another address",
      writing(swapped, () => pays("1")),
      "policy_violation",
    );
    await findings.cannot(
      "widen its hours",
      writing(policy("active_hours = '00:00-23:59'"), () => pays("1")),
      refused,
    );

    const viewing = `update ledger_accounts set viewing_key = '\\x${toHex(noOnesKey(agent)).slice(2)}' where address = ${at(payee)}`;
    await findings.cannot(
      "have a payment encrypted for another key",
      writing(viewing, () => received(it, key)),
      "not paid",
    );

    const waits = await held(key, payee.account.handle, "6");
    const [row] = await db().execute<{ encrypted: Buffer }>(
      sql`select encrypted from held_payments where id = ${waits}`,
    );
    await approve(await owner.key(), waits, {});
    await allSettled(agent);
    const again = `update held_payments set status = 'pending_approval', decided_at = null, transfer_id = null,
      encrypted = '\\x${Buffer.from(row?.encrypted ?? []).toString("hex")}', expires_at = now() + interval '1 day' where id = '${waits}'`;
    const notes = (await payee.openNotes()).length;
    await findings.cannot(
      "have a held payment paid twice",
      writing(again, () => twice(it, waits, notes)),
      "paid once",
    );

    await turn(it, true);
    const unpaused = `update agents set status = 'active' where account_id = '${holder}'`;
    await findings.cannot(
      "end a pause that its owner signed",
      writing(unpaused, () => pays("1")),
      refused,
    );
    const stopped = `update agents set status = 'paused' where account_id = '${holder}'`;
    await turn(it, false);
    await findings.can(
      "stop an agent",
      writing(stopped, () => pays("1")),
      "policy_violation",
    );
  },
};

/** Writes rows as the owner of all tables, returns the outcome of `then`, and restores the rows. */
function writing(statement: string, then: () => Promise<string>): Promise<string> {
  return asOwner(async (tables) => {
    await tables`set session_replication_role = replica`; // no triggers and no foreign keys
    for (const name of WRITTEN) await tables.unsafe(`create temporary table "was_${name}" as table "${name}"`);
    await tables.unsafe(statement);
    try {
      return await then();
    } finally {
      for (const name of WRITTEN) {
        await tables.unsafe(`begin; delete from "${name}"; insert into "${name}" table "was_${name}"; commit`);
      }
    }
  });
}

/** Returns the service's response to a payment by the agent. */
async function paid(key: KeyContext, handle: string, amount: string): Promise<string> {
  try {
    const created = await createTransfer(key, { asset: "USDG", confidential: true, to: `@${handle}`, amount });
    return created.outcome;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

async function held(key: KeyContext, handle: string, amount: string): Promise<string> {
  const created = await createTransfer(key, { asset: "USDG", confidential: true, to: `@${handle}`, amount });
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held.id;
}

/** Returns whose viewing key a payment was encrypted for. */
async function received({ agent, payee }: Victim, key: KeyContext): Promise<string> {
  const before = (await payee.openNotes()).length;
  if ((await paid(key, payee.account.handle, "1")) !== "paid") return "not paid";
  await allSettled(agent);
  return (await payee.openNotes()).length === before + 1 ? "read by its recipient" : "not read by its recipient";
}

/** Repeats an approval, and returns whether it was paid again. */
async function twice({ owner, agent, payee }: Victim, id: string, notes: number): Promise<string> {
  await approve(await owner.key(), id, {}).catch(() => {});
  await allSettled(agent);
  return (await payee.openNotes()).length === notes ? "paid once" : "paid twice";
}

/** Pauses or resumes the agent, by the owner's wallet. */
async function turn({ owner, agent }: Victim, paused: boolean): Promise<void> {
  const [row] = await db().select().from(spendPolicies).where(eq(spendPolicies.holderId, agent.account.id));
  if (!row) throw new Error("the agent has no policy");
  const { policyVersion } = await readPolicy(CHAIN, agent.account);
  const next = { policy: policyOfRow(row), paused, version: policyVersion + 1n };
  const signed = await signPolicyAs(owner, agent.address, next);
  await (paused ? pauseAgent : resumeAgent)(owner.session, agent.account.id, signed);
  await allSettled(agent);
}
