import path from "node:path";
import { fileOf, readImports } from "./imports";

/** A step: its file, and the function that an earlier step calls. */
type Step = readonly [file: string, called: string];

/** A part of the way: what it is, and its steps in the order of their calls. */
interface Part {
  name: string;
  steps: readonly Step[];
}

/**
 * What a reader opens, call by call, from the handler of `POST /v1/transfers` to the settled row of a payment that the
 * service signs. The chain is between the third part and the fourth.
 */
export const WAY: readonly Part[] = [
  {
    name: "the request",
    steps: [
      ["app/v1/transfers/route.ts", "POST"],
      ["lib/http/route.ts", "route"],
      ["lib/http/authenticate-caller.ts", "authenticateCaller"],
      ["lib/http/auth/authenticate-key.ts", "authenticateKey"],
    ],
  },
  {
    name: "the payment",
    steps: [
      ["lib/payments/create-transfer.ts", "createTransfer"],
      ["lib/payments/pay-server-signed.ts", "payServerSigned"],
      ["lib/payments/payment-transaction.ts", "inPaymentTransaction"],
      ["lib/payments/claim-details.ts", "claimDetails"],
      ["lib/payments/purposes.ts", "claimAfter"],
      ["lib/payments/enforce-policy.ts", "enforcePolicy"],
      ["lib/payments/sign-locked.ts", "signLocked"],
      ["lib/payments/prove-payment.ts", "provePayment"],
      ["lib/payments/record-transfer.ts", "recordTransfer"],
    ],
  },
  {
    name: "to the chain",
    steps: [
      ["lib/chain/operations/submit-operation.ts", "submitOperation"],
      ["lib/chain/broadcast.ts", "broadcast"],
    ],
  },
  {
    name: "from the chain",
    steps: [
      ["lib/settlement/index-next.ts", "indexNext"],
      ["lib/settlement/apply-events.ts", "applyEvents"],
      ["lib/settlement/settle-operations.ts", "settleOperations"],
    ],
  },
  { name: "the row", steps: [["lib/payments/settle-transfer.ts", "confirmTransfers"]] },
];

/** Where the way begins: a request, and the loop that reads the chain. */
const BEGINNINGS = ["POST", "indexNext"];

/** Returns the steps that no earlier one calls, by the imports and calls in its file. */
export function uncalled(way: readonly Part[], read: (file: string) => string): string[] {
  const steps = way.flatMap((part) => part.steps);
  return steps.flatMap(([file, called], at) => {
    const calls = new RegExp(`\\b${called}\\b(<[^>]*>)?\\(`);
    const isCalled = steps
      .slice(0, at)
      .some(([from]) => readImports(from).some(({ to }) => fileOf(to) === file) && calls.test(read(from)));
    return isCalled || BEGINNINGS.includes(called) ? [] : [`${file} ${called}`];
  });
}

/** What a way is counted in. */
interface Counted {
  files: number;
  /** The functions called, in other words the names under which a payment goes on. */
  names: number;
  folders: number;
  rooms: number;
  /** How often it comes back to a room that it has left. */
  returns: number;
}

/** Counts a way. */
export function countWay(way: readonly Part[]): Counted {
  const steps = way.flatMap((part) => part.steps);
  const files = [...new Set(steps.map(([file]) => file))];
  const rooms = files
    .map((file) => file.split("/").slice(0, 2).join("/"))
    .filter((room, at, all) => room !== all[at - 1]);
  return {
    files: files.length,
    names: new Set(steps.map(([, called]) => called)).size,
    folders: new Set(files.map((file) => path.dirname(file))).size,
    rooms: new Set(rooms).size,
    returns: rooms.length - new Set(rooms).size,
  };
}

/** Returns the table of `docs/figures.md`. */
export function tableOf(way: readonly Part[]): string {
  const rows = way.map(({ name, steps }) => `| ${name} | ${steps.map(([file]) => `\`${file}\``).join(", ")} |`);
  return ["| | files |", "|---|---|", ...rows].join("\n");
}
