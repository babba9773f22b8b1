import type { Hex } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { HalcyonError } from "../api/errors";
import type { Operation } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { type Carried, relayOrSend } from "../context/relay-or-send";
import { signDraft } from "../context/sign-draft";

/** What the ledger reserves for the account's wallet. */
export interface GuardState {
  /** True when only the wallet sets policies and moves money between the account and its agents. */
  guarded: boolean;
  /** True when the account's own keys pay within a policy, `limits`. The account is then guarded too. */
  limited: boolean;
}

/** The result of changing the guard. */
export interface GuardSet {
  guarded: boolean;
  /** Null when the service sent the transaction without reporting it, and when nothing had to be sent. */
  tx_hash: Hex | null;
  by: Carried["by"] | null;
}

/** Reads from the chain what the ledger reserves for the wallet. Implements `security.guard`. */
export async function guardState(context: Context): Promise<GuardState> {
  const chain = await context.chain();
  const { guarded, limited } = await chain.account(context.wallet.address);
  return { guarded, limited };
}

/**
 * Turns the account's guard on or off, signed by the wallet. Implements `security.setGuard`. Sent by the service or, if
 * it does not send it, by the wallet.
 */
export async function setGuard(context: Context, on: boolean): Promise<GuardSet> {
  const [scope, chain] = await Promise.all([context.scope(), context.chain()]);
  const account = lowerCase(context.wallet.address);
  const [{ guarded, limited, nonce }, deadline] = await Promise.all([chain.account(account), chain.deadline()]);
  if (guarded === on) return { guarded, tx_hash: null, by: null };
  if (limited && !on) {
    throw new HalcyonError(
      "invalid_request",
      "An account whose keys have limits is guarded. Remove the limits first (`limits.clear`).",
    );
  }
  const draft = { kind: "set_guarded" as const, account, guarded: on };
  const document = await signDraft<"set_guarded">(
    scope,
    { ...draft, nonce: nonce.toString(), deadline: deadline.toString() },
    context.signer(),
  );
  const session = await context.session();
  const isDone = async () => (await chain.account(account)).guarded === on;
  const { by, tx_hash } = await relayOrSend(context, {
    what: on ? "Guard" : "The end of Guard",
    data: authorityCalldata(document),
    deadline: document.deadline,
    relay: () => session.post<Operation>("/api/guard", document),
    isDone,
    isVoid: async () => (await chain.account(account)).nonce !== nonce && !(await isDone()),
  });
  return { guarded: on, by, tx_hash };
}
