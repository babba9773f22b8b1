import type { Address, Hex } from "viem";
import type { availableStates } from "@/db/schema/ledger";

/** An available balance commitment that a final event replaced. */
export interface AvailableChange {
  account: Address;
  asset: Address;
  oldCommitment: Hex;
  newCommitment: Hex;
  txHash: Hex;
}

/** An operation that a final event carried out, no matter who sent the transaction. */
export interface CarriedOut {
  operationId: string;
  txHash: Hex;
}

/** A logged available balance state, and whether the index shows the payment that makes it. */
export interface StateRow {
  id: bigint;
  account: Hex;
  asset: Hex;
  oldCommitment: Hex;
  commitment: Hex;
  status: (typeof availableStates.status.enumValues)[number];
  operationId: string | null;
  /**
   * Whether a payment makes this state. Payments are identified by note or payment id, because another payment may
   * leave the same commitment.
   */
  ofPayment: boolean;
  /** Whether that payment is on chain. */
  shown: boolean;
  /** Whether it is on chain in a transaction of this operation. */
  own: boolean;
}

/** The result of judging the states of one available balance. */
interface Verdict {
  carriedOut: CarriedOut[];
  final: bigint | null;
  superseded: bigint[];
  /** Pending states of the final commitment that another operation made. They will never be used. */
  twins: bigint[];
  /** The last state that became final before a commitment that the log lacks. */
  past: bigint | null;
  /** Operations that can never become final, given these commitments. */
  doubtful: string[];
}

/**
 * Judges the states of one available balance (oldest first) by its final commitments, in the order of the chain. The
 * state of the last commitment is final, and those before it are superseded. A pending state that does not build on it
 * can never become final. A state made by a payment becomes final with that payment; the same commitment is not enough.
 * If the log lacks the last commitment, the previous state is kept as `past`, because it contains an agent's counters.
 */
export function compareStatesWithIndex(states: readonly StateRow[], changes: readonly AvailableChange[]): Verdict {
  const hashOf = new Map(changes.map(({ newCommitment, txHash }) => [newCommitment, txHash]));
  const last = changes.at(-1)?.newCommitment;
  const becameFinal = new Set([...hashOf.keys()].flatMap((commitment) => stateThatMade(commitment, states)?.id ?? []));
  const final = states.find(({ id, commitment }) => commitment === last && becameFinal.has(id));
  const reachable = new Set<Hex>(last ? [last] : []);
  const before = ancestorsOf(
    final,
    states.filter(({ id, commitment }) => becameFinal.has(id) || !hashOf.has(commitment)),
  );
  const wereFinal = states.filter(({ id, status }) => becameFinal.has(id) || status === "final" || status === "past");
  const past = final ? null : (wereFinal.at(-1)?.id ?? null);
  const verdict: Verdict = {
    carriedOut: [],
    final: final?.id ?? null,
    superseded: [],
    twins: [],
    past,
    doubtful: [],
  };
  for (const state of states) {
    const txHash = hashOf.get(state.commitment);
    if (txHash !== undefined && becameFinal.has(state.id)) {
      if (state.operationId) verdict.carriedOut.push({ operationId: state.operationId, txHash });
      if (state.id !== final?.id && state.id !== past) verdict.superseded.push(state.id);
    } else if (before.has(state.id)) {
      // The final commitment builds on this state, so it became final in a block whose events are not among these.
      if (state.operationId && state.status === "pending") verdict.doubtful.push(state.operationId);
      verdict.superseded.push(state.id);
    } else if (state.status === "pending" && final && state.id > final.id && reachable.has(state.oldCommitment)) {
      reachable.add(state.commitment);
    } else if (state.status === "pending") {
      if (state.operationId) verdict.doubtful.push(state.operationId);
      if (state.commitment === final?.commitment) verdict.twins.push(state.id);
    } else if (state.id !== past && (state.status !== "void" || (final && state.id < final.id))) {
      verdict.superseded.push(state.id);
    }
  }
  return verdict;
}

/**
 * Returns the state whose commitment became final: the one whose payment is on chain. A payment retried from the same
 * commitment has several states but happened once. Prefers the operation that sent it, then one that has not failed.
 */
function stateThatMade(commitment: Hex, states: readonly StateRow[]): StateRow | undefined {
  const candidates = states.filter((state) => state.commitment === commitment && (!state.ofPayment || state.shown));
  const rank = ({ own, status }: StateRow) => (own ? 2 : 0) + (status === "void" ? 0 : 1);
  return candidates.reduce<StateRow | undefined>(
    (best, state) => (best === undefined || rank(state) >= rank(best) ? state : best),
    undefined,
  );
}

/** Returns the states on which the final one builds, directly or indirectly. */
function ancestorsOf(final: StateRow | undefined, states: readonly StateRow[]): Set<bigint> {
  const found = new Set<bigint>();
  let child = final;
  while (child) {
    const { id, oldCommitment }: StateRow = child;
    child = states.findLast((state) => state.commitment === oldCommitment && state.id < id && state.status !== "void");
    if (child) found.add(child.id);
  }
  return found;
}
