import { and, eq, inArray } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { operations } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { ledgerCallOf } from "@/lib/chain/ledger-call";
import { inLowerCase, type LedgerEvent } from "@/lib/ledger/ledger-events";
import type { CarriedOut } from "./compare-states-with-index";

const DECISIONS = ["PolicySet", "AgentSignerSet", "Guarded", "PaymentKeySet", "Abandoned"] as const;
type Decision = LedgerEvent<(typeof DECISIONS)[number]>;

const isDecision = (event: LedgerEvent): event is Decision => DECISIONS.some((name) => name === event.eventName);

/**
 * Finds the operations that set policies, signers or the guard, or give up available balances, as final events show, no
 * matter who sent the transaction: anyone may send what a wallet has signed. If another policy took their place, they
 * fail by its version (`failOutdated`).
 */
export async function settleAuthority(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<CarriedOut[]> {
  const decisions = events.filter(isDecision);
  if (decisions.length === 0) return [];
  const pending = await tx
    .select({ id: operations.id, data: operations.data, version: operations.policyVersion })
    .from(operations)
    .where(
      and(
        eq(operations.chainId, chainId),
        eq(operations.status, "pending"),
        inArray(operations.kind, ["set_policy", "set_agent_signer", "set_guarded", "set_payment_key", "abandon"]),
      ),
    )
    .orderBy(operations.createdAt);
  return pending.flatMap(({ id, data, version }) => {
    const txHash = decidedBy(data, version, decisions);
    return txHash ? [{ operationId: id, txHash }] : [];
  });
}

/** Returns the transaction whose events carry out a call. */
function decidedBy(data: Hex, version: bigint | null, decisions: readonly Decision[]): Hex | undefined {
  const call = lowerCaseCallOf(data);
  if (call?.functionName === "setPolicy") {
    const [{ account, limited, recipientsRoot, documentHash, assets, commitments }] = call.args;
    const said = decisions.find(
      (event) =>
        event.eventName === "PolicySet" &&
        event.args.account === account &&
        event.args.policyVersion === (version ?? 0n) + 1n &&
        event.args.limited === limited &&
        event.args.recipientsRoot === recipientsRoot &&
        event.args.documentHash === documentHash &&
        event.args.assets.join() === assets.join() &&
        event.args.commitments.join() === commitments.join(),
    );
    return said?.transactionHash;
  }
  if (call?.functionName === "setGuarded") {
    const [account, guarded] = call.args;
    return decisions.find(
      ({ eventName, args }) => eventName === "Guarded" && args.account === account && args.guarded === guarded,
    )?.transactionHash;
  }
  if (call?.functionName === "setPaymentKey") {
    const [account, paymentKey, until] = call.args;
    const said = decisions.find(
      ({ eventName, args }) =>
        eventName === "PaymentKeySet" &&
        args.account === account &&
        args.paymentKey === paymentKey &&
        args.paymentKeyUntil === until,
    );
    return said?.transactionHash;
  }
  if (call?.functionName === "abandon") {
    // The call does not name the commitment that it gives up. Once the available balance is empty, every such call is
    // done.
    const [account, asset] = call.args;
    return decisions.find(
      ({ eventName, args }) => eventName === "Abandoned" && args.account === account && args.asset === asset,
    )?.transactionHash;
  }
  if (call?.functionName !== "setAgentSigner") return undefined;
  const [{ agents, signers, until }] = call.args;
  const hashes = agents.map(
    (agent, at) =>
      decisions.find(
        (event) =>
          event.eventName === "AgentSignerSet" &&
          event.args.agent === agent &&
          event.args.signer === signers[at] &&
          event.args.until === until,
      )?.transactionHash,
  );
  const [first] = hashes;
  return hashes.every((hash) => hash === first) ? first : undefined;
}

/** Decodes the ledger call of a row. Returns null for other data, which must not stop the index. */
function lowerCaseCallOf(data: Hex) {
  const call = ledgerCallOf(data);
  return call && inLowerCase(call);
}
