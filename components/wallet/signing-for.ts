/*
 * What the person has confirmed on this page, for the dialog of the signature that it needs: a wallet shows hashes of an
 * encrypted amount, and no one can see in those what is paid.
 */

/** A line of the dialog: `Amount`, `25 USDG`. */
export interface SignedFact {
  name: string;
  value: string;
}

/** An act that is under way, and what is known of it. */
export interface ActToSign {
  /** Primary types of the structs that this act has signed; null: a transaction of the wallet's own. */
  types: readonly (string | null)[];
  facts: readonly SignedFact[];
}

/** The input of an act that moves money, as far as it is said. */
interface ActInput {
  amount?: string | undefined;
  /** The available balance afterwards, in place of `amount`. */
  budget?: string | undefined;
  asset?: string | undefined;
  to?: string | undefined;
  /** An agent that pays, or whose money is made available. */
  from?: string | undefined;
  agent?: string | undefined;
}

const balanceOf = (agent: string | undefined) => (agent ? `Available balance of ${agent}` : "Your available balance");

/** Amount, asset, from and to of an act, for its signature. What is not known is not said. */
export function actToSign(method: string, input: ActInput): ActToSign {
  const { amount, budget: after, asset = "USDG", to, from, agent } = input;
  const lines = (source: string, target: string | undefined): SignedFact[] => [
    ...(amount === undefined ? [] : [{ name: "Amount", value: `${amount} ${asset}` }]),
    { name: "From", value: source },
    ...(target === undefined ? [] : [{ name: "To", value: target }]),
  ];
  switch (method) {
    case "deposit":
      return { types: ["ReceiveWithAuthorization", null], facts: lines("Your wallet", "Your deposited balance") };
    case "allocate": {
      const source = agent ? `What ${agent} received` : "Received and deposited money";
      if (after === undefined) return { types: ["Allocate"], facts: lines(source, balanceOf(agent)) };
      return { types: ["Allocate"], facts: [{ name: balanceOf(agent), value: `${after} ${asset} afterwards` }] };
    }
    case "withdraw":
      return { types: ["Release", "SpendPublic"], facts: lines(balanceOf(from), to) };
    default:
      return { types: ["Transfer", "Spend", "Fund", "TransferMany"], facts: lines(balanceOf(from), to) };
  }
}

let current: ActToSign | null = null;
const listeners = new Set<() => void>();

function say(act: ActToSign | null): void {
  current = act;
  for (const listener of listeners) listener();
}

/** Runs an act; while it runs, the dialog of its signature can say what it is about. */
export async function signingFor<T>(act: ActToSign, work: () => Promise<T>): Promise<T> {
  say(act);
  try {
    return await work();
  } finally {
    // A later act has said its own.
    if (current === act) say(null);
  }
}

/** Hears of a change; returns what ends that. */
export function subscribeSigning(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the act under way says of a signature of this type; nothing where the signature is of something else. */
export function factsToSign(primaryType: string | null): readonly SignedFact[] {
  return current?.types.includes(primaryType) ? current.facts : NONE;
}

const NONE: readonly SignedFact[] = [];
