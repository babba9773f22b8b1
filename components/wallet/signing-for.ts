/*
 * What the person has confirmed on this page, for the dialog of the signature that follows. A wallet shows only hashes
 * of an encrypted amount, from which no one can see what is paid.
 */

import { written } from "@/components/ui/amount";
import type { NetworkDocument } from "@/sdk/api/network-info";
import type { Purpose } from "./purposes";
import type { SignatureRequest } from "./signature-request";

/** A line of the dialog: `Amount`, `25 USDG`. */
interface SignedFact {
  name: string;
  value: string;
}

/** The contracts of a network for which a wallet signs. */
export type SignedContracts = Pick<NetworkDocument, "chain_id" | "ledger" | "assets">;

/** A running act, and what is known of it. */
export interface ActToSign {
  /** Structs that this act has signed, by primary type; null for a transaction of the wallet's own. */
  types: readonly (string | null)[];
  facts: readonly SignedFact[];
  /** Says what the signature does, if the struct alone does not say what this act is. */
  purpose?: Purpose;
  /** The same by primary type, of an act that signs several. */
  purposes?: Readonly<Record<string, Purpose>>;
}

/** Returns what an act says that a signature does; undefined if the struct alone says it. */
export function purposeIn(act: ActToSign | null, request: SignatureRequest): Purpose | undefined {
  const type = request.kind === "typed-data" ? request.data.primaryType : "";
  return act?.purposes?.[type] ?? act?.purpose;
}

/** By how much a move to the available balance changes an available balance. */
export interface AvailableMove {
  kind: "more" | "less";
  /** Decimal string. */
  by: string;
  /** How many transactions it takes, each of which the wallet signs. */
  signatures: number;
}

/** The parts of an act's input that the dialog shows. */
interface ActInput {
  amount?: string | undefined;
  /** The available balance afterwards, instead of `amount`. */
  available?: string | undefined;
  asset?: string | undefined;
  to?: string | undefined;
  /** An agent that pays, under either name, or whose money is made available. */
  from?: string | undefined;
  agent?: string | undefined;
  /** With `available`: the change that leads to it. */
  move?: AvailableMove | undefined;
}

const balanceOf = (agent: string | undefined) => (agent ? `Available balance of ${agent}` : "Your available balance");

/** Returns an act's amount, asset, source and target for its signature dialog. Leaves out what is unknown. */
export function actToSign(method: string, input: ActInput): ActToSign {
  const { amount, available: after, asset = "USDG", to, from, agent, move } = input;
  const lines = (source: string, target: string | undefined): SignedFact[] => [
    ...(amount === undefined ? [] : [{ name: "Amount", value: `${written(amount)} ${asset}` }]),
    { name: "From", value: source },
    ...(target === undefined ? [] : [{ name: "To", value: target }]),
  ];
  switch (method) {
    case "deposit":
      return { types: ["ReceiveWithAuthorization", null], facts: lines("Your wallet", "Your deposited balance") };
    case "makeAvailable": {
      const source = agent ? `What ${agent} received` : "Not yet available";
      if (after === undefined) return { types: ["MakeAvailable"], facts: lines(source, balanceOf(agent)) };
      const target = { name: "Available afterwards", value: `${written(after)} ${asset}` };
      if (!move) return { types: ["MakeAvailable"], facts: [{ name: "Of", value: balanceOf(agent) }, target] };
      const back = agent ? `Received balance of ${agent}` : "Not yet available";
      const [left, right] = move.kind === "more" ? [source, balanceOf(agent)] : [balanceOf(agent), back];
      const times = move.signatures > 1 ? ` in ${move.signatures} transactions` : "";
      const facts = [
        { name: "Amount", value: `${written(move.by)} ${asset}${times}` },
        { name: "From", value: left },
        { name: "To", value: right },
        target,
      ];
      return { types: ["MakeAvailable"], facts };
    }
    case "withdraw":
      return { types: ["Release", "SpendPublic"], facts: lines(balanceOf(from ?? agent), to) };
    default:
      return { types: ["Transfer", "Spend", "Fund", "TransferMany"], facts: lines(balanceOf(from ?? agent), to) };
  }
}

let current: ActToSign | null = null;
const listeners = new Set<() => void>();

function say(act: ActToSign | null): void {
  current = act;
  for (const listener of listeners) listener();
}

/** Runs an act. Meanwhile the signature dialog can show what the act is about. */
export async function signingFor<T>(act: ActToSign, work: () => Promise<T>): Promise<T> {
  say(act);
  try {
    return await work();
  } finally {
    // Unless a later act has replaced it.
    if (current === act) say(null);
  }
}

/**
 * Runs work that has one act after another signed. Meanwhile the signature dialog can show the latest.
 *
 * @param work is given a function to call with each act before its signature
 */
export async function signingEach<T>(work: (next: (act: ActToSign) => void) => Promise<T>): Promise<T> {
  let last: ActToSign | null = null;
  try {
    return await work((act) => {
      last = act;
      say(act);
    });
  } finally {
    if (current === last) say(null);
  }
}

/** Calls the listener when the act changes. Returns a function that unsubscribes. */
export function subscribeSigning(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The struct that is signed for a token (EIP-3009). The ledger checks all others. */
const OF_TOKEN = "ReceiveWithAuthorization";

/**
 * Returns the running act if a signature is for it; null for a signature of something else, also if it has the same
 * name: of another network, or checked by another contract.
 */
export function actBeingSigned(request: SignatureRequest, { chain_id, ledger, assets }: SignedContracts) {
  const tokens = assets.map(({ address }) => address);
  const isOneOf = (to: string | undefined, contracts: readonly string[]) =>
    contracts.some((contract) => contract.toLowerCase() === to?.toLowerCase());
  const isHere = () => {
    if (request.kind === "transaction")
      return request.chainId === chain_id && isOneOf(request.call.to, [ledger, ...tokens]);
    if (request.kind === "message") return false;
    const { domain, primaryType } = request.data;
    return (
      domain.chainId === chain_id && isOneOf(domain.verifyingContract, primaryType === OF_TOKEN ? tokens : [ledger])
    );
  };
  const type = request.kind === "typed-data" ? request.data.primaryType : null;
  return current?.types.includes(type) && isHere() ? current : null;
}
