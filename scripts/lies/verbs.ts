import { DEFAULT_URL } from "@/sdk/context/platform/node-context";
import type { HalcyonClient } from "@/sdk/halcyon-client";
import { halcyon } from "@/test/cli/cli";
import type { Meddle } from "@/test/services/in-process-service";
import { fetchAs } from "@/test/services/in-process-service";
import type { World } from "./world";

/** Something that a client does over a service. */
export interface Verb {
  name: string;
  /** What has to move on the chain; nothing for a verb that only reports. */
  moves?: (world: World) => string[];
  /** Fields of its report that only the service says. */
  labels?: readonly string[];
  /** Prepares one run, with an honest service. */
  before?: (world: World) => Promise<string>;
  /** A text that it returns is what a command prints. */
  run(client: HalcyonClient, world: World, prepared: string, meddle?: Meddle): Promise<unknown>;
}

const NOBODY = "0x000000000000000000000000000000000000dead";
const AMOUNT = "0.01";
const prepared = true;
const bot = ({ agent }: World) => `@${agent.account.handle}`;
const to = ({ payee }: World) => `@${payee.account.handle}`;
const sent = (who: string, how: string, what: string, whom: string) => [`${who} ${how} ${AMOUNT} ${what} to ${whom}`];

/** What moves money, signed by the client. */
export const PAYING: Verb[] = [
  {
    name: "send",
    moves: () => sent("owner", "sent", "USDG", "payee"),
    run: (client, world) => client.transfers.create({ to: to(world), amount: AMOUNT, prepared }),
  },
  {
    name: "send ETH",
    moves: () => sent("owner", "sent", "ETH", "payee"),
    run: (client, { payee }) => client.transfers.create({ to: payee.address, amount: AMOUNT, asset: "ETH", prepared }),
  },
  {
    name: "send from the agent",
    moves: () => sent("agent", "sent", "USDG", "payee"),
    run: (client, world) => client.transfers.create({ from: bot(world), to: to(world), amount: AMOUNT, prepared }),
  },
  {
    name: "fund the agent",
    moves: () => sent("owner", "funded_out", "USDG", "agent"),
    run: (client, world) => client.transfers.create({ to: bot(world), amount: AMOUNT, prepared }),
  },
  {
    name: "send to many",
    moves: () => ["owner sent 0.01 USDG to payee", "owner sent 0.02 USDG to payee"],
    run: (client, world) =>
      client.transfers.createMany({ payments: [AMOUNT, "0.02"].map((amount) => ({ to: to(world), amount })) }),
  },
  {
    name: "withdraw",
    moves: () => sent("owner", "released", "USDG", NOBODY),
    run: (client) => client.withdrawals.create({ to: NOBODY, amount: AMOUNT }),
  },
  {
    name: "make available",
    moves: () => ["owner allocation USDG"],
    run: async (client) => {
      // How many notes it took depends on which the service lists.
      const { notes: _, ...made } = await client.balances.makeAvailable({ amount: AMOUNT });
      return made;
    },
  },
  {
    name: "refund",
    moves: () => sent("owner", "sent", "USDG", "payee"),
    run: (client, { received }) => client.transfers.refund(received, { amount: AMOUNT, prepared }),
  },
  {
    name: "pay a request",
    moves: () => sent("owner", "sent", "USDG", "payee"),
    before: async (world) => {
      const payee = await world.client(undefined, world.payee);
      return (await payee.paymentRequests.create({ amount: AMOUNT })).link;
    },
    run: (client, _, link) => client.paymentRequests.pay(link, { most: "1" }),
  },
  {
    name: "approve",
    moves: () => sent("agent", "sent", "USDG", "payee"),
    before: (world) => world.held(),
    run: (client, _, id) => client.approvals.approve(id),
  },
];

const entries = async (list: AsyncIterable<unknown>) => {
  const all: unknown[] = [];
  for await (const entry of list) all.push(entry);
  return all;
};

/** What reports money. */
export const REPORTING: Verb[] = [
  { name: "balance", run: (client) => client.balances.decrypt() },
  { name: "the agent's balance", run: (client, world) => client.balances.decrypt({ agent: bot(world) }) },
  { name: "transfers", run: (client) => entries(client.transfers.listDecrypted()) },
  { name: "transfer", run: (client, { received }) => client.transfers.getDecrypted(received) },
  { name: "refundable", run: (client, { received }) => client.transfers.refundable(received) },
  { name: "receipt", run: (client, { received }) => client.receipts.create(received) },
  {
    name: "receipt of someone",
    before: async (world) => (await (await world.client()).receipts.create(world.received)).receipt,
    run: (client, _, receipt) => client.receipts.verify(receipt),
  },
  {
    name: "statement",
    run: (client) => client.statements.create({ from: "2020-01-01", to: "2100-01-01", timeZone: "UTC" }),
  },
  {
    name: "proof of funds",
    before: async (world) => {
      const created = await (await world.client()).proofsOfFunds.create({ for: "Bank", atLeast: "10" });
      return created.proof_of_funds;
    },
    run: (client, _, proof) => client.proofsOfFunds.verify(proof),
  },
  {
    name: "payment request of someone",
    before: async (world) => {
      const payee = await world.client(undefined, world.payee);
      return (await payee.paymentRequests.create({ amount: "3", note: "lunch" })).link;
    },
    run: (client, _, link) => client.paymentRequests.open(link),
  },
  {
    name: "payment requests",
    labels: ["status"],
    before: async (world) => {
      await (await world.client()).paymentRequests.create({ amount: "3", note: "lunch" });
      return "";
    },
    run: (client) => entries(client.paymentRequests.list()),
  },
  {
    name: "payments awaiting approval",
    labels: ["transaction_id", "agent", "status", "requested_at", "expires_at"],
    before: (world) => world.held(),
    run: (client) => entries(client.approvals.list()),
  },
  { name: "lost balance", run: (client) => client.security.balanceLoss() },
];

/** The commands that report money, run in this process with a viewing key. */
const COMMANDS: readonly (readonly string[])[] = [
  ["transfers"],
  ["statement", "--from", "2020-01-01", "--to", "2100-01-01", "--time-zone", "UTC"],
];

/** Runs a command line whose requests to the service go to a service that may lie. */
async function runCommand(words: readonly string[], world: World, meddle?: Meddle): Promise<string> {
  const service = await fetchAs(world.owner.address, meddle);
  const replaced: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return (url.startsWith(DEFAULT_URL) ? service : fetch)(input, init);
  };
  // Where the command line looks for a `fetch` in place of its own (lib/base/machine-fetch.ts).
  const at = Symbol.for("halcyon.fetch");
  Object.assign(globalThis, { [at]: replaced });
  try {
    const { out, err, status } = await halcyon(...words);
    // An error may name what differs.
    return status === 0 ? `${out}${err}` : out;
  } finally {
    Reflect.deleteProperty(globalThis, at);
  }
}

REPORTING.push(
  ...COMMANDS.map((words): Verb => {
    return {
      name: `halcyon ${words[0]}`,
      before: (world) => world.enterCommandLine(),
      run: (_client, world, _prepared, meddle) => runCommand(words, world, meddle),
    };
  }),
);
