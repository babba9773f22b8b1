import type { Address } from "viem";
import type { AvailableOpening } from "../crypto/commitments";
import { EMPTY_AVAILABLE } from "../crypto/commitments";
import type { AccountHistory } from "../history/account-history";
import { lowerCase } from "../prepare/next-state";
import type { AuthorityDraft } from "./authority-documents";
import type { LedgerParty } from "./ledger-record";
import { lossOf } from "./plan-abandon";
import { planAgentSigners } from "./plan-agent-signers";

/** The owner or one of its agents, and all its money according to chain data. */
export interface RotatingParty extends LedgerParty {
  history: AccountHistory;
}

/**
 * An available balance that gets a new salt, through a move to the available balance of nothing with this opening and
 * nonce.
 */
interface Resalting {
  account: Address;
  asset: Address;
  available: AvailableOpening;
  nonce: bigint;
}

/**
 * The transactions of a rotation of the account secret. `setPaymentKey` comes first, because no other key can interfere
 * with it. Then the agents' signers and all parties' moves to the available balance follow, in parallel; those of one
 * party one after the other.
 */
interface RotationPlan {
  setPaymentKey: AuthorityDraft<"set_payment_key">;
  setAgentSigners: AuthorityDraft<"set_agent_signer">[];
  resalt: Resalting[][];
  /** Available balances that can't be opened. They don't hold up the rotation, and the owner may abandon them. */
  lost: { account: Address; asset: Address }[];
}

/** The new keys of a rotation. Times are Unix seconds. */
interface RotationRequest {
  paymentKey: Address;
  /** At most 366 days ahead. */
  paymentKeyUntil: bigint;
  /** Returns an agent's new signer; null to end the agent. Not called for agents that have ended. */
  signerOf: (agent: Address) => Address | null;
  now: bigint;
  deadline: bigint;
}

/**
 * Plans a rotation from chain data only: for `owner` and all of its agents on chain, including those that the service
 * leaves out.
 *
 * @throws LedgerError if a party is not an agent of this owner
 */
export function planRotation(
  owner: RotatingParty,
  agents: readonly RotatingParty[],
  { paymentKey, paymentKeyUntil, signerOf, now, deadline }: RotationRequest,
): RotationPlan {
  const account = lowerCase(owner.address);
  const nonce = owner.record.nonce;
  const parties = [{ ...owner, nonce: nonce + 1n }, ...agents.map((each) => ({ ...each, nonce: each.record.nonce }))];
  return {
    setPaymentKey: {
      kind: "set_payment_key",
      account,
      payment_key: lowerCase(paymentKey),
      payment_key_until: paymentKeyUntil.toString(),
      nonce: nonce.toString(),
      deadline: deadline.toString(),
    },
    setAgentSigners: planAgentSigners(account, agents, signerOf, now, deadline),
    resalt: parties.map(resaltingsOf).filter((some) => some.length > 0),
    lost: parties.flatMap(({ address, history }) =>
      [...history.assets].flatMap(([asset, held]) => (lossOf(held) ? [{ account: lowerCase(address), asset }] : [])),
    ),
  };
}

function resaltingsOf({ address, history, nonce }: RotatingParty & { nonce: bigint }): Resalting[] {
  const open = [...history.assets].flatMap(([asset, { available, commitment }]) =>
    available && commitment !== EMPTY_AVAILABLE ? [{ asset, available }] : [],
  );
  return open.map(({ asset, available }, at) => ({
    account: lowerCase(address),
    asset,
    available,
    nonce: nonce + BigInt(at),
  }));
}
