import { HalcyonError } from "@/sdk/api/errors";
import { EXIT } from "@/sdk/cli/exit-status";
import { DEFAULT_URL } from "@/sdk/context/platform/node-context";
import { commandLine } from "@/test/sdk/command-line";
import { fetchAs, type Meddle } from "@/test/services/in-process-service";
import { AMOUNT, NOBODY, payee, sent, type Verb } from "./client-action";
import type { World } from "./lying-service";

/** What a service returns to a wallet that signs in. Its requests here are signed in already. */
const SIGN_IN: Record<string, unknown> = {
  "/api/siwe/nonce": { nonce: "n".repeat(20) },
  "/api/auth/csrf": { csrfToken: "token" },
  "/api/auth/callback/siwe": { url: DEFAULT_URL },
};

/** Runs a command line in this process, whose requests to the service go to a service that may lie. */
async function runCommand(words: readonly string[], world: World, meddle?: Meddle, byWallet = false): Promise<string> {
  const service = await fetchAs(world.owner.address, meddle);
  const replaced: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(DEFAULT_URL)) return fetch(input, init);
    const signIn = SIGN_IN[new URL(url).pathname];
    return signIn ? Response.json(signIn) : service(input, init);
  };
  // Where the command line looks for a `fetch` in place of its own (lib/base/machine-fetch.ts).
  const at = Symbol.for("halcyon.fetch");
  Object.assign(globalThis, { [at]: replaced });
  try {
    const line = [...words, "--timeout", "20s", "--wait-timeout", `${world.waitTimeout}ms`];
    const { out, err, status } = await commandLine(line, await world.commandLine(byWallet));
    // An error may name what differs.
    if (status === EXIT.done) return `${out}${err}`;
    if (out) return out;
    if (status === EXIT.internal) throw new Error(err);
    const failed = new HalcyonError("unavailable", err);
    throw status === EXIT.outcomeUnknown ? Object.assign(failed, { name: "OutcomeUnknown" }) : failed;
  } finally {
    Reflect.deleteProperty(globalThis, at);
  }
}

/** A command that is run, and what it has to do. */
interface Line extends Pick<Verb, "before" | "moves"> {
  /** Prepares what it reports each time: it says it once. */
  each?: (world: World) => Promise<string>;
  /** The command, as the help names it. */
  command: string;
  /** What follows it. */
  rest?: (prepared: string, world: World) => readonly string[];
  /** Whether it needs the wallet's key. Default: a viewing key, and an API key that only reads. */
  byWallet?: boolean;
}

const EVER = ["--from", "2020-01-01", "--to", "2100-01-01", "--time-zone", "UTC"];
const given = (prepared: string) => [prepared];

const requestOfPayee = (world: World) => world.requestOfPayee();

/** The commands that report or move money. */
const LINES: readonly Line[] = [
  { command: "transfers" },
  { command: "transfers get", rest: (_, { received }) => [received] },
  { command: "statement", rest: () => EVER },
  { command: "sync" },
  { command: "balances", rest: () => ["--proof"], before: (world) => world.verified(), byWallet: true },
  { command: "receipt", rest: (_, { received }) => [received], byWallet: true },
  {
    command: "verify-receipt",
    before: async (world) => (await (await world.client()).receipts.create(world.received)).receipt,
    rest: given,
  },
  {
    command: "verify-proof-of-funds",
    before: async (world) => {
      const created = await (await world.client()).proofsOfFunds.create({
        for: "Bank",
        atLeast: "10",
        expires: world.expires,
      });
      return created.proof_of_funds;
    },
    rest: given,
  },
  { command: "request list", before: (world) => world.request(), byWallet: true },
  { command: "request show", before: (world) => world.coveredRequest(), rest: given, byWallet: true },
  { command: "request pay", before: requestOfPayee, rest: given, byWallet: true },
  { command: "request check", each: (world) => world.paidRequest(), rest: given, byWallet: true },
  { command: "pending", before: (world) => world.held(), byWallet: true },
  { command: "guard", byWallet: true },
  { command: "schedules show", before: (world) => world.schedule(), rest: given, byWallet: true },
  { command: "views verify", before: (world) => world.sharedView(), rest: given },
  {
    command: "send",
    byWallet: true,
    moves: () => sent("owner", "sent", "USDG", "payee"),
    rest: (_, world) => ["--client-signed", "--to", payee(world), "--amount", AMOUNT],
  },
  {
    command: "withdraw",
    byWallet: true,
    moves: () => sent("owner", "released", "USDG", NOBODY),
    rest: () => ["--to", NOBODY, "--amount", AMOUNT],
  },
  {
    command: "request pay --yes --most 1",
    byWallet: true,
    moves: () => sent("owner", "sent", "USDG", "payee"),
    before: requestOfPayee,
    rest: given,
  },
];

const VERBS = LINES.map(({ command, rest, byWallet, each, ...line }): Verb => {
  const name = `halcyon ${command}`;
  return {
    ...line,
    name,
    of: [name.replace(/ --.*/, "")],
    run: async (_client, world, prepared, meddle) => {
      const words = rest?.((await each?.(world)) ?? prepared, world) ?? [];
      return runCommand([...command.split(" "), ...words], world, meddle, byWallet);
    },
  };
});

export const COMMANDS: readonly Verb[] = VERBS.filter(({ moves }) => !moves);
export const PAYING_COMMANDS: readonly Verb[] = VERBS.filter(({ moves }) => moves);
